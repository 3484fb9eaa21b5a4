//! Equations that depend on each other for the values of the parameters, although their structure does not show it.

use super::levels::level;
use crate::model::Role;
use crate::work::{Row, Work};
use kairos_expr::{ExprId, ExprMap, Node, VarId};

/// Systems larger than this are not examined: the examination is dense.
pub(super) const LARGEST: usize = 120;
/// What is this small beside the terms of its sum is zero.
pub(super) const ZERO: f64 = 1e-11;

/// Replaces rows whose highest derivatives cancel by the combination in which they do, until none is left. Unless the mode
/// is built for the values of its parameters, only literal factors count.
pub(super) fn regularise(work: &mut Work, by_parameters: bool) {
    for _ in 0..work.rows.len() {
        let Some((row, combination)) = dependency(work, by_parameters) else { return };
        let (lhs, rhs) = (work.store.zero(), combine(work, &combination));
        let old = work.rows[row].clone();
        work.rows[row] = Row { lhs, rhs, ..old };
    }
}

/// Is there a constraint between differentiated variables that the structure does not show? Equations that merely repeat
/// each other are none.
pub(super) fn hides_constraint(work: &mut Work) -> bool {
    let Some((_, combination)) = dependency(work, true) else { return false };
    let sum = combine(work, &combination);
    work.store.variables(&[sum]).iter().any(|v| work.der[v.index()].is_some())
}

/// What is left of the rows where their highest derivatives cancel.
fn combine(work: &mut Work, combination: &Combination) -> ExprId {
    let zero = work.store.zero();
    let (mut sum, mut memo) = (zero, ExprMap::default());
    for &(r, factor) in &combination.rows {
        let residual = work.store.minus(work.rows[r].lhs, work.rows[r].rhs);
        let rest = work.store.substitute(residual, &mut memo, &mut |_, v| {
            combination.tops.get(v.index()).copied().unwrap_or(false).then_some(zero)
        });
        let factor = work.store.real(factor);
        let term = work.store.times(factor, rest);
        sum = work.store.plus(sum, term);
    }
    sum
}

/// Rows with factors that make their highest derivatives cancel.
struct Combination {
    rows: Vec<(usize, f64)>,
    tops: Vec<bool>,
}

/// A combination of undifferentiated rows without highest derivatives, and the row it can replace.
fn dependency(work: &mut Work, by_parameters: bool) -> Option<(usize, Combination)> {
    if work.rows.len() > LARGEST {
        return None;
    }
    let mut trial = work.clone();
    let levels = level(&mut trial)?;
    let tops = levels.tops(work.vars.len());
    let columns: Vec<VarId> = levels.chains.iter().filter_map(|chain| chain.last().copied()).collect();
    let n = columns.len();
    if n != levels.rows.len() {
        return None;
    }
    let mut matrix = vec![vec![0.0; n]; n];
    let mut constant = vec![true; n];
    for (i, list) in levels.rows.iter().enumerate() {
        let row = trial.rows[*list.last()?].clone();
        for v in trial.store.variables(&[row.lhs, row.rhs]) {
            if let Some(j) = columns.iter().position(|&c| c == v) {
                let (value, fixed) = slope(&mut trial, &row, v, by_parameters);
                matrix[i][j] = value;
                constant[i] &= fixed && list.len() == 1;
            }
        }
    }
    let null = left_null(matrix)?;
    let size = null.iter().fold(0.0f64, |m, x| m.max(x.abs()));
    let mut rows = Vec::new();
    for (i, &x) in null.iter().enumerate() {
        if x.abs() > ZERO * size {
            if !constant[i] {
                return None;
            }
            rows.push((levels.rows[i][0], x / size));
        }
    }
    let (row, _) = *rows.iter().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))?;
    Some((row, Combination { rows, tops }))
}

/// The factor of a variable in a row; is it a number, or, if that is wanted, one of parameters alone?
pub(super) fn slope(work: &mut Work, row: &Row, v: VarId, by_parameters: bool) -> (f64, bool) {
    let leaf = Node::Var(v);
    let (Some(l), Some(r)) = (work.store.affine(row.lhs, &leaf), work.store.affine(row.rhs, &leaf)) else {
        return (1.0, false);
    };
    let zero = work.store.zero();
    let slope = work.store.minus(l.slope.unwrap_or(zero), r.slope.unwrap_or(zero));
    match work.parameter_value(slope) {
        Some(value) => (value, by_parameters || work.store.number(slope).is_some()),
        None => (work.sample(slope, &mut ExprMap::default()), false),
    }
}

/// A vector that the matrix maps to zero from the left; `None` if it is regular. What is left of a difference counts as
/// zero beside the terms it came from, not beside other entries: equations have different units.
fn left_null(mut a: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let n = a.len();
    let largest = |row: &[f64]| row.iter().fold(0.0f64, |m, x| m.max(x.abs()));
    let scale: Vec<f64> = a.iter().map(|row| largest(row).max(f64::MIN_POSITIVE)).collect();
    let mut terms: Vec<Vec<f64>> = a.iter().map(|row| row.iter().map(|x| x.abs()).collect()).collect();
    let mut record: Vec<Vec<f64>> =
        (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    let mut used = vec![false; n];
    for _ in 0..n {
        let free = (0..n).filter(|&i| !used[i]).flat_map(|i| (0..n).map(move |j| (i, j)));
        let size = |&(i, j): &(usize, usize)| a[i][j].abs() / scale[i];
        let (p, q) = free.max_by(|x, y| size(x).total_cmp(&size(y)))?;
        if a[p][q] == 0.0 {
            return Some(record[p].clone());
        }
        used[p] = true;
        for i in (0..n).filter(|&i| i != p) {
            let factor = a[i][q] / a[p][q];
            if factor != 0.0 {
                for k in 0..n {
                    let (x, y) = (factor * a[p][k], factor * record[p][k]);
                    terms[i][k] = terms[i][k].max(x.abs());
                    a[i][k] -= x;
                    record[i][k] -= y;
                    if a[i][k].abs() <= ZERO * terms[i][k] {
                        a[i][k] = 0.0;
                    }
                }
                a[i][q] = 0.0;
            }
        }
    }
    None
}

/// Parameters that the factors of highest derivatives read: a mode is built for their values.
pub(super) fn parameters(work: &Work) -> Vec<VarId> {
    let exprs: Vec<ExprId> = work.rows.iter().flat_map(|row| [row.lhs, row.rhs]).collect();
    let mut list = work.store.variables(&exprs);
    list.retain(|v| work.roles[v.index()] == Role::Parameter);
    list
}
