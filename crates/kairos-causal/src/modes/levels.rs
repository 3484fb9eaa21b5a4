//! The equations of one mode with all derivatives that index reduction asks for, level by level.

use crate::index::differentiate;
use crate::work::Work;
use kairos_expr::VarId;

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
    let (vars, rows) = (work.vars.len(), work.rows.len());
    let (system, reduction) = differentiate(work)?;
    let follow = |first: usize, next: &[Option<u32>]| {
        let (mut list, mut here) = (vec![first], first);
        while let Some(d) = next.get(here).copied().flatten() {
            here = d as usize;
            list.push(here);
        }
        list
    };
    let mut is_derivative = vec![false; system.vars.len()];
    reduction.variable_derivative.iter().flatten().for_each(|&d| is_derivative[d as usize] = true);
    let original = |v: &usize| !is_derivative[*v] && system.vars[*v].index() < vars;
    let chains = (0..system.vars.len()).filter(original);
    let equations = (0..system.rows.len()).filter(|&e| system.rows[e] < rows);
    Some(Levels {
        rows: equations
            .map(|e| follow(e, &reduction.equation_derivative).into_iter().map(|e| system.rows[e]).collect())
            .collect(),
        chains: chains
            .map(|v| follow(v, &reduction.variable_derivative).into_iter().map(|v| system.vars[v]).collect())
            .collect(),
    })
}
