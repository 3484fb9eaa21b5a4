//! Discrete variables whose values change between events.
//!
//! An Integer from a function of continuous arguments, or a Boolean of `noEvent(x > 0)`, changes at no event: MLS 3.8.4 wants
//! no equation like that, but records that media functions return hold such numbers. Held between events they would be
//! wrong, so they are computed whenever they are read, like Reals. Where an event depends on one, nothing says when it
//! happens; a warning tells of that.

use crate::diagnostics;
use crate::model::{Effect, Role};
use crate::work::{Kind, Work};
use kairos_expr::{Builtin, ExprId, Node, Scalar, VarId};

/// Lets such variables vary, and those that are computed from them. Index reduction is over: it takes all of them for
/// piecewise constant, which they are.
pub fn release(work: &mut Work) {
    let mut acts = vec![false; work.vars.len()];
    for effect in &work.effects {
        if let Effect::When { branches, .. } = effect {
            branches.iter().for_each(|(flag, _)| acts[flag.index()] = true);
        }
    }
    loop {
        let mut found = false;
        for r in 0..work.rows.len() {
            let Some((v, value)) = assigned(work, r) else { continue };
            // Whether something acts is a matter of events, whatever it depends on there.
            let free =
                work.pre[v.index()].is_none() && work.vars[v.index()].clock.is_none() && !acts[v.index()];
            if free && work.varies(value) {
                work.roles[v.index()] = Role::Algebraic;
                work.rows[r].kind = Kind::Continuous;
                work.rows[r].target = Some(v);
                found = true;
            }
        }
        if !found {
            break;
        }
        work.varying.clear();
    }
    for r in 0..work.rows.len() {
        let Some((v, value)) = assigned(work, r) else { continue };
        let Some(before) = work.pre[v.index()] else { continue };
        // What a when-clause sets keeps its value between events.
        let kept = work.store.any(value, |node| *node == Node::Var(before));
        if !kept && work.varies(value) {
            let text = kairos_expr::quote(&work.store, value, work, 30);
            let span = work.rows[r].origin.span;
            work.diagnostics.push(diagnostics::changes_between_events(&text, span));
        }
    }
}

/// The whole number or truth value that a row sets in every event iteration, and to what; `floor` and `ceil` are held
/// by their own events.
fn assigned(work: &Work, r: usize) -> Option<(VarId, ExprId)> {
    let row = &work.rows[r];
    if row.kind != Kind::Discrete || row.initial.is_some() {
        return None;
    }
    let is_whole = |v: VarId| {
        let ty = work.vars[v.index()].ty;
        matches!(ty, Scalar::Int | Scalar::Bool | Scalar::Enum(_)) && work.is_discrete(v)
    };
    let (v, value) = match (work.store.node(row.lhs), work.store.node(row.rhs)) {
        (&Node::Var(v), _) if is_whole(v) => (v, row.rhs),
        (_, &Node::Var(v)) if is_whole(v) => (v, row.lhs),
        _ => return None,
    };
    let held = matches!(work.store.node(value), Node::Builtin(Builtin::Floor | Builtin::Ceil, _));
    (!held).then_some((v, value))
}
