//! Bodies of functions run on scalar expressions: what a call computes, written out.

use crate::inline::Stage;
use crate::parts::Parts;
use crate::{
    BinOp, Body, Builtin, ExprId, ExprMap, FunctionId, IterId, LValue, LocalKind, Node, ReduceOp, Scalar,
    Step, Stmt, Store, Sub, Target, Type, UnOp,
};
use std::rc::Rc;

/// Beyond this many nodes a call is cheaper than its body.
const LIMIT: usize = 20_000;

/// One function being run: its locals and iterators.
#[derive(Default)]
struct Frame {
    locals: Vec<Parts>,
    iters: Vec<(IterId, Parts)>,
}

/// Where a list of statements ended.
#[derive(PartialEq, Eq)]
enum Flow {
    Next,
    Break,
    Return,
}

/// What is known of calls outside of functions, so that a call of which many numbers are taken is looked at once.
#[derive(Default)]
pub(crate) struct Calls {
    /// Results of calls and their items; absent where a call has to stay.
    results: ExprMap<Option<Parts>>,
    /// Calls that stay, with their arguments written out.
    whole: ExprMap<Option<ExprId>>,
}

pub(crate) struct Unfold<'a> {
    store: &'a mut Store,
    stage: Stage,
    calls: &'a mut Calls,
    frames: Vec<Frame>,
    left: usize,
}

impl<'a> Unfold<'a> {
    pub fn new(store: &'a mut Store, stage: Stage, calls: &'a mut Calls) -> Self {
        Unfold { store, stage, calls, frames: Vec::new(), left: LIMIT }
    }

    /// The scalars of an expression; `None` where the shape is not known or a statement cannot be written out.
    pub fn take(&mut self, e: ExprId) -> Option<Parts> {
        self.left = self.left.checked_sub(1)?;
        match self.store.node(e).clone() {
            Node::Local(l) => match self.frames.last()?.locals.get(l.index())? {
                Parts::Nothing => None,
                parts => Some(parts.clone()),
            },
            Node::Iter(i) => {
                let iters = &self.frames.last()?.iters;
                iters.iter().rev().find(|(known, _)| *known == i).map(|(_, value)| value.clone())
            }
            Node::Unary(op, a) => {
                let a = self.take(a)?;
                let store = &mut *self.store;
                a.map(&mut |x| match op {
                    UnOp::Neg => store.negate(x),
                    UnOp::Not => store.not(x),
                })
            }
            Node::Binary(op, a, b) => {
                let (a, b) = (self.take(a)?, self.take(b)?);
                let result = self.store.parts_op(op, &a, &b)?;
                match op.is_relation() {
                    true => self.quiet(result),
                    false => Some(result),
                }
            }
            Node::If(c, a, b) => {
                let c = self.take(c)?.one()?;
                match *self.store.node(c) {
                    Node::Bool(true) => self.take(a),
                    Node::Bool(false) => self.take(b),
                    _ => {
                        let (a, b) = (self.take(a)?, self.take(b)?);
                        a.zip(&b, &mut |x, y| self.store.choose(c, x, y))
                    }
                }
            }
            Node::Builtin(f, args) => self.builtin(f, &args, e),
            Node::Call(f, args) => self.call(f, &args, e),
            Node::Item(call, k) => self.item(call, k, e),
            Node::Field(a, k) => self.take(a)?.field(k as usize),
            Node::Record(r, args) => {
                let items = args.iter().map(|&a| self.take(a)).collect::<Option<Vec<_>>>()?;
                Some(Parts::Record(r, Rc::new(items)))
            }
            Node::Array(items) => {
                if items.is_empty() {
                    return Parts::array(self.store.ty(e).sizes()?, Vec::new());
                }
                let parts = items.iter().map(|&a| self.take(a)).collect::<Option<Vec<_>>>()?;
                Parts::stack(parts)
            }
            Node::Range(from, step, to) => self.range(from, step, to),
            Node::Comprehension(body, iters) => {
                let (mut dims, mut items) = (Vec::new(), Vec::new());
                self.iterate(&iters, &mut dims, &mut |me| {
                    items.push(me.take(body)?);
                    Some(())
                })?;
                let inner = items.first()?.dims().to_vec();
                dims.extend(inner);
                Parts::array(dims, items.iter().flat_map(|p| p.items().to_vec()).collect())
            }
            Node::Reduce(op, body, iters) => {
                let mut items = Vec::new();
                self.iterate(&iters, &mut Vec::new(), &mut |me| {
                    items.push(me.take(body)?);
                    Some(())
                })?;
                self.reduce(op, &items)
            }
            Node::Index(a, subs) => {
                let a = self.take(a)?;
                let subs = self.positions(&subs, a.dims())?;
                pick(&a, &subs)
            }
            Node::CallValue(..) | Node::Partial(..) => self.closed(e),
            Node::Var(_) | Node::Time | Node::Relation(_) => Some(Parts::One(e)),
            Node::Real(_) | Node::Int(_) | Node::Bool(_) | Node::Str(_) | Node::Enum(..) => {
                Some(Parts::One(e))
            }
        }
    }

    fn item(&mut self, call: ExprId, k: u32, e: ExprId) -> Option<Parts> {
        let outside = self.frames.is_empty();
        if outside && let Some(known) = self.calls.results.get(&e) {
            return known.clone();
        }
        let result = match self.take(call) {
            Some(parts) => parts.field(k as usize),
            None => self.whole(call).and_then(|call| {
                let ty = self.store.ty(e).clone();
                let item = self.store.add(Node::Item(call, k), ty.clone());
                self.store.select_parts(item, &ty)
            }),
        };
        if outside {
            self.calls.results.insert(e, result.clone());
        }
        result
    }

    /// MLS 12.8: what was a function raises no events.
    fn quiet(&mut self, parts: Parts) -> Option<Parts> {
        if self.stage != Stage::Early || self.frames.is_empty() {
            return Some(parts);
        }
        let store = &mut *self.store;
        parts.map(&mut |x| store.apply(Builtin::NoEvent, &[x]))
    }

    /// An expression that stays as it is, if it reads nothing of a function.
    fn closed(&mut self, e: ExprId) -> Option<Parts> {
        let open = self.store.any(e, |n| matches!(n, Node::Local(_) | Node::Iter(_)));
        (!open || self.frames.is_empty()).then_some(Parts::One(e))
    }

    fn number(&mut self, e: ExprId) -> Option<i64> {
        let one = self.take(e)?.one()?;
        let x = self.store.number(one)?;
        (x.fract() == 0.0).then_some(x as i64)
    }

    fn range(&mut self, from: ExprId, step: Option<ExprId>, to: ExprId) -> Option<Parts> {
        let (from, to) = (self.number(from)?, self.number(to)?);
        let step = step.map_or(Some(1), |s| self.number(s)).filter(|&s| s != 0)?;
        let count = ((to - from) / step + 1).max(0);
        if count as usize > LIMIT || (to - from).signum() * step.signum() < 0 {
            return (count as usize <= LIMIT).then(|| Parts::vector(Vec::new()));
        }
        Some(Parts::vector((0..count).map(|k| Parts::One(self.store.int(from + k * step))).collect()))
    }

    fn iterate(
        &mut self,
        iters: &[(IterId, ExprId)],
        dims: &mut Vec<usize>,
        body: &mut dyn FnMut(&mut Self) -> Option<()>,
    ) -> Option<()> {
        let base = self.frames.is_empty();
        if base {
            self.frames.push(Frame::default());
        }
        let done = self.nest(iters, dims, body);
        if base {
            self.frames.pop();
        }
        done
    }

    fn nest(
        &mut self,
        iters: &[(IterId, ExprId)],
        dims: &mut Vec<usize>,
        body: &mut dyn FnMut(&mut Self) -> Option<()>,
    ) -> Option<()> {
        let Some(((iter, range), rest)) = iters.split_first() else { return body(self) };
        let range = self.take(*range)?;
        let values = range.items().to_vec();
        dims.push(values.len());
        let depth = dims.len();
        for value in values {
            dims.truncate(depth);
            self.frames.last_mut()?.iters.push((*iter, value));
            let done = self.nest(rest, dims, body);
            self.frames.last_mut()?.iters.pop();
            done?;
        }
        Some(())
    }

    fn reduce(&mut self, op: ReduceOp, items: &[Parts]) -> Option<Parts> {
        let Some((first, rest)) = items.split_first() else {
            let e = match op {
                ReduceOp::Sum => self.store.zero(),
                ReduceOp::Product => self.store.real(1.0),
                _ => return None,
            };
            return Some(Parts::One(e));
        };
        let mut all = first.clone();
        for item in rest {
            let store = &mut *self.store;
            all = all.zip(item, &mut |x, y| match op {
                ReduceOp::Sum => store.plus(x, y),
                ReduceOp::Product => store.times(x, y),
                ReduceOp::Min => store.apply(Builtin::Min2, &[x, y]),
                ReduceOp::Max => store.apply(Builtin::Max2, &[x, y]),
            })?;
        }
        match op {
            ReduceOp::Sum | ReduceOp::Product => Some(all),
            _ => self.quiet(all),
        }
    }

    /// Literal subscripts by dimension; whether the dimension stays.
    fn positions(&mut self, subs: &[Sub], dims: &[usize]) -> Option<Vec<(Vec<usize>, bool)>> {
        let mut out = Vec::with_capacity(subs.len());
        for (sub, &size) in subs.iter().zip(dims) {
            out.push(match sub {
                Sub::All => ((0..size).collect(), true),
                Sub::At(i) => {
                    let at = self.take(*i)?;
                    let keep = !at.dims().is_empty();
                    let mut list = Vec::new();
                    for item in at.items() {
                        let k = self.store.number(item.one()?)? as i64 - 1;
                        list.push(usize::try_from(k).ok().filter(|&k| k < size)?);
                    }
                    (list, keep)
                }
            });
        }
        (subs.len() <= dims.len()).then_some(out)
    }

    fn builtin(&mut self, f: Builtin, args: &[ExprId], e: ExprId) -> Option<Parts> {
        let literals = |me: &mut Self, list: &[ExprId]| {
            list.iter()
                .map(|&a| me.number(a).and_then(|n| usize::try_from(n).ok()))
                .collect::<Option<Vec<_>>>()
        };
        match f {
            Builtin::Zeros | Builtin::Ones => {
                let dims = literals(self, args)?;
                let value = self.store.real(if f == Builtin::Zeros { 0.0 } else { 1.0 });
                let count: usize = dims.iter().product();
                return Parts::array(dims, vec![Parts::One(value); count.min(LIMIT)]);
            }
            Builtin::Identity => {
                let n = *literals(self, args)?.first()?;
                let (zero, one) = (self.store.zero(), self.store.real(1.0));
                let items = (0..n * n).map(|k| Parts::One(if k / n == k % n { one } else { zero }));
                return Parts::array(vec![n, n], items.collect());
            }
            Builtin::Fill => {
                let value = self.take(args[0])?;
                let mut dims = literals(self, &args[1..])?;
                let count: usize = dims.iter().product();
                dims.extend(value.dims());
                let items = (0..count.min(LIMIT)).flat_map(|_| value.items().to_vec()).collect();
                return Parts::array(dims, items);
            }
            Builtin::Cat => {
                let along = self.number(args[0])?;
                let parts = args[1..].iter().map(|&a| self.take(a)).collect::<Option<Vec<_>>>()?;
                return cat(usize::try_from(along - 1).ok()?, &parts);
            }
            Builtin::Smooth | Builtin::NoEvent => {
                let (order, inner) = args.split_at(args.len() - 1);
                let parts = self.take(inner[0])?;
                if !self.frames.is_empty() {
                    return Some(parts);
                }
                // An argument keeps what its place in the model says of events.
                let store = &mut *self.store;
                return parts.map(&mut |x| store.apply(f, &[order, &[x]].concat()));
            }
            _ => {}
        }
        let parts = args.iter().map(|&a| self.take(a)).collect::<Option<Vec<_>>>()?;
        let (first, dims) = (parts.first()?, parts.first()?.dims().to_vec());
        match f {
            Builtin::Size => match args.len() {
                1 => {
                    Some(Parts::vector(dims.iter().map(|&d| Parts::One(self.store.int(d as i64))).collect()))
                }
                _ => {
                    let k = self.store.number(parts[1].one()?)? as usize;
                    Some(Parts::One(self.store.int(*dims.get(k.checked_sub(1)?)? as i64)))
                }
            },
            Builtin::Ndims => Some(Parts::One(self.store.int(dims.len() as i64))),
            Builtin::Sum => self.reduce(ReduceOp::Sum, first.items()),
            Builtin::Product => self.reduce(ReduceOp::Product, first.items()),
            Builtin::MinOf => self.reduce(ReduceOp::Min, first.items()),
            Builtin::MaxOf => self.reduce(ReduceOp::Max, first.items()),
            Builtin::Scalar => first.items().first().cloned(),
            Builtin::Vector => Some(Parts::vector(first.items().to_vec())),
            Builtin::Transpose => {
                let &[rows, columns] = &dims[..] else { return None };
                let items = first.items();
                let all = (0..rows * columns).map(|k| items[k % rows * columns + k / rows].clone()).collect();
                Parts::array(vec![columns, rows], all)
            }
            Builtin::Diagonal => {
                let (n, zero) = (*dims.first()?, self.store.zero());
                let at =
                    |k: usize| if k / n == k % n { first.items()[k / n].clone() } else { Parts::One(zero) };
                Parts::array(vec![n, n], (0..n * n).map(at).collect())
            }
            Builtin::Symmetric => {
                let n = *dims.first()?;
                let at = |k: usize| first.items()[(k / n).min(k % n) * n + (k / n).max(k % n)].clone();
                Parts::array(vec![n, n], (0..n * n).map(at).collect())
            }
            Builtin::OuterProduct => {
                let mut items = Vec::new();
                for a in first.items() {
                    for b in parts[1].items() {
                        items.push(self.store.parts_op(BinOp::Mul, a, b)?);
                    }
                }
                Parts::array(vec![first.items().len(), parts[1].items().len()], items)
            }
            Builtin::Cross | Builtin::Skew => self.cross(f, &parts),
            _ if f.is_numeric() => self.elementwise(f, &parts, e),
            _ => self.closed(e),
        }
    }

    fn cross(&mut self, f: Builtin, parts: &[Parts]) -> Option<Parts> {
        let three = |p: &Parts| match p.items() {
            [x, y, z] => Some([x.one()?, y.one()?, z.one()?]),
            _ => None,
        };
        let a = three(&parts[0])?;
        if f == Builtin::Skew {
            let zero = self.store.zero();
            let n = a.map(|x| self.store.negate(x));
            let all = [zero, n[2], a[1], a[2], zero, n[0], n[1], a[0], zero];
            return Parts::array(vec![3, 3], all.into_iter().map(Parts::One).collect());
        }
        let b = three(&parts[1])?;
        let items = [(1, 2), (2, 0), (0, 1)].map(|(i, j)| {
            let (p, q) = (self.store.times(a[i], b[j]), self.store.times(a[j], b[i]));
            Parts::One(self.store.minus(p, q))
        });
        Some(Parts::vector(items.to_vec()))
    }

    fn elementwise(&mut self, f: Builtin, parts: &[Parts], e: ExprId) -> Option<Parts> {
        if let Some(Parts::Array(dims, items)) = parts.iter().find(|p| matches!(p, Parts::Array(..))) {
            let mut out = Vec::with_capacity(items.len());
            for k in 0..items.len() {
                let at = |p: &Parts| match p {
                    Parts::Array(_, items) => items.get(k).cloned(),
                    other => Some(other.clone()),
                };
                let args = parts.iter().map(at).collect::<Option<Vec<_>>>()?;
                out.push(self.elementwise(f, &args, e)?);
            }
            return Parts::array(dims.to_vec(), out);
        }
        let args = parts.iter().map(Parts::one).collect::<Option<Vec<_>>>()?;
        if f == Builtin::EnumOf {
            let ty = Type::scalar(self.store.ty(e).scalar);
            return Some(Parts::One(self.store.add(Node::Builtin(f, args.into()), ty)));
        }
        let result = Parts::One(self.store.apply(f, &args));
        match f.row().event {
            true => self.quiet(result),
            false => Some(result),
        }
    }

    /// A call whose arguments are written out, as it stands.
    fn whole(&mut self, call: ExprId) -> Option<ExprId> {
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

    fn call(&mut self, f: FunctionId, args: &[ExprId], e: ExprId) -> Option<Parts> {
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

/// Row-major positions of the chosen elements.
fn flat(subs: &[(Vec<usize>, bool)], dims: &[usize]) -> Vec<usize> {
    let mut places = vec![0];
    for ((list, _), &size) in subs.iter().zip(dims) {
        places = places.iter().flat_map(|&at| list.iter().map(move |&k| at * size + k)).collect();
    }
    places
}

fn pick(a: &Parts, subs: &[(Vec<usize>, bool)]) -> Option<Parts> {
    let dims = a.dims();
    let mut subs = subs.to_vec();
    while subs.len() < dims.len() {
        subs.push(((0..dims[subs.len()]).collect(), true));
    }
    let items: Vec<Parts> = flat(&subs, dims).into_iter().map(|at| a.items()[at].clone()).collect();
    let kept: Vec<usize> = subs.iter().filter(|(_, keep)| *keep).map(|(list, _)| list.len()).collect();
    match kept.is_empty() {
        true => items.into_iter().next().filter(|p| !matches!(p, Parts::Nothing)),
        false => Parts::array(kept, items),
    }
}

fn cat(along: usize, parts: &[Parts]) -> Option<Parts> {
    let first = parts.first()?.dims().to_vec();
    if along >= first.len() || parts.iter().any(|p| p.dims().len() != first.len()) {
        return None;
    }
    let outer: usize = first[..along].iter().product();
    let mut items = Vec::new();
    for k in 0..outer {
        for part in parts {
            let size: usize = part.dims()[along..].iter().product();
            items.extend_from_slice(part.items().get(k * size..(k + 1) * size)?);
        }
    }
    let mut dims = first;
    dims[along] = parts.iter().map(|p| p.dims()[along]).sum();
    Parts::array(dims, items)
}
