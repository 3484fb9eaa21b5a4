//! Factors that are zero: they take unknowns out of equations, so the structure depends on them.

use crate::model::{Effect, Role};
use crate::work::{Kind, Work};
use kairos_expr::{BinOp, Builtin, ExprId, ExprMap, Node, VarId};
use kairos_model::Action;
use std::collections::BTreeSet;

/// Removes products of an unknown with a parameter that is zero; such a parameter is structural from then on.
pub fn drop_zeros(work: &mut Work) -> bool {
    let mut constant: ExprMap<bool> = ExprMap::default();
    let mut memo = ExprMap::default();
    let mut zeros: BTreeSet<VarId> = BTreeSet::new();
    let mut changed = false;
    for r in 0..work.rows.len() {
        if matches!(work.rows[r].kind, Kind::Relation(_)) {
            continue;
        }
        for side in 0..2 {
            let old = if side == 0 { work.rows[r].lhs } else { work.rows[r].rhs };
            let new = without_zeros(work, old, &mut memo, &mut constant, &mut zeros);
            changed |= new != old;
            *(if side == 0 { &mut work.rows[r].lhs } else { &mut work.rows[r].rhs }) = new;
            if let Some((lhs, rhs)) = work.rows[r].initial {
                let old = if side == 0 { lhs } else { rhs };
                let new = without_zeros(work, old, &mut memo, &mut constant, &mut zeros);
                let pair = if side == 0 { (new, rhs) } else { (lhs, new) };
                work.rows[r].initial = Some(pair);
            }
        }
    }
    work.freeze(zeros);
    changed
}

impl Work {
    /// Makes parameters structural, and those that they are computed from.
    pub fn freeze(&mut self, parameters: impl IntoIterator<Item = VarId>) {
        let mut stack: Vec<VarId> = parameters.into_iter().collect();
        while let Some(v) = stack.pop() {
            let var = &mut self.vars[v.index()];
            if !std::mem::replace(&mut var.structural, true)
                && let Some(binding) = var.binding
            {
                stack.extend(self.store.variables(&[binding]));
            }
        }
    }
}

fn without_zeros(
    work: &mut Work,
    root: ExprId,
    memo: &mut ExprMap<ExprId>,
    constant: &mut ExprMap<bool>,
    zeros: &mut BTreeSet<VarId>,
) -> ExprId {
    for e in work.store.post_order(&[root], |e| memo.contains_key(&e)) {
        let fixed = match work.store.node(e) {
            Node::Var(v) => work.roles[v.index()] == Role::Parameter,
            Node::Time | Node::Relation(_) => false,
            Node::Builtin(Builtin::Delay | Builtin::SpatialDistribution, _) => false,
            _ => {
                let mut all = true;
                work.store.children(e, |c| all &= constant.get(&c).copied().unwrap_or(false));
                all
            }
        };
        constant.insert(e, fixed);
        let mut new = work.store.map_children(e, |_, c| memo.get(&c).copied().unwrap_or(c));
        if let Node::Binary(BinOp::Mul, a, b) = *work.store.node(e)
            && work.store.ty(a).is_scalar()
            && work.store.ty(b).is_scalar()
        {
            let is = |x: ExprId| constant.get(&x).copied().unwrap_or(false);
            let factor = match (is(a), is(b)) {
                (true, false) => Some(a),
                (false, true) => Some(b),
                _ => None,
            };
            if let Some(factor) = factor
                && work.store.number(factor).is_none()
                && work.parameter_value(factor) == Some(0.0)
            {
                zeros.extend(work.store.variables(&[factor]));
                new = work.store.zero();
            }
        }
        let new = work.store.simplify_node(new);
        memo.insert(e, new);
    }
    memo.get(&root).copied().unwrap_or(root)
}

/// Derivatives that occur nowhere any more are no unknowns.
pub fn drop_derivatives(work: &mut Work) {
    let mut roots = Vec::new();
    for row in work.rows.iter().chain(&work.initial_rows) {
        roots.extend([row.lhs, row.rhs]);
        roots.extend(row.initial.into_iter().flat_map(|(lhs, rhs)| [lhs, rhs]));
    }
    for relation in &work.relations {
        roots.extend([relation.lhs, relation.rhs]);
    }
    for effect in &work.effects {
        match effect {
            Effect::Assert { condition, .. } => roots.push(*condition),
            Effect::Call(e, _) => roots.push(*e),
            Effect::When { branches, .. } => {
                for action in branches.iter().flat_map(|(_, actions)| actions) {
                    match action {
                        Action::Reinit(_, e) | Action::Call(e) => roots.push(*e),
                        Action::Assert { condition, .. } => roots.push(*condition),
                        Action::Terminate(condition, _) => roots.push(*condition),
                    }
                }
            }
        }
    }
    let mut used = vec![false; work.vars.len()];
    work.store.variables(&roots).into_iter().for_each(|v| used[v.index()] = true);
    let zero = work.store.zero();
    for v in 0..work.vars.len() {
        if let Some(d) = work.der[v]
            && !used[d.index()]
            && d.index() >= work.declared
            && work.der[d.index()].is_none()
        {
            work.der[v] = None;
            work.roles[d.index()] = Role::Parameter;
            work.vars[d.index()].binding = Some(zero);
        }
    }
}
