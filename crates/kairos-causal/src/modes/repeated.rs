//! Equations of a mode that repeat each other, and variables that nothing tells apart.
//!
//! Ideal diodes that conduct around a loop say the same thing several times, and leave open how a current divides among
//! them. Such a mode is as good as any other: of all the ways to divide it the smallest is taken, which is the even one.

use crate::model::Role;
use crate::work::{Kind, Row, Work};
use kairos_expr::{ExprId, Node, Scalar, Type, UnOp, VarId};
use std::collections::BTreeMap;

/// Larger systems are not examined: the examination is dense.
const LARGEST: usize = 250;
/// What is this small beside the terms of its sum is zero.
const ZERO: f64 = 1e-11;

/// Replaces each row that follows from others by the demand that what is left open be as small as possible.
pub(super) fn close(work: &mut Work) {
    let continuous = |r: &usize| work.rows[*r].kind == Kind::Continuous;
    let rows: Vec<usize> = (0..work.rows.len()).filter(continuous).collect();
    if rows.len() > LARGEST {
        return;
    }
    let mut system = Linear::of(work, rows);
    while let Some((row, weights)) = system.open() {
        let mut sum = work.store.zero();
        for &(v, weight) in &weights {
            let (factor, variable) = (work.store.real(weight), work.store.var(v, Type::scalar(Scalar::Real)));
            let term = work.store.times(factor, variable);
            sum = work.store.plus(sum, term);
        }
        let lhs = work.store.zero();
        let old = work.rows[system.rows[row]].clone();
        work.rows[system.rows[row]] = Row { lhs, rhs: sum, ..old };
        system.replace(row, &weights);
    }
}

/// The rows as sums of unknowns with literal factors, as far as they are such sums.
struct Linear {
    rows: Vec<usize>,
    vars: Vec<VarId>,
    /// Neither a derivative nor differentiated, and nowhere but in linear rows.
    free: Vec<bool>,
    /// First those of the variables, then those of what else the rows contain.
    factors: Vec<Vec<f64>>,
    /// The row is such a sum.
    linear: Vec<bool>,
}

impl Linear {
    fn of(work: &mut Work, rows: Vec<usize>) -> Linear {
        let mut columns: BTreeMap<VarId, usize> = BTreeMap::new();
        let mut used = Vec::new();
        for &r in &rows {
            let mut list = work.store.variables(&[work.rows[r].lhs, work.rows[r].rhs]);
            list.retain(|&v| work.roles[v.index()] == Role::Algebraic);
            for &v in &list {
                let next = columns.len();
                columns.entry(v).or_insert(next);
            }
            used.push(list);
        }
        let mut vars: Vec<VarId> = columns.keys().copied().collect();
        vars.sort_by_key(|v| columns[v]);
        let mut is_derivative = vec![false; work.vars.len()];
        work.der.iter().flatten().for_each(|d| is_derivative[d.index()] = true);
        let algebraic = |v: &VarId| work.der[v.index()].is_none() && !is_derivative[v.index()];
        let mut free: Vec<bool> = vars.iter().map(algebraic).collect();
        let mut factors = vec![vec![0.0; vars.len()]; rows.len()];
        let mut linear = vec![true; rows.len()];
        let mut others: Vec<(ExprId, usize, f64)> = Vec::new();
        for (i, &r) in rows.iter().enumerate() {
            let Row { lhs, rhs, .. } = work.rows[r];
            let mut rest = work.store.minus(lhs, rhs);
            for &v in &used[i] {
                let at = columns[&v];
                let affine = work.store.affine(rest, &Node::Var(v));
                let factor =
                    affine.as_ref().and_then(|a| a.slope.map_or(Some(0.0), |s| work.store.number(s)));
                match (affine, factor) {
                    (Some(affine), Some(factor)) => {
                        factors[i][at] = factor;
                        rest = affine.rest;
                    }
                    _ => (linear[i], free[at]) = (false, false),
                }
            }
            match *work.store.node(rest) {
                _ if work.store.number(rest) == Some(0.0) => {}
                Node::Unary(UnOp::Neg, positive) => others.push((positive, i, -1.0)),
                _ => others.push((rest, i, 1.0)),
            }
        }
        let mut known: BTreeMap<ExprId, usize> = BTreeMap::new();
        for (rest, i, sign) in others {
            let next = vars.len() + known.len();
            let at = *known.entry(rest).or_insert(next);
            factors.iter_mut().for_each(|row| row.resize(row.len().max(at + 1), 0.0));
            factors[i][at] = sign;
        }
        Linear { rows, vars, free, factors, linear }
    }

    /// A row that follows from others, and the direction of the variables that is left open.
    fn open(&self) -> Option<(usize, Vec<(VarId, f64)>)> {
        let free: Vec<usize> = (0..self.vars.len()).filter(|&j| self.free[j]).collect();
        let columns = free.iter().map(|&j| self.factors.iter().map(|row| row[j]).collect()).collect();
        let direction = dependency(columns)?;
        let linear: Vec<usize> = (0..self.rows.len()).filter(|&i| self.linear[i]).collect();
        let repeated = dependency(linear.iter().map(|&i| self.factors[i].clone()).collect())?;
        let row = (0..linear.len()).max_by(|&a, &b| repeated[a].abs().total_cmp(&repeated[b].abs()))?;
        let weights = free.iter().zip(direction).filter(|(_, w)| *w != 0.0);
        Some((linear[row], weights.map(|(&j, weight)| (self.vars[j], weight)).collect()))
    }

    fn replace(&mut self, row: usize, weights: &[(VarId, f64)]) {
        let Linear { vars, factors, .. } = self;
        factors[row].fill(0.0);
        for (j, v) in vars.iter().enumerate() {
            if let Some((_, weight)) = weights.iter().find(|(w, _)| w == v) {
                factors[row][j] = *weight;
            }
        }
    }
}

/// Factors, the largest of them one, with which the vectors add up to zero; `None` if they are independent.
fn dependency(mut vectors: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let n = vectors.len();
    let mut record: Vec<Vec<f64>> =
        (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    for i in 0..n {
        let entries = vectors[i].iter().enumerate();
        let pivot = entries.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs())).filter(|(_, x)| **x != 0.0);
        let Some((column, &pivot)) = pivot else {
            let size = record[i].iter().fold(0.0f64, |m, x| m.max(x.abs()));
            return Some(
                record[i].iter().map(|x| if x.abs() < ZERO * size { 0.0 } else { x / size }).collect(),
            );
        };
        let (done, rest) = vectors.split_at_mut(i + 1);
        for (k, vector) in rest.iter_mut().enumerate() {
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
            let (first, second) = record.split_at_mut(i + 1);
            second[k].iter_mut().zip(&first[i]).for_each(|(x, y)| *x -= factor * y);
        }
    }
    None
}
