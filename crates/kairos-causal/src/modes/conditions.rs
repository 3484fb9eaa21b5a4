//! Structural conditions: those whose branches speak of different unknowns.

use crate::model::Role;
use crate::work::{Kind, Row, Work};
use kairos_expr::{ExprId, ExprMap, Node, Scalar, Store, UnOp, VarId};
use kairos_model::Origin;
use serde::{Deserialize, Serialize};

/// A condition that decides which unknowns an equation can be solved for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Condition {
    /// The discrete variable that holds its value.
    pub var: VarId,
    pub text: String,
    /// The first equation it stands in.
    pub origin: Origin,
}

/// A condition as it was found: without negations around it.
pub(super) struct Found {
    pub expr: ExprId,
    pub origin: Origin,
}

/// The structural conditions of the continuous rows, and for each row those in it.
pub(super) fn find(work: &mut Work) -> (Vec<Found>, Vec<Vec<usize>>) {
    let mut found: Vec<Found> = Vec::new();
    let mut known: ExprMap<Option<usize>> = ExprMap::default();
    let mut of_row = vec![Vec::new(); work.rows.len()];
    let outputs = outputs(work);
    for r in 0..work.rows.len() {
        let row = work.rows[r].clone();
        if row.kind != Kind::Continuous || outputs[r] {
            continue;
        }
        // A choice that contains a structural one is structural itself: it decides whether the other matters.
        let order = work.store.post_order(&[row.lhs, row.rhs], |_| false);
        if !order.iter().any(|&e| matches!(work.store.node(e), Node::If(..))) {
            continue;
        }
        let mut inside: ExprMap<bool> = ExprMap::default();
        for e in order {
            let mut below = false;
            work.store.children(e, |c| below |= inside.get(&c).copied().unwrap_or(false));
            let Node::If(c, a, b) = *work.store.node(e) else {
                inside.insert(e, below);
                continue;
            };
            let structural = is_structural(work, c, a, b, below);
            inside.insert(e, below || structural);
            if !structural {
                continue;
            }
            let c = bare(&work.store, c).0;
            let at = *known.or_insert_with(c, || {
                found.push(Found { expr: c, origin: row.origin });
                Some(found.len() - 1)
            });
            if let Some(at) = at
                && !of_row[r].contains(&at)
            {
                of_row[r].push(at);
            }
        }
    }
    (found, of_row)
}

/// Rows that give a value to a variable that no other equation needs, or only such ones: whatever they choose, the
/// structure of the rest is the same.
fn outputs(work: &Work) -> Vec<bool> {
    let mut is_output = vec![false; work.rows.len()];
    let mut used: Vec<Vec<VarId>> = vec![Vec::new(); work.rows.len()];
    let mut readers: Vec<Vec<usize>> = vec![Vec::new(); work.vars.len()];
    let continuous = |r: &usize| work.rows[*r].kind == Kind::Continuous;
    for r in (0..work.rows.len()).filter(continuous) {
        used[r] = work.store.variables(&[work.rows[r].lhs, work.rows[r].rhs]);
        used[r].iter().for_each(|v| readers[v.index()].push(r));
    }
    let mut derivative = vec![false; work.vars.len()];
    work.der.iter().flatten().for_each(|d| derivative[d.index()] = true);
    let mut count: Vec<usize> = readers.iter().map(Vec::len).collect();
    let mut todo: Vec<VarId> =
        (0..work.vars.len()).map(VarId::new).filter(|v| count[v.index()] == 1).collect();
    while let Some(v) = todo.pop() {
        let plain = work.roles[v.index()] == Role::Algebraic
            && work.der[v.index()].is_none()
            && !derivative[v.index()]
            && work.vars[v.index()].fixed != Some(true)
            && !work.initial_targets.contains(&v);
        let Some(&r) = readers[v.index()].iter().find(|&&r| !is_output[r]) else { continue };
        let row = &work.rows[r];
        let given = |e: ExprId, other: ExprId| {
            *work.store.node(e) == Node::Var(v) && !work.store.any(other, |node| *node == Node::Var(v))
        };
        if !plain || !(given(row.lhs, row.rhs) || given(row.rhs, row.lhs)) {
            continue;
        }
        is_output[r] = true;
        for &u in &used[r] {
            count[u.index()] -= 1;
            if count[u.index()] == 1 {
                todo.push(u);
            }
        }
    }
    is_output
}

/// The condition inside of negations, and whether they invert it.
fn bare(store: &Store, mut c: ExprId) -> (ExprId, bool) {
    let mut inverted = false;
    while let Node::Unary(UnOp::Not, inner) = *store.node(c) {
        (c, inverted) = (inner, !inverted);
    }
    (c, inverted)
}

fn is_structural(work: &mut Work, c: ExprId, a: ExprId, b: ExprId, below: bool) -> bool {
    if matches!(work.store.node(c), Node::Bool(_)) || work.varies(c) {
        return false;
    }
    let only_parameters = work.store.post_order(&[c], |_| false).into_iter().all(|e| {
        !matches!(work.store.node(e), Node::Relation(_))
            && !matches!(work.store.node(e), Node::Var(v) if work.roles[v.index()] != Role::Parameter)
    });
    if only_parameters {
        return false;
    }
    let unknowns = |e: ExprId| {
        let mut list = work.store.variables(&[e]);
        list.retain(|v| work.roles[v.index()] == Role::Algebraic);
        list.sort_unstable();
        list
    };
    below || unknowns(a) != unknowns(b)
}

/// Gives every condition a variable, and writes rows in terms of these variables.
pub(super) fn name(work: &mut Work, found: &[Found], of_row: &[Vec<usize>]) -> Vec<Condition> {
    let mut conditions = Vec::new();
    for one in found {
        work.here = one.origin;
        let text = work.text(one.expr);
        let var = match *work.store.node(one.expr) {
            Node::Var(v) if work.is_discrete(v) => v,
            _ => {
                let var = work.new_var(&text, Scalar::Bool, Role::Helper);
                work.define(var, one.expr);
                var
            }
        };
        conditions.push(Condition { var, text, origin: one.origin });
    }
    let mut memo = ExprMap::default();
    let vars: Vec<ExprId> = conditions.iter().map(|c| work.var_expr(c.var)).collect();
    for (r, list) in of_row.iter().enumerate() {
        if list.is_empty() {
            continue;
        }
        for side in 0..2 {
            let old = if side == 0 { work.rows[r].lhs } else { work.rows[r].rhs };
            let new = work.store.rewrite(old, &mut memo, &mut |store, e| match *store.node(e) {
                Node::If(c, a, b) => {
                    let (inner, inverted) = bare(store, c);
                    match found.iter().position(|f| f.expr == inner) {
                        Some(k) if inverted => store.if_else(vars[k], b, a),
                        Some(k) => store.if_else(vars[k], a, b),
                        None => e,
                    }
                }
                _ => e,
            });
            *(if side == 0 { &mut work.rows[r].lhs } else { &mut work.rows[r].rhs }) = new;
        }
    }
    conditions
}

/// Relations that rows read directly get a variable each, so that the rows can be evaluated apart from them.
pub(super) fn name_relations(work: &mut Work, rows: &[usize]) {
    let mut vars: std::collections::BTreeMap<kairos_expr::RelationId, ExprId> = Default::default();
    let mut memo = ExprMap::default();
    for &r in rows {
        let row = work.rows[r].clone();
        for e in work.store.post_order(&[row.lhs, row.rhs], |_| false) {
            if let Node::Relation(relation) = *work.store.node(e)
                && !vars.contains_key(&relation)
            {
                work.here = row.origin;
                let text = work.text(e);
                let var = work.new_var(&text, Scalar::Bool, Role::Helper);
                work.define(var, e);
                let expr = work.var_expr(var);
                vars.insert(relation, expr);
            }
        }
        let mut replace = |work: &mut Work, e: ExprId| {
            work.store.rewrite(e, &mut memo, &mut |store, e| match *store.node(e) {
                Node::Relation(relation) => vars.get(&relation).copied().unwrap_or(e),
                _ => e,
            })
        };
        let (lhs, rhs) = (replace(work, row.lhs), replace(work, row.rhs));
        (work.rows[r].lhs, work.rows[r].rhs) = (lhs, rhs);
    }
}

/// Rows with branches chosen: `value` tells what each variable of a condition is.
pub(super) fn fix(store: &mut Store, rows: &mut [Row], value: impl Fn(VarId) -> Option<bool>) {
    let mut memo = ExprMap::default();
    let mut choose = |e: ExprId| {
        store.rewrite(e, &mut memo, &mut |store, e| match *store.node(e) {
            Node::If(c, a, b) => match *store.node(c) {
                Node::Var(v) => match value(v) {
                    Some(true) => a,
                    Some(false) => b,
                    None => store.simplify_node(e),
                },
                _ => store.simplify_node(e),
            },
            _ => store.simplify_node(e),
        })
    };
    for row in rows {
        (row.lhs, row.rhs) = (choose(row.lhs), choose(row.rhs));
        row.initial = row.initial.map(|(lhs, rhs)| (choose(lhs), choose(rhs)));
    }
}
