//! Parameters in the order in which they can be evaluated.

use crate::diagnostics;
use crate::model::Role;
use crate::work::Work;
use kairos_expr::{ExprId, VarId};
use kairos_flat::Variability;
use kairos_graph::{Incidence, strongly_connected};

/// A variable and the expression that gives its value.
pub type Bindings = Vec<(VarId, ExprId)>;

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
