//! Arrays in statements whose sizes only a run knows: what is made of them becomes a function, in which sizes may vary.

use crate::expand::Expander;
use kairos_base::Span;
use kairos_expr::{
    Builtin, Dim, ExprId, ExprMap, IterId, LValue, Node, Outlined, Scalar, Stmt, Store, Target, Type, VarId,
};
use kairos_sema::{CompId, Variability};

/// The statement without arrays of varying size, where it has any; what stands inside of its branches and loops comes later.
///
/// What is of a fixed size becomes a call as deep inside as possible, so that relations outside of it raise events. Where an
/// array of varying size is assigned, or a loop runs through one, all of the statement is a call.
pub fn outline(x: &mut Expander, statement: &Stmt) -> Option<Stmt> {
    let own = statement.own_exprs();
    if !own.iter().any(|&e| varies_in_size(x, e)) {
        return None;
    }
    let span = span_of(statement).unwrap_or(x.span);
    let mut fixing = Fixing { x, span, calls: Vec::new() };
    let fixed = own.iter().all(|&e| match (statement, fixing.x.sema.store.node(e).clone()) {
        // A loop may have any number of turns.
        (Stmt::For(..), Node::Range(first, step, last)) => {
            [Some(first), step, Some(last)].into_iter().flatten().all(|e| fixing.fix(e))
        }
        _ => fixing.fix(e),
    });
    if !fixed {
        return outline_all(x, statement, span);
    }
    let Fixing { x, calls, .. } = fixing;
    let mut memo: ExprMap<ExprId> = calls.into_iter().collect();
    let mut new = statement.clone();
    new.visit_own_exprs_mut(&mut |e| *e = x.sema.store.rewrite(*e, &mut memo, &mut |_, e| e));
    Some(new)
}

/// A statement that assigns whole variables the results of a function made of it.
fn outline_all(x: &mut Expander, statement: &Stmt, span: Span) -> Option<Stmt> {
    let variables = statement.assigned()?;
    let whole = |x: &mut Expander, v: VarId| {
        let ty = x.sema.comp_type(CompId::new(v.index()));
        x.sema.store.var(v, ty)
    };
    let assigned: Vec<ExprId> = variables.iter().map(|&v| whole(x, v)).collect();
    let Outlined { function, args } =
        Outlined::of_statement(&mut x.sema.store, statement, &assigned, &x.loops, span)?;
    let f = x.sema.add_function(function);
    let place = |v: VarId| LValue { target: Target::Var(v), path: Vec::new() };
    match (&variables[..], &assigned[..]) {
        (&[v], &[before]) => {
            let ty = x.sema.store.type_id(before);
            let call = x.sema.store.add_typed(Node::Call(f, args.into()), ty);
            Some(Stmt::Assign(place(v), call, span))
        }
        _ => {
            let call = x.sema.store.add(Node::Call(f, args.into()), Type::scalar(Scalar::Tuple));
            Some(Stmt::AssignTuple(variables.into_iter().map(|v| Some(place(v))).collect(), call, span))
        }
    }
}

fn span_of(statement: &Stmt) -> Option<Span> {
    match statement {
        Stmt::Assign(.., span) | Stmt::AssignTuple(.., span) | Stmt::Call(_, span) => Some(*span),
        Stmt::For(.., span) | Stmt::While(.., span) | Stmt::When(_, span) => Some(*span),
        Stmt::Assert { span, .. } | Stmt::Terminate(_, span) | Stmt::Reinit(.., span) => Some(*span),
        Stmt::If(..) | Stmt::Break | Stmt::Return => None,
    }
}

/// Does it contain a range, or an array of a given size, whose size a run decides?
fn varies_in_size(x: &Expander, e: ExprId) -> bool {
    x.sema.store.post_order(&[e], |_| false).into_iter().any(|e| is_of_varying_size(x, e))
}

fn is_of_varying_size(x: &Expander, e: ExprId) -> bool {
    let store = &x.sema.store;
    match store.node(e) {
        Node::Range(first, step, last) => {
            [Some(*first), *step, Some(*last)].into_iter().flatten().any(|e| varies(x, e))
        }
        Node::Builtin(Builtin::Size, _) => false,
        Node::Builtin(_, args) => {
            store.ty(e).dims.contains(&Dim::Unknown) && args.iter().any(|&e| varies(x, e))
        }
        _ => false,
    }
}

fn varies(x: &Expander, e: ExprId) -> bool {
    let store = &x.sema.store;
    store.post_order(&[e], |e| matches!(store.node(e), Node::Builtin(Builtin::Size, _))).into_iter().any(
        |e| match store.node(e) {
            Node::Var(v) => x.sema.comp(CompId::new(v.index())).variability > Variability::Parameter,
            Node::Iter(iterator) => x.loops.contains(iterator),
            Node::Time => true,
            _ => false,
        },
    )
}

/// Finds what is of a fixed size though it is made of arrays that are not.
struct Fixing<'x, 's, 'a> {
    x: &'x mut Expander<'s, 'a>,
    span: Span,
    /// That, and the calls in its place.
    calls: Vec<(ExprId, ExprId)>,
}

impl Fixing<'_, '_, '_> {
    /// Notes calls in place of all that has to do with arrays of varying size; false where that is the expression itself.
    fn fix(&mut self, root: ExprId) -> bool {
        let mut varying: ExprMap<()> = ExprMap::default();
        for e in self.x.sema.store.post_order(&[root], |_| false) {
            if self.calls.iter().any(|&(known, _)| known == e) {
                continue;
            }
            let mut inside = is_of_varying_size(self.x, e);
            self.x.sema.store.children(e, |child| inside |= varying.contains_key(&child));
            if inside && !self.cut(e) {
                varying.insert(e, ());
            }
        }
        !varying.contains_key(&root)
    }

    /// Makes a call of an expression if that is possible: its size is fixed, and it stands in no comprehension whose iterator
    /// it needs.
    fn cut(&mut self, e: ExprId) -> bool {
        let store = &mut self.x.sema.store;
        if store.ty(e).dims.contains(&Dim::Unknown) || !is_closed(store, e, &self.x.loops) {
            return false;
        }
        let inside = store.rewrite(e, &mut self.calls.iter().copied().collect(), &mut |_, e| e);
        let Some(outlined) = Outlined::of_expression(store, inside, &self.x.loops, self.span) else {
            return false;
        };
        let ty = store.type_id(e);
        let f = self.x.sema.add_function(outlined.function);
        let call = self.x.sema.store.add_typed(Node::Call(f, outlined.args.into()), ty);
        self.calls.push((e, call));
        true
    }
}

/// Are all its iterators those of loops, or of comprehensions inside of it?
fn is_closed(store: &Store, e: ExprId, loops: &[IterId]) -> bool {
    let nodes = store.post_order(&[e], |_| false);
    let bound = nodes.iter().flat_map(|&e| match store.node(e) {
        Node::Comprehension(_, iterators) | Node::Reduce(_, _, iterators) => &iterators[..],
        _ => &[],
    });
    let bound: Vec<IterId> = bound.map(|(iterator, _)| *iterator).collect();
    nodes.iter().all(|&e| match store.node(e) {
        Node::Iter(iterator) => bound.contains(iterator) || loops.contains(iterator),
        _ => true,
    })
}
