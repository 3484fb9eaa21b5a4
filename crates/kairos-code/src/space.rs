//! The work space of one system: its Jacobian and the factors, dense or sparse.

use crate::program::Solve;
use kairos_numerics::linear::{Csc, Dense, DenseLu, Lu, Matrix, SparseLu};

/// Memory for one system, kept between solutions.
#[derive(Clone)]
pub struct Space {
    lu: Lu<f64>,
    matrix: Matrix,
    pub start: Vec<f64>,
    pub step: Vec<f64>,
    pub residual: Vec<f64>,
    pub scale: Vec<f64>,
    /// The scale of each column.
    column: Vec<f64>,
    /// The entries of a sparse matrix with scaled columns.
    scaled: Vec<f64>,
    /// The last factorisation for the state Jacobian failed.
    pub singular: bool,
    /// What the factors were computed from, where they stay good as long as that stays the same.
    pub kept: Option<Vec<f64>>,
    /// How many inverses have been kept.
    pub inverted: usize,
    pub way: Way,
}

/// Which form of a system is solved.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// The torn one; the other has not been compared yet.
    Untried,
    Torn,
    /// The one before tearing: what was eliminated came out wrong.
    Whole,
}

impl Space {
    pub fn new(solve: &Solve) -> Space {
        let n = solve.unknowns.len();
        let pattern = solve.sparsity.as_ref().filter(|s| s.is_sparse).map(|s| &s.pattern);
        let sparse = pattern.and_then(|pattern| Some((pattern, SparseLu::new(pattern).ok()?)));
        let (matrix, lu) = match sparse {
            Some((pattern, lu)) => (Matrix::new(n, Some(pattern)), Lu::Sparse(Box::new(lu))),
            None => (Matrix::new(n, None), Lu::Dense(DenseLu::new(n))),
        };
        Space {
            lu,
            matrix,
            start: vec![0.0; n],
            step: vec![0.0; n],
            residual: vec![0.0; n],
            scale: vec![1.0; n],
            singular: false,
            kept: None,
            inverted: 0,
            way: Way::Untried,
            column: vec![1.0; n],
            scaled: Vec::new(),
        }
    }

    /// Takes a column of the Jacobian: the entries that the pattern has there, if there is one.
    pub fn put_column(&mut self, solve: &Solve, column: usize, entry: impl Fn(usize) -> f64) {
        match (&mut self.matrix, &solve.sparsity) {
            (Matrix::Sparse(csc), _) => {
                for at in csc.pattern.range(column) {
                    csc.values[at] = entry(csc.pattern.rows[at] as usize);
                }
            }
            (Matrix::Dense(dense), Some(sparsity)) => {
                for &row in sparsity.pattern.column(column) {
                    dense[(row as usize, column)] = entry(row as usize);
                }
            }
            (Matrix::Dense(dense), None) => {
                (0..dense.rows()).for_each(|row| dense[(row, column)] = entry(row));
            }
        }
    }

    /// How much of the step can be taken so that what is within its limits stays there.
    pub fn within(&self, limits: &[(f64, f64)]) -> f64 {
        const SHARE: f64 = 0.8;
        let steps = self.start.iter().zip(&self.step).zip(limits);
        steps.fold(1.0, |factor: f64, ((x, step), (least, greatest))| {
            let room = if *step < 0.0 { x - least } else { greatest - x };
            if room > 0.0 { factor.min(SHARE * room / step.abs()) } else { factor }
        })
    }

    /// Scales each residual by its largest term, for unknowns of these sizes.
    pub fn scale_rows(&mut self, sizes: &[f64]) {
        self.scale.fill(0.0);
        match &self.matrix {
            Matrix::Dense(dense) => {
                for (row, scale) in self.scale.iter_mut().enumerate() {
                    *scale =
                        dense.row(row).iter().zip(sizes).map(|(a, size)| a.abs() * size).fold(0.0, f64::max);
                }
            }
            Matrix::Sparse(csc) => {
                for (column, size) in sizes.iter().enumerate() {
                    for at in csc.pattern.range(column) {
                        let scale = &mut self.scale[csc.pattern.rows[at] as usize];
                        *scale = scale.max(csc.values[at].abs() * size);
                    }
                }
            }
        }
        for scale in &mut self.scale {
            *scale = if *scale > 0.0 && scale.is_finite() { 1.0 / *scale } else { 1.0 };
        }
    }

    /// Factors the matrix with its columns scaled to one, so that units do not look like rank; `false` if singular.
    pub fn factor(&mut self) -> bool {
        match (&self.matrix, &mut self.lu) {
            (Matrix::Dense(dense), Lu::Dense(lu)) => factor_dense(dense, &mut self.column, lu),
            (Matrix::Sparse(csc), Lu::Sparse(lu)) => {
                factor_sparse(csc, &mut self.column, &mut self.scaled, lu)
            }
            _ => false,
        }
    }

    /// Overwrites the step, a right-hand side, with the solution.
    pub fn solve(&mut self) {
        self.lu.solve(&mut self.step);
        self.step.iter_mut().zip(&self.column).for_each(|(x, scale)| *x *= scale);
    }

    pub fn is_finite(&self) -> bool {
        self.matrix.is_finite() && self.residual.iter().all(|x| x.is_finite())
    }

    /// The whole matrix, for what is asked of singular ones.
    pub fn dense(&self) -> Dense {
        match &self.matrix {
            Matrix::Dense(dense) => dense.clone(),
            Matrix::Sparse(csc) => {
                let n = self.column.len();
                let mut dense = Dense::new(n, n);
                for column in 0..n {
                    for at in csc.pattern.range(column) {
                        dense[(csc.pattern.rows[at] as usize, column)] = csc.values[at];
                    }
                }
                dense
            }
        }
    }
}

fn factor_dense(matrix: &Dense, column: &mut [f64], lu: &mut DenseLu<f64>) -> bool {
    let n = column.len();
    let data = matrix.data();
    for (k, scale) in column.iter_mut().enumerate() {
        let largest = (0..n).map(|row| data[row * n + k].abs()).fold(0.0, f64::max);
        if largest == 0.0 || !largest.is_finite() {
            return false;
        }
        *scale = 1.0 / largest;
    }
    for (row, target) in lu.matrix_mut().chunks_exact_mut(n.max(1)).enumerate() {
        for (k, entry) in target.iter_mut().enumerate() {
            *entry = data[row * n + k] * column[k];
        }
    }
    lu.factor_in_place().is_ok() && lu.weakest_pivot() > WEAKEST
}

fn factor_sparse(matrix: &Csc, column: &mut [f64], scaled: &mut Vec<f64>, lu: &mut SparseLu<f64>) -> bool {
    scaled.clear();
    for (k, scale) in column.iter_mut().enumerate() {
        let entries = &matrix.values[matrix.pattern.range(k)];
        let largest = entries.iter().fold(0.0, |largest: f64, entry| largest.max(entry.abs()));
        if largest == 0.0 || !largest.is_finite() {
            return false;
        }
        *scale = 1.0 / largest;
        scaled.extend(entries.iter().map(|entry| entry * *scale));
    }
    lu.factor(scaled).is_ok() && lu.weakest_pivot() > WEAKEST
}

/// A pivot below this part of its row is as good as none.
const WEAKEST: f64 = 1e-14;
