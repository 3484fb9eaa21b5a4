//! Statements with arrays whose sizes only a run knows: they become functions, in which sizes may vary.

use crate::expand::Expander;
use kairos_base::{Name, Span};
use kairos_expr::{
    Builtin, Dim, ExprId, ExprMap, Function, IterId, LValue, Local, LocalId, LocalKind, Node, Scalar, Step,
    Stmt, Sub, Target, Type, VarId,
};
use kairos_sema::{CompId, Variability};

/// A statement that assigns whole variables the results of a function, in place of one with arrays of varying size.
pub fn outline(x: &mut Expander, statement: &Stmt, loops: &[IterId]) -> Option<Stmt> {
    let (places, value, span) = match statement {
        Stmt::Assign(place, value, span) => (vec![Some(place)], *value, *span),
        Stmt::AssignTuple(places, value, span) => {
            (places.iter().map(Option::as_ref).collect(), *value, *span)
        }
        _ => return None,
    };
    let places: Vec<&LValue> = places.into_iter().flatten().collect();
    let mut parts = vec![value];
    places.iter().for_each(|place| subscripts(place, &mut |e| parts.push(e)));
    if !parts.iter().any(|&e| varies_in_size(x, e, loops)) {
        return None;
    }
    let mut variables: Vec<VarId> = Vec::new();
    for place in &places {
        let Target::Var(v) = place.target else { return None };
        if !variables.contains(&v) {
            variables.push(v);
        }
    }
    let mut work = Outline {
        x,
        loops,
        span,
        locals: Vec::new(),
        inputs: Vec::new(),
        args: Vec::new(),
        places: Vec::new(),
    };
    let mut body = Vec::new();
    for &v in &variables {
        let ty = work.x.sema.comp_type(CompId::new(v.index()));
        let whole = work.x.sema.store.var(v, ty.clone());
        let before = work.input(whole)?;
        let after = work.local(LocalKind::Output, &ty)?;
        body.push(Stmt::Assign(LValue { target: Target::Local(after), path: Vec::new() }, before, span));
        work.places.push((v, after));
    }
    body.push(work.statement(statement)?);
    let Outline { x, locals, inputs, args, places, .. } = work;
    let name = Name::new(&format!("statement {}", x.sema.store.functions.len()));
    let outputs = places.iter().map(|(_, local)| *local).collect();
    let f = x.sema.add_function(Function::of_statements(name, locals, inputs, outputs, body, span));
    let whole = |v: VarId| LValue { target: Target::Var(v), path: Vec::new() };
    let args: Box<[ExprId]> = args.into();
    match variables[..] {
        [v] => {
            let ty = x.sema.comp_type(CompId::new(v.index()));
            let call = x.sema.store.add(Node::Call(f, args), ty);
            Some(Stmt::Assign(whole(v), call, span))
        }
        _ => {
            let call = x.sema.store.add(Node::Call(f, args), Type::scalar(Scalar::Tuple));
            Some(Stmt::AssignTuple(variables.into_iter().map(|v| Some(whole(v))).collect(), call, span))
        }
    }
}

fn subscripts(place: &LValue, each: &mut dyn FnMut(ExprId)) {
    for step in &place.path {
        if let Step::Index(subs) = step {
            for sub in subs.iter() {
                if let Sub::At(e) = sub {
                    each(*e);
                }
            }
        }
    }
}

/// Does it contain a range, or an array of a given size, whose size a run decides?
fn varies_in_size(x: &Expander, e: ExprId, loops: &[IterId]) -> bool {
    let store = &x.sema.store;
    store.post_order(&[e], |_| false).into_iter().any(|node| match store.node(node) {
        Node::Range(first, step, last) => {
            [Some(*first), *step, Some(*last)].into_iter().flatten().any(|e| varies(x, e, loops))
        }
        Node::Builtin(Builtin::Size, _) => false,
        Node::Builtin(_, args) => {
            store.ty(node).dims.contains(&Dim::Unknown) && args.iter().any(|&e| varies(x, e, loops))
        }
        _ => false,
    })
}

fn varies(x: &Expander, e: ExprId, loops: &[IterId]) -> bool {
    let store = &x.sema.store;
    store.post_order(&[e], |e| matches!(store.node(e), Node::Builtin(Builtin::Size, _))).into_iter().any(
        |e| match store.node(e) {
            Node::Var(v) => x.sema.comp(CompId::new(v.index())).variability > Variability::Parameter,
            Node::Iter(iterator) => loops.contains(iterator),
            Node::Time => true,
            _ => false,
        },
    )
}

struct Outline<'x, 's, 'a> {
    x: &'x mut Expander<'s, 'a>,
    /// Iterators of loops around it that turn in the run.
    loops: &'x [IterId],
    span: Span,
    locals: Vec<Local>,
    inputs: Vec<LocalId>,
    args: Vec<ExprId>,
    /// Variables that are assigned, and where they stand meanwhile.
    places: Vec<(VarId, LocalId)>,
}

impl Outline<'_, '_, '_> {
    fn local(&mut self, kind: LocalKind, ty: &Type) -> Option<LocalId> {
        let plain =
            matches!(ty.scalar, Scalar::Real | Scalar::Int | Scalar::Bool | Scalar::Enum(_) | Scalar::Str);
        let id = LocalId::new(self.locals.len());
        let mut dims = Vec::with_capacity(ty.dims.len());
        for dim in &ty.dims {
            dims.push(Some(self.x.sema.store.int(dim.known()? as i64)));
        }
        let name = Name::new(&format!("v{}", id.index()));
        let span = self.span;
        let ty = self.x.sema.store.intern_type(ty.clone());
        self.locals.push(Local { name, kind, ty, dims, value: None, span });
        plain.then_some(id)
    }

    /// The input that an expression of the model comes in by.
    fn input(&mut self, e: ExprId) -> Option<ExprId> {
        let ty = self.x.sema.store.ty(e).clone();
        let id = match self.args.iter().position(|&arg| arg == e) {
            Some(at) => self.inputs[at],
            None => {
                let id = self.local(LocalKind::Input, &ty)?;
                self.inputs.push(id);
                self.args.push(e);
                id
            }
        };
        let ty = self.x.sema.store.type_id(e);
        Some(self.x.sema.store.local(id, ty))
    }

    fn expression(&mut self, e: ExprId) -> Option<ExprId> {
        let mut memo = ExprMap::default();
        // Operators that speak of a variable come in as they are, and their variable does not.
        let mut operators = Vec::new();
        let order = self.x.sema.store.post_order(&[e], |e| {
            let cut = self.is_operator(e);
            operators.extend(cut.then_some(e));
            cut
        });
        for node in operators.into_iter().chain(order) {
            let store = &mut self.x.sema.store;
            let place = match store.node(node) {
                Node::Var(v) => self.places.iter().find(|(w, _)| w == v).map(|(_, local)| *local),
                _ => None,
            };
            let inside = match place {
                Some(local) => {
                    let ty = store.type_id(node);
                    store.local(local, ty)
                }
                None if self.comes_in(node) => self.input(node)?,
                None => continue,
            };
            memo.insert(node, inside);
        }
        Some(self.x.sema.store.rewrite(e, &mut memo, &mut |_, e| e))
    }

    fn is_operator(&self, e: ExprId) -> bool {
        use Builtin::{Change, Der, Edge, Initial, Pre, Previous, Sample, Terminal};
        let node = self.x.sema.store.node(e);
        matches!(node, Node::Builtin(Pre | Previous | Der | Edge | Change | Initial | Terminal | Sample, _))
    }

    /// Is this something of the model, which a function does not see?
    fn comes_in(&self, e: ExprId) -> bool {
        match self.x.sema.store.node(e) {
            Node::Var(_) | Node::Time => true,
            Node::Iter(iterator) => self.loops.contains(iterator),
            _ => self.is_operator(e),
        }
    }

    fn statement(&mut self, statement: &Stmt) -> Option<Stmt> {
        Some(match statement {
            Stmt::Assign(place, value, span) => {
                Stmt::Assign(self.place(place)?, self.expression(*value)?, *span)
            }
            Stmt::AssignTuple(places, call, span) => {
                let mut inside = Vec::with_capacity(places.len());
                for place in places {
                    inside.push(match place {
                        Some(place) => Some(self.place(place)?),
                        None => None,
                    });
                }
                Stmt::AssignTuple(inside, self.expression(*call)?, *span)
            }
            _ => return None,
        })
    }

    fn place(&mut self, place: &LValue) -> Option<LValue> {
        let Target::Var(v) = place.target else { return None };
        let (_, local) = *self.places.iter().find(|(w, _)| *w == v)?;
        let mut path = Vec::with_capacity(place.path.len());
        for step in &place.path {
            let Step::Index(subs) = step else { return None };
            let mut inside = Vec::with_capacity(subs.len());
            for sub in subs.iter() {
                inside.push(match sub {
                    Sub::All => Sub::All,
                    Sub::At(e) => Sub::At(self.expression(*e)?),
                });
            }
            path.push(Step::Index(inside.into()));
        }
        Some(LValue { target: Target::Local(local), path })
    }
}
