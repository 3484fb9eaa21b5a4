//! Discrete variables that equal a literal, put where they are used.

use kairos_expr::{ExprId, ExprMap, Node, Scalar, Store, VarId};
use kairos_model::{EquationKind, ScalarModel, Variability};

/// Puts the value of a discrete variable that equals a literal where it is used: `if d then a else pre(a)` does not
/// depend on `a` where `d = false`. The variable and its equation stay.
pub fn fold_literals(model: &mut ScalarModel) {
    let mut known: Vec<Option<ExprId>> = vec![None; model.vars.len()];
    let mut free: Option<Vec<bool>> = None;
    loop {
        let mut found = false;
        for k in 0..model.equations.len() {
            let EquationKind::Equal(l, r) = model.equations[k].kind else { continue };
            let Some((v, value)) = literal(model, l, r) else { continue };
            let discrete = model.vars[v.index()].ty != Scalar::Real;
            let varies = model.vars[v.index()].variability > Variability::Parameter;
            if !discrete || !varies || known[v.index()].is_some() || model.equations[k].clock.is_some() {
                continue;
            }
            let marks = free.get_or_insert_with(|| remembered(model));
            if !marks[v.index()] {
                known[v.index()] = Some(value);
                found = true;
            }
        }
        if !found {
            return;
        }
        let mut memo = ExprMap::default();
        for equation in &mut model.equations {
            let EquationKind::Equal(l, r) = &mut equation.kind else { continue };
            let own = |store: &Store, a: ExprId, b: ExprId| matches!(store.node(a), Node::Var(v) if known[v.index()] == Some(b));
            if own(&model.store, *l, *r) || own(&model.store, *r, *l) {
                continue;
            }
            for side in [&mut *l, &mut *r] {
                *side = model.store.substitute(*side, &mut memo, &mut |_, v| known[v.index()]);
            }
        }
    }
}

/// Variables whose value before an event is asked for, or that decide when something acts.
fn remembered(model: &mut ScalarModel) -> Vec<bool> {
    let mut marks = vec![false; model.vars.len()];
    let (mut roots, mut whole): (Vec<ExprId>, Vec<ExprId>) = Default::default();
    for equation in model.equations.iter_mut().chain(&mut model.initial_equations) {
        let plain = matches!(equation.kind, EquationKind::Equal(..)) && equation.clock.is_none();
        let list = if plain { &mut roots } else { &mut whole };
        equation.visit_exprs_mut(&mut |e| list.push(*e));
    }
    model.initial_equations.iter_mut().for_each(|e| e.visit_exprs_mut(&mut |e| whole.push(*e)));
    model.clocks.iter_mut().for_each(|c| c.visit_exprs_mut(&mut |e| whole.push(*e)));
    for e in model.store.post_order(&roots, |_| false) {
        if let Node::Builtin(_, args) = model.store.node(e) {
            whole.extend(args.iter().copied().filter(|a| matches!(model.store.node(*a), Node::Var(_))));
        }
    }
    for v in model.store.variables(&whole) {
        marks[v.index()] = true;
    }
    marks
}

/// The variable and the literal of `v = literal`.
fn literal(model: &ScalarModel, l: ExprId, r: ExprId) -> Option<(VarId, ExprId)> {
    let is = |e: ExprId| matches!(model.store.node(e), Node::Bool(_) | Node::Int(_) | Node::Enum(..));
    match (model.store.node(l), model.store.node(r)) {
        (&Node::Var(v), _) if is(r) => Some((v, r)),
        (_, &Node::Var(v)) if is(l) => Some((v, l)),
        _ => None,
    }
}
