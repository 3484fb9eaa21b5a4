//! Calls of functions: their statements, executed on expressions.

use super::{Flow, Frame, LIMIT, Unfold, flat};
use crate::parts::Parts;
use crate::{Body, ExprId, FunctionId, LValue, LocalKind, Node, Scalar, Step, Stmt, Target};
use std::rc::Rc;

impl Unfold<'_> {
    /// A call whose arguments are written out, as it stands.
    pub(super) fn whole(&mut self, call: ExprId) -> Option<ExprId> {
        if !self.frames.is_empty() {
            return self.written(call);
        }
        if let Some(known) = self.calls.whole.get(&call) {
            return *known;
        }
        let whole = self.written(call);
        self.calls.whole.insert(call, whole);
        whole
    }

    fn written(&mut self, call: ExprId) -> Option<ExprId> {
        let Node::Call(f, args) = self.store.node(call).clone() else { return None };
        let mut new = Vec::with_capacity(args.len());
        for a in args {
            new.push(match self.take(a) {
                Some(parts) => parts.rebuild(self.store)?,
                None if self.frames.is_empty() => a,
                None => return None,
            });
        }
        let ty = self.store.type_id(call);
        Some(self.store.add_typed(Node::Call(f, new.into()), ty))
    }

    pub(super) fn call(&mut self, f: FunctionId, args: &[ExprId], e: ExprId) -> Option<Parts> {
        let outside = self.frames.is_empty();
        if outside && let Some(known) = self.calls.results.get(&e) {
            return known.clone();
        }
        let mut result = None;
        if self.store.wants_inline(f, self.stage) && self.frames.len() < 30 {
            let budget = self.left;
            let args = args.iter().map(|&a| self.take(a)).collect::<Option<Vec<_>>>();
            result = args.and_then(|args| self.run(f, args));
            if result.is_none() && outside {
                self.left = budget;
            }
        }
        if result.is_none() {
            let ty = self.store.ty(e).clone();
            result = self.whole(e).and_then(|call| self.store.select_parts(call, &ty));
        }
        if outside {
            self.calls.results.insert(e, result.clone());
            self.left = LIMIT;
        }
        result
    }

    /// Runs the body; `None` if it cannot be written out.
    fn run(&mut self, f: FunctionId, args: Vec<Parts>) -> Option<Parts> {
        let function = self.store.function(f).clone();
        if let Body::RecordConstructor = function.body {
            let output = function.locals[function.outputs.first()?.index()].ty;
            let Scalar::Record(r) = self.store.get_type(output).scalar else { return None };
            return Some(Parts::Record(r, Rc::new(args)));
        }
        let Body::Statements(statements) = &function.body else { return None };
        if !function.pure {
            return None;
        }
        let mut locals = vec![Parts::Nothing; function.locals.len()];
        for (&input, arg) in function.inputs.iter().zip(args) {
            locals[input.index()] = arg;
        }
        self.frames.push(Frame { locals, iters: Vec::new() });
        for (at, local) in function.locals.iter().enumerate() {
            if local.kind == LocalKind::Input {
                continue;
            }
            let value = match local.value {
                Some(value) => self.take(value),
                None => self.declared(&local.dims, local.ty),
            };
            if let Some(frame) = self.frames.last_mut() {
                frame.locals[at] = value.unwrap_or(Parts::Nothing);
            }
        }
        let done = self.block(statements);
        let frame = self.frames.pop()?;
        done?;
        let outputs = function.outputs.iter().map(|o| frame.locals[o.index()].clone()).collect::<Vec<_>>();
        match outputs.len() {
            1 => outputs.into_iter().next().filter(|p| p.is_complete()),
            _ => Some(Parts::Tuple(Rc::new(outputs))),
        }
    }

    /// The shape of a local before anything is assigned to it.
    fn declared(&mut self, dims: &[Option<ExprId>], ty: crate::TypeId) -> Option<Parts> {
        let ty = self.store.get_type(ty).clone();
        let mut sizes = Vec::new();
        for (k, known) in ty.dims.iter().enumerate() {
            sizes.push(match (known.known(), dims.get(k).copied().flatten()) {
                (Some(n), _) => n,
                (None, Some(e)) => usize::try_from(self.number(e)?).ok()?,
                (None, None) => return None,
            });
        }
        let item = match ty.scalar {
            Scalar::Record(r) => {
                let fields = self.store.record(r).fields.clone();
                let fields = fields.iter().map(|(_, t)| {
                    let t = self.store.intern_type(t.clone());
                    self.declared(&[], t).unwrap_or(Parts::Nothing)
                });
                let fields = fields.collect();
                Parts::Record(r, Rc::new(fields))
            }
            _ => Parts::Nothing,
        };
        if sizes.is_empty() {
            return Some(item);
        }
        let count = sizes.iter().product::<usize>();
        if count > LIMIT {
            return None;
        }
        Parts::array(sizes, vec![item; count])
    }

    fn block(&mut self, statements: &[Stmt]) -> Option<Flow> {
        for statement in statements {
            let flow = self.statement(statement)?;
            if flow != Flow::Next {
                return Some(flow);
            }
        }
        Some(Flow::Next)
    }

    fn statement(&mut self, statement: &Stmt) -> Option<Flow> {
        self.left = self.left.checked_sub(1)?;
        match statement {
            Stmt::Assign(place, value, _) => {
                let value = self.take(*value)?;
                self.assign(place, value)?;
            }
            Stmt::AssignTuple(places, call, _) => {
                let Parts::Tuple(values) = self.take(*call)? else { return None };
                for (place, value) in places.iter().zip(values.iter()) {
                    if let Some(place) = place {
                        self.assign(place, value.clone())?;
                    }
                }
            }
            Stmt::If(branches, otherwise) => return self.branches(branches, otherwise),
            Stmt::For(iter, range, body, _) => {
                let values = self.take(*range)?.items().to_vec();
                for value in values {
                    self.frames.last_mut()?.iters.push((*iter, value));
                    let flow = self.block(body);
                    self.frames.last_mut()?.iters.pop();
                    match flow? {
                        Flow::Next => {}
                        Flow::Break => break,
                        Flow::Return => return Some(Flow::Return),
                    }
                }
            }
            Stmt::While(condition, body, _) => loop {
                let condition = self.take(*condition)?.one()?;
                match *self.store.node(condition) {
                    Node::Bool(true) => {}
                    Node::Bool(false) => break,
                    _ => return None,
                }
                match self.block(body)? {
                    Flow::Next => {}
                    Flow::Break => break,
                    Flow::Return => return Some(Flow::Return),
                }
            },
            Stmt::Assert { condition, .. } => {
                let condition = self.take(*condition)?.one()?;
                if !matches!(self.store.node(condition), Node::Bool(true)) {
                    return None;
                }
            }
            Stmt::Break => return Some(Flow::Break),
            Stmt::Return => return Some(Flow::Return),
            Stmt::Call(..) | Stmt::Terminate(..) | Stmt::When(..) | Stmt::Reinit(..) => return None,
        }
        Some(Flow::Next)
    }

    /// Both ways are taken where the condition is not known, and what they assign is joined.
    fn branches(&mut self, branches: &[(ExprId, Vec<Stmt>)], otherwise: &[Stmt]) -> Option<Flow> {
        let Some(((condition, body), rest)) = branches.split_first() else { return self.block(otherwise) };
        let condition = self.take(*condition)?.one()?;
        match *self.store.node(condition) {
            Node::Bool(true) => return self.block(body),
            Node::Bool(false) => return self.branches(rest, otherwise),
            _ => {}
        }
        let before = self.frames.last()?.locals.clone();
        if self.block(body)? != Flow::Next {
            return None;
        }
        let yes = std::mem::replace(&mut self.frames.last_mut()?.locals, before);
        if self.branches(rest, otherwise)? != Flow::Next {
            return None;
        }
        let no = std::mem::take(&mut self.frames.last_mut()?.locals);
        let mut joined = Vec::with_capacity(no.len());
        for (a, b) in yes.iter().zip(&no) {
            let both = a.zip(b, &mut |x, y| self.store.choose(condition, x, y));
            joined.push(both.unwrap_or(Parts::Nothing));
        }
        self.frames.last_mut()?.locals = joined;
        Some(Flow::Next)
    }

    fn assign(&mut self, place: &LValue, value: Parts) -> Option<()> {
        let Target::Local(local) = place.target else { return None };
        let old = std::mem::replace(&mut self.frames.last_mut()?.locals[local.index()], Parts::Nothing);
        let new = self.replace(&old, &place.path, value)?;
        self.frames.last_mut()?.locals[local.index()] = new;
        Some(())
    }

    fn replace(&mut self, old: &Parts, path: &[Step], value: Parts) -> Option<Parts> {
        let Some((step, rest)) = path.split_first() else { return Some(value) };
        match (step, old) {
            (Step::Field(k), Parts::Record(r, fields)) => {
                let mut fields = fields.to_vec();
                let new = self.replace(fields.get(*k as usize)?, rest, value)?;
                *fields.get_mut(*k as usize)? = new;
                Some(Parts::Record(*r, Rc::new(fields)))
            }
            (Step::Index(subs), Parts::Array(dims, items)) => {
                let mut subs = self.positions(subs, dims)?;
                while subs.len() < dims.len() {
                    subs.push(((0..dims[subs.len()]).collect(), true));
                }
                let places = flat(&subs, dims);
                let mut items = items.to_vec();
                let single = subs.iter().all(|(_, keep)| !keep);
                if !single && value.items().len() != places.len() {
                    return None;
                }
                for (k, &at) in places.iter().enumerate() {
                    let part = if single { value.clone() } else { value.items()[k].clone() };
                    items[at] = self.replace(&items[at].clone(), rest, part)?;
                }
                Some(Parts::Array(dims.clone(), Rc::new(items)))
            }
            _ => None,
        }
    }
}
