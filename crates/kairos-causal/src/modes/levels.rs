//! The equations of one mode with all derivatives that index reduction asks for, level by level.

use crate::diagnostics;
use crate::index::{differentiate, imbalance, structure};
use crate::model::Role;
use crate::work::Work;
use kairos_expr::{ExprMap, VarId};
use kairos_graph::pantelides;

/// Rows of a work by how often they were differentiated, variables by the order of their derivative.
pub(super) struct Levels {
    /// For each equation of the mode its row and the rows of its derivatives.
    pub rows: Vec<Vec<usize>>,
    /// For each variable itself and its derivatives.
    pub chains: Vec<Vec<VarId>>,
}

impl Levels {
    /// The highest derivative of each chain: what the most differentiated equations determine.
    pub fn tops(&self, count: usize) -> Vec<bool> {
        let mut tops = vec![false; count];
        for chain in &self.chains {
            if let Some(top) = chain.last() {
                tops[top.index()] = true;
            }
        }
        tops
    }
}

/// Differentiates the continuous rows as often as needed; `None` after an error.
pub(super) fn level(work: &mut Work) -> Option<Levels> {
    let (mut vars, mut rows, incidence, derivative) = structure(work);
    let reduction = match pantelides(&incidence, &derivative) {
        Ok(reduction) => reduction,
        Err(singular) => {
            let part = imbalance(
                work,
                singular.rows.iter().map(|&r| rows[r as usize]),
                singular.columns.iter().map(|&c| vars[c as usize]),
            );
            work.diagnostics.push(diagnostics::over_determined(&part));
            return None;
        }
    };
    let originals = (vars.len(), rows.len());
    vars.resize(reduction.variable_derivative.len().max(vars.len()), VarId(u32::MAX));
    for v in 0..reduction.variable_derivative.len() {
        if let Some(d) = reduction.variable_derivative[v] {
            vars[d as usize] = work.der_var(vars[v]);
        }
    }
    let known = work.vars.len();
    let mut memo = ExprMap::default();
    rows.resize(reduction.equation_derivative.len().max(rows.len()), usize::MAX);
    for e in 0..reduction.equation_derivative.len() {
        if let Some(d) = reduction.equation_derivative[e] {
            let row = differentiate(work, rows[e], &mut memo)?;
            rows[d as usize] = work.rows.len();
            work.rows.push(row);
        }
    }
    // A derivative that an annotation left out is read by nobody.
    for v in known..work.vars.len() {
        work.roles[v] = Role::Discrete;
    }
    let follow = |first: usize, next: &[Option<u32>]| {
        let (mut list, mut here) = (vec![first], first);
        while let Some(d) = next.get(here).copied().flatten() {
            here = d as usize;
            list.push(here);
        }
        list
    };
    let mut is_derivative = vec![false; vars.len()];
    reduction.variable_derivative.iter().flatten().for_each(|&d| is_derivative[d as usize] = true);
    let chains = (0..originals.0).filter(|&v| !is_derivative[v]);
    Some(Levels {
        rows: (0..originals.1)
            .map(|e| follow(e, &reduction.equation_derivative).into_iter().map(|e| rows[e]).collect())
            .collect(),
        chains: chains
            .map(|v| follow(v, &reduction.variable_derivative).into_iter().map(|v| vars[v]).collect())
            .collect(),
    })
}
