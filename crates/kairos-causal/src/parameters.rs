//! Parameters in the order in which they can be evaluated.

use crate::diagnostics;
use crate::model::Role;
use crate::work::{Kind, Work};
use kairos_expr::{Builtin, ExprId, Node, VarId};
use kairos_graph::{Incidence, strongly_connected};
use kairos_model::Variability;
use std::collections::BTreeMap;

/// A variable and the expression that gives its value.
pub type Bindings = Vec<(VarId, ExprId)>;

/// Variables whose equation contains parameters only are parameters themselves, evaluated once.
pub fn fold(work: &mut Work) {
    let mut derivative = vec![false; work.vars.len()];
    work.der.iter().flatten().for_each(|d| derivative[d.index()] = true);
    let plain = |work: &Work, v: VarId| !derivative[v.index()] && work.is_plain(v);
    // Which rows wait for a variable; a row is looked at again when one of its variables has become a parameter.
    let mut waiting: BTreeMap<VarId, Vec<usize>> = BTreeMap::new();
    let mut ready: Vec<usize> = Vec::new();
    let mut open: Vec<Option<(VarId, ExprId, usize)>> = vec![None; work.rows.len()];
    for (r, row) in work.rows.iter().enumerate() {
        if row.initial.is_some() || matches!(row.kind, Kind::Relation(_) | Kind::Clocked(_)) {
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

impl Work {
    /// Does nothing but an equation give the variable its value?
    pub fn is_plain(&self, v: VarId) -> bool {
        matches!(self.roles[v.index()], Role::Algebraic | Role::Discrete)
            && self.der[v.index()].is_none()
            && self.pre[v.index()].is_none()
            && self.vars[v.index()].fixed != Some(true)
            && !self.initial_targets.contains(&v)
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
