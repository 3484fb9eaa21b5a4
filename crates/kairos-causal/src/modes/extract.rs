//! A part of a system as a system of its own, with its own numbers for variables.

use crate::model::{Relation, Role};
use crate::parameters::Bindings;
use crate::work::{Row, Work};
use kairos_expr::{ExprId, ExprMap, VarId};
use serde::{Deserialize, Serialize};

/// Rows of a larger system with everything they speak of.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Extract {
    pub work: Work,
    pub parameters: Bindings,
    /// The number in the larger system of each variable.
    pub outer: Vec<VarId>,
    /// Relations that the rows' unknowns decide.
    pub relations: Vec<Relation>,
}

/// Copies the given rows and relations; `unknown` tells the variables that the rows determine, everything else is known
/// to them.
pub(super) fn extract(
    work: &Work,
    parameters: &Bindings,
    rows: &[usize],
    relations: &[usize],
    unknown: &[bool],
) -> Extract {
    let mut used = vec![false; work.vars.len()];
    let mut stack: Vec<ExprId> = rows.iter().flat_map(|&r| [work.rows[r].lhs, work.rows[r].rhs]).collect();
    stack.extend(relations.iter().flat_map(|&r| [work.relations[r].lhs, work.relations[r].rhs]));
    // With a variable comes what its attributes read; with a parameter, its binding. A variable that only a
    // derivative of it represents in the rows is there all the same.
    let mut seen: ExprMap<()> = ExprMap::default();
    let mut roots = stack.clone();
    let mut waiting: Vec<VarId> = (0..work.vars.len()).filter(|&v| unknown[v]).map(VarId::new).collect();
    loop {
        while let Some(v) = waiting.pop() {
            if std::mem::replace(&mut used[v.index()], true) {
                continue;
            }
            let var = &work.vars[v.index()];
            let parameter = work.roles[v.index()] == Role::Parameter;
            let mut reads: Vec<ExprId> = var.nominal.into_iter().collect();
            reads.extend(var.start.filter(|_| unknown[v.index()] || parameter && var.binding.is_none()));
            reads.extend(var.binding.filter(|_| parameter));
            roots.extend(&reads);
            stack.extend(reads);
        }
        let Some(e) = stack.pop() else { break };
        if seen.insert(e, ()).is_none() {
            waiting.extend(work.store.variables(&[e]));
        }
    }
    let outer: Vec<VarId> = (0..work.vars.len()).filter(|&v| used[v]).map(VarId::new).collect();
    let mut inner = vec![VarId(u32::MAX); work.vars.len()];
    outer.iter().enumerate().for_each(|(at, v)| inner[v.index()] = VarId::new(at));
    let parameters: Vec<_> = parameters.iter().filter(|(v, _)| used[v.index()]).copied().collect();
    roots.extend(parameters.iter().map(|(_, e)| *e));
    let (store, moved) = work.store.extract(&roots, |v| inner.get(v.index()).copied().unwrap_or(v));
    let at = |e: ExprId| moved.at(e);
    let mut part = Work::bare(store, work.here);
    for &v in &outer {
        let mut var = work.vars[v.index()].clone();
        let parameter = work.roles[v.index()] == Role::Parameter;
        var.start = var.start.filter(|_| unknown[v.index()] || parameter && var.binding.is_none()).map(at);
        var.binding = var.binding.filter(|_| parameter).map(at);
        var.nominal = var.nominal.map(at);
        (var.min, var.max) = (None, None);
        part.vars.push(var);
        part.roles.push(match work.roles[v.index()] {
            _ if unknown[v.index()] => Role::Algebraic,
            Role::Parameter => Role::Parameter,
            Role::Input => Role::Input,
            // Known from outside, and constant while the system runs.
            _ => Role::FreeParameter,
        });
        part.pre.push(None);
        let der = work.der[v.index()].filter(|d| unknown[v.index()] && used[d.index()]);
        part.der.push(der.map(|d| inner[d.index()]));
    }
    part.rows = rows
        .iter()
        .map(|&r| {
            let row = &work.rows[r];
            Row { lhs: at(row.lhs), rhs: at(row.rhs), initial: None, target: None, ..row.clone() }
        })
        .collect();
    let relations = relations
        .iter()
        .map(|&r| {
            let relation = &work.relations[r];
            Relation { lhs: at(relation.lhs), rhs: at(relation.rhs), ..relation.clone() }
        })
        .collect();
    part.declared = outer.iter().filter(|v| v.index() < work.declared).count();
    part.add_flags();
    let parameters = parameters.into_iter().map(|(v, e)| (inner[v.index()], at(e))).collect();
    Extract { work: part, parameters, outer, relations }
}
