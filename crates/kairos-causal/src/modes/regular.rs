//! Equations that depend on each other for the values of the parameters, although their structure does not show it.

use super::levels::level;
use crate::index::{Structure, structure};
use crate::model::Role;
use crate::work::{Kind, Row, Work};
use kairos_expr::{ExprId, ExprMap, Node, VarId};
use std::collections::BTreeMap;

/// Systems larger than this are not examined: the examination is dense.
pub(super) const LARGEST: usize = 120;
/// What is this small beside the terms of its sum is zero.
pub(super) const ZERO: f64 = 1e-11;

/// Replaces rows whose highest derivatives cancel by the combination in which they do, until none is left. Unless the mode
/// is built for the values of its parameters, only literal factors count.
///
/// Constraints between states come first. Capacitors around a loop say `u1 = v1 - v2`, `u2 = v2 - v3`, `u3 = v3 - v1`: as they stand, index
/// reduction differentiates the potentials, too, and takes them for continuous, although all of them may jump together and have a
/// pulse. `u1 + u2 + u3 = 0` in place of one of them leaves the potentials alone.
pub(super) fn regularise(work: &mut Work, by_parameters: bool) {
    expose_states(work, by_parameters);
    for _ in 0..work.rows.len() {
        let Some((row, combination)) = dependency(work, by_parameters) else { break };
        replace(work, row, &combination);
    }
}

/// Makes constraints between states visible, as long as they leave a system that can be solved: where they say the same twice, as beside a
/// source that is zero, the equations stay as they are.
fn expose_states(work: &mut Work, by_parameters: bool) {
    let before = work.rows.clone();
    for _ in 0..before.len() {
        let Some((row, combination)) = between_states(work, by_parameters) else { return };
        replace(work, row, &combination);
        let Structure { incidence, derivative, .. } = structure(work);
        if kairos_graph::pantelides(&incidence, &derivative).is_err() {
            work.rows = before;
            return;
        }
    }
}

fn replace(work: &mut Work, row: usize, combination: &Combination) {
    let (lhs, rhs) = (work.store.zero(), combine(work, combination));
    let old = work.rows[row].clone();
    work.rows[row] = Row { lhs, rhs, ..old };
}

/// A combination of several rows in which only differentiated variables and known values are left, and the row it can replace.
fn between_states(work: &mut Work, by_parameters: bool) -> Option<(usize, Combination)> {
    if work.rows.len() > LARGEST {
        return None;
    }
    let (mut rows, mut factors, mut states) = (Vec::new(), Vec::new(), Vec::new());
    let mut columns: BTreeMap<VarId, usize> = BTreeMap::new();
    for r in 0..work.rows.len() {
        let row = work.rows[r].clone();
        if row.kind != Kind::Continuous {
            continue;
        }
        let mut own = (Vec::new(), Vec::new());
        let mut constant = true;
        for v in work.store.variables(&[row.lhs, row.rhs]) {
            if work.roles[v.index()] != Role::Algebraic {
                continue;
            }
            let (value, fixed) = slope(work, &row, v, by_parameters);
            let next = columns.len();
            let column = *columns.entry(v).or_insert(next);
            match work.der[v.index()] {
                Some(_) => own.1.push((column, if fixed { value } else { f64::NAN })),
                None => {
                    constant &= fixed;
                    own.0.push((column, value));
                }
            }
        }
        if constant {
            rows.push(r);
            factors.push(own.0);
            states.push(own.1);
        }
    }
    let spread = |list: &[(usize, f64)]| {
        let mut row = vec![0.0; columns.len()];
        list.iter().for_each(|&(column, value)| row[column] = value);
        row
    };
    let states: Vec<Vec<f64>> = states.iter().map(|list| spread(list)).collect();
    let constrains = |null: &[f64]| {
        (0..columns.len()).any(|column| {
            let terms =
                || null.iter().zip(&states).map(|(x, row)| if *x == 0.0 { 0.0 } else { x * row[column] });
            let (sum, size) = (terms().sum::<f64>(), terms().fold(0.0, |m: f64, x| m.max(x.abs())));
            sum.is_nan() || sum.abs() > ZERO * size
        })
    };
    let null = cancelling(factors.iter().map(|list| spread(list)).collect(), constrains)?;
    let used: Vec<(usize, f64)> = rows.into_iter().zip(null).filter(|(_, factor)| *factor != 0.0).collect();
    let (row, _) = *used.iter().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))?;
    let mut tops = vec![false; work.vars.len()];
    columns.keys().for_each(|v| tops[v.index()] = work.der[v.index()].is_none());
    Some((row, Combination { rows: used, tops }))
}

/// Factors, the largest of them one, with which several vectors add up to zero, of those for which that says something.
fn cancelling(mut vectors: Vec<Vec<f64>>, says: impl Fn(&[f64]) -> bool) -> Option<Vec<f64>> {
    let n = vectors.len();
    let mut record: Vec<Vec<f64>> =
        (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    for i in 0..n {
        let entries = vectors[i].iter().enumerate();
        let pivot = entries.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs())).filter(|(_, x)| **x != 0.0);
        let Some((column, &pivot)) = pivot else {
            let size = record[i].iter().fold(0.0f64, |m, x| m.max(x.abs()));
            let clean = |x: &f64| if x.abs() < ZERO * size { 0.0 } else { x / size };
            let null: Vec<f64> = record[i].iter().map(clean).collect();
            if null.iter().filter(|x| **x != 0.0).count() > 1 && says(&null) {
                return Some(null);
            }
            continue;
        };
        let (done, rest) = vectors.split_at_mut(i + 1);
        let (first, second) = record.split_at_mut(i + 1);
        for (vector, record) in rest.iter_mut().zip(second) {
            let factor = vector[column] / pivot;
            if factor == 0.0 {
                continue;
            }
            for (x, y) in vector.iter_mut().zip(&done[i]) {
                let size = x.abs().max((factor * y).abs());
                *x -= factor * y;
                if x.abs() <= ZERO * size {
                    *x = 0.0;
                }
            }
            vector[column] = 0.0;
            record.iter_mut().zip(&first[i]).for_each(|(x, y)| *x -= factor * y);
        }
    }
    None
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
