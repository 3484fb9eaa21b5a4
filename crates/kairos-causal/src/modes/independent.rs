//! Equations taken one after the other, as long as each says something about the unknowns that the others do not.

use super::regular::{LARGEST, ZERO, slope};
use crate::model::Role;
use crate::work::{Row, Work};
use kairos_expr::VarId;

/// The equations taken so far, reduced so that each has a column of its own. Only equations whose factors are known count:
/// of others nobody can say that they repeat something.
pub(super) struct Independent {
    by_parameters: bool,
    reduced: Vec<(usize, Vec<f64>)>,
}

impl Independent {
    pub fn new(by_parameters: bool) -> Self {
        Self { by_parameters, reduced: Vec::new() }
    }

    /// Takes an equation for the variables that it may determine; false if the others determine the same of them.
    pub fn take(&mut self, work: &mut Work, row: &Row, may: &[bool]) -> bool {
        if self.reduced.len() >= LARGEST {
            return true;
        }
        let mut factors = vec![0.0; work.vars.len()];
        let roles = &work.roles;
        let unknown = |v: &VarId| may.get(v.index()) == Some(&true) && roles[v.index()] == Role::Algebraic;
        let list: Vec<VarId> =
            work.store.variables(&[row.lhs, row.rhs]).into_iter().filter(unknown).collect();
        for v in list {
            let (factor, known) = slope(work, row, v, self.by_parameters);
            if !known {
                return true;
            }
            factors[v.index()] = factor;
        }
        let mut terms: Vec<f64> = factors.iter().map(|x| x.abs()).collect();
        for (pivot, other) in &self.reduced {
            let factor = factors[*pivot] / other[*pivot];
            if factor == 0.0 {
                continue;
            }
            for ((x, term), y) in factors.iter_mut().zip(&mut terms).zip(other) {
                *term = term.max((factor * y).abs());
                *x -= factor * y;
                if x.abs() <= ZERO * *term {
                    *x = 0.0;
                }
            }
            factors[*pivot] = 0.0;
        }
        let largest = (0..factors.len()).max_by(|&a, &b| factors[a].abs().total_cmp(&factors[b].abs()));
        match largest.filter(|&k| factors[k] != 0.0) {
            Some(pivot) => self.reduced.push((pivot, factors)),
            None => return false,
        }
        true
    }
}
