//! Parameters in the order in which they can be evaluated.

use crate::diagnostics;
use crate::model::{Effect, Role};
use crate::work::{Kind, Work};
use kairos_expr::{BinOp, Builtin, ExprId, ExprMap, Node, VarId};
use kairos_flat::{Action, Variability};
use kairos_graph::{Incidence, strongly_connected};
use std::collections::{BTreeMap, BTreeSet};

/// A variable and the expression that gives its value.
pub type Bindings = Vec<(VarId, ExprId)>;

/// Variables whose equation contains parameters only are parameters themselves, evaluated once.
pub fn fold(work: &mut Work) {
    let mut derivative = vec![false; work.vars.len()];
    work.der.iter().flatten().for_each(|d| derivative[d.index()] = true);
    let plain = |work: &Work, v: VarId| {
        !derivative[v.index()]
            && matches!(work.roles[v.index()], Role::Algebraic | Role::Discrete)
            && work.der[v.index()].is_none()
            && work.pre[v.index()].is_none()
            && work.vars[v.index()].fixed != Some(true)
            && !work.initial_targets.contains(&v)
    };
    // Which rows wait for a variable; a row is looked at again when one of its variables has become a parameter.
    let mut waiting: BTreeMap<VarId, Vec<usize>> = BTreeMap::new();
    let mut ready: Vec<usize> = Vec::new();
    let mut open: Vec<Option<(VarId, ExprId, usize)>> = vec![None; work.rows.len()];
    for r in 0..work.rows.len() {
        let row = &work.rows[r];
        if row.initial.is_some() || matches!(row.kind, Kind::Relation(_)) {
            continue;
        }
        let (v, value) = match (work.store.node(row.lhs), work.store.node(row.rhs)) {
            (Node::Var(v), _) if plain(work, *v) => (*v, row.rhs),
            (_, Node::Var(v)) if plain(work, *v) => (*v, row.lhs),
            _ => continue,
        };
        let mut missing = 0;
        let order = work.store.post_order(&[value], |_| false);
        let fixed = order.iter().all(|&e| match work.store.node(e) {
            Node::Time | Node::Relation(_) => false,
            Node::Call(f, _) => work.store.function(*f).pure,
            Node::Builtin(Builtin::Delay | Builtin::SpatialDistribution, _) => false,
            Node::Var(u) => plain(work, *u) && *u != v || work.roles[u.index()] == Role::Parameter,
            _ => true,
        });
        if !fixed {
            continue;
        }
        for u in work.store.variables(&[value]) {
            if work.roles[u.index()] != Role::Parameter {
                waiting.entry(u).or_default().push(r);
                missing += 1;
            }
        }
        open[r] = Some((v, value, missing));
        if missing == 0 {
            ready.push(r);
        }
    }
    let mut gone = vec![false; work.rows.len()];
    while let Some(r) = ready.pop() {
        let Some((v, value, _)) = open[r] else { continue };
        if work.roles[v.index()] == Role::Parameter {
            continue;
        }
        work.roles[v.index()] = Role::Parameter;
        work.vars[v.index()].binding = Some(value);
        work.vars[v.index()].structural = true;
        gone[r] = true;
        for next in waiting.remove(&v).unwrap_or_default() {
            if let Some((_, _, missing)) = &mut open[next] {
                *missing -= 1;
                if *missing == 0 {
                    ready.push(next);
                }
            }
        }
    }
    let mut gone = gone.into_iter();
    work.rows.retain(|_| !gone.next().unwrap_or(false));
    work.varying.clear();
}

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
    let mut stack: Vec<VarId> = zeros.into_iter().collect();
    while let Some(v) = stack.pop() {
        let var = &mut work.vars[v.index()];
        if !std::mem::replace(&mut var.structural, true)
            && let Some(binding) = var.binding
        {
            stack.extend(work.store.variables(&[binding]));
        }
    }
    changed
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
    let mut used = vec![false; work.vars.len()];
    let mut mark = |store: &kairos_expr::Store, roots: &[ExprId]| {
        store.variables(roots).into_iter().for_each(|v| used[v.index()] = true);
    };
    for row in work.rows.iter().chain(&work.initial_rows) {
        mark(&work.store, &[row.lhs, row.rhs]);
        if let Some((lhs, rhs)) = row.initial {
            mark(&work.store, &[lhs, rhs]);
        }
    }
    for relation in &work.relations {
        mark(&work.store, &[relation.lhs, relation.rhs]);
    }
    for effect in &work.effects {
        match effect {
            Effect::Assert { condition, .. } => mark(&work.store, &[*condition]),
            Effect::Call(e, _) => mark(&work.store, &[*e]),
            Effect::When { branches, .. } => {
                for action in branches.iter().flat_map(|(_, actions)| actions) {
                    match action {
                        Action::Reinit(_, e) | Action::Call(e) => mark(&work.store, &[*e]),
                        Action::Assert { condition, .. } => mark(&work.store, &[*condition]),
                        Action::Terminate(_) => {}
                    }
                }
            }
        }
    }
    let zero = work.store.zero();
    for v in 0..work.vars.len() {
        if let Some(d) = work.der[v]
            && !used[d.index()]
            && work.der[d.index()].is_none()
        {
            work.der[v] = None;
            work.roles[d.index()] = Role::Parameter;
            work.vars[d.index()].binding = Some(zero);
        }
    }
}

/// Bindings in order; those that depend on a parameter of the initial system come second and join that system.
pub fn sort(work: &mut Work) -> Option<(Bindings, Bindings)> {
    let vars: Vec<VarId> =
        (0..work.vars.len()).map(VarId::new).filter(|v| work.roles[v.index()] == Role::Parameter).collect();
    let mut position = vec![u32::MAX; work.vars.len()];
    vars.iter().enumerate().for_each(|(at, v)| position[v.index()] = at as u32);
    let mut graph = Incidence::new(vars.len());
    let mut bindings = Vec::with_capacity(vars.len());
    let mut free = vec![false; vars.len()];
    for (at, &v) in vars.iter().enumerate() {
        let var = &work.vars[v.index()];
        let (name, span, variability) = (var.name.clone(), var.span, var.variability);
        let binding = match var.binding.or(var.start) {
            Some(e) => e,
            None => {
                if variability == Variability::Parameter {
                    work.diagnostics.push(diagnostics::parameter_without_value(&name, span));
                }
                work.start_expr(v)
            }
        };
        let used = work.store.variables(&[binding]);
        free[at] = used.iter().any(|u| work.roles[u.index()] == Role::FreeParameter);
        let row: Vec<u32> = used.iter().map(|u| position[u.index()]).filter(|&p| p != u32::MAX).collect();
        graph.push_row(&row);
        bindings.push(binding);
    }
    let (mut plain, mut dependent) = (Vec::new(), Vec::new());
    for block in strongly_connected(&graph).iter() {
        let itself = |at: u32| graph.row(at).contains(&at);
        if block.len() > 1 || itself(block[0]) {
            let names: Vec<String> =
                block.iter().map(|&at| work.vars[vars[at as usize].index()].name.clone()).collect();
            let span = work.vars[vars[block[0] as usize].index()].span;
            work.diagnostics.push(diagnostics::parameter_cycle(&names, span));
            return None;
        }
        let at = block[0] as usize;
        free[at] |= graph.row(at as u32).iter().any(|&used| free[used as usize]);
        match free[at] {
            true => dependent.push((vars[at], bindings[at])),
            false => plain.push((vars[at], bindings[at])),
        }
    }
    for &(v, _) in &dependent {
        work.roles[v.index()] = Role::FreeParameter;
    }
    Some((plain, dependent))
}
