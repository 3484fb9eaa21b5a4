//! Linear systems of one shape, solved again and again, including those that are singular.

use super::{Csc, Dense, DenseLu, LeastSquares, Lu, Matrix, Pattern, RankRevealing, Singular, SparseLu};
use serde::{Deserialize, Serialize};

/// A pivot below this part of its row is as good as none.
const WEAKEST: f64 = 1e-14;
/// What counts as zero where a singular system is solved: a singular value, and the contradiction left in a row.
const VANISHING: f64 = 1e-13;
const CONSISTENT: f64 = 1e-9;

/// A square system: write the matrix, `factor`, then `solve` for any right-hand sides.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LinearSystem {
    matrix: Matrix,
    lu: Lu<f64>,
    /// The scale of each column.
    scale: Vec<f64>,
    /// The entries of a sparse matrix with scaled columns.
    scaled: Vec<f64>,
}

impl LinearSystem {
    /// Memory for `n` equations: sparse if a pattern is given that some values make regular, else dense.
    pub fn new(n: usize, pattern: Option<&Pattern>) -> Self {
        let sparse = pattern.and_then(|pattern| LinearSystem::sparse(pattern).ok());
        sparse.unwrap_or_else(|| LinearSystem {
            matrix: Matrix::new(n, None),
            lu: Lu::Dense(DenseLu::new(n)),
            scale: vec![1.0; n],
            scaled: Vec::new(),
        })
    }

    /// Memory for equations with entries in these places; fails if no values make them regular.
    pub fn sparse(pattern: &Pattern) -> Result<Self, Singular> {
        let n = pattern.columns();
        let lu = Lu::Sparse(Box::new(SparseLu::new(pattern)?));
        Ok(LinearSystem {
            matrix: Matrix::new(n, Some(pattern)),
            lu,
            scale: vec![1.0; n],
            scaled: Vec::new(),
        })
    }

    pub fn matrix(&self) -> &Matrix {
        &self.matrix
    }

    /// The matrix to write before `factor`.
    pub fn matrix_mut(&mut self) -> &mut Matrix {
        &mut self.matrix
    }

    /// Factors the matrix with its columns scaled to one, so that units do not look like rank; false if it is singular.
    pub fn factor(&mut self) -> bool {
        let factored = match (&self.matrix, &mut self.lu) {
            (Matrix::Dense(dense), Lu::Dense(lu)) => {
                scale_dense(dense, &mut self.scale, lu.matrix_mut()) && lu.factor_in_place().is_ok()
            }
            (Matrix::Sparse(csc), Lu::Sparse(lu)) => {
                scale_sparse(csc, &mut self.scale, &mut self.scaled) && lu.factor(&self.scaled).is_ok()
            }
            _ => false,
        };
        factored && self.weakest_pivot() > WEAKEST
    }

    /// The smallest pivot of the matrix last factored, rows and columns scaled to one.
    pub fn weakest_pivot(&self) -> f64 {
        match &self.lu {
            Lu::Dense(lu) => lu.weakest_pivot(),
            Lu::Sparse(lu) => lu.weakest_pivot(),
        }
    }

    /// Overwrites `b` with the solution of the system last factored.
    pub fn solve(&mut self, b: &mut [f64]) {
        self.lu.solve(b);
        b.iter_mut().zip(&self.scale).for_each(|(x, scale)| *x *= scale);
    }

    /// The solution of least norm of the system as it is written, singular or not.
    pub fn solve_singular(&self, b: &[f64]) -> LeastSquares {
        let matrix = self.matrix.dense();
        RankRevealing::new(&matrix, VANISHING).solve(&matrix, b, CONSISTENT)
    }
}

fn scale_dense(matrix: &Dense, scale: &mut [f64], scaled: &mut [f64]) -> bool {
    let n = scale.len();
    let data = matrix.data();
    for (k, scale) in scale.iter_mut().enumerate() {
        let largest = (0..n).map(|row| data[row * n + k].abs()).fold(0.0, f64::max);
        if largest == 0.0 || !largest.is_finite() {
            return false;
        }
        *scale = 1.0 / largest;
    }
    for (row, target) in scaled.chunks_exact_mut(n.max(1)).enumerate() {
        for (k, entry) in target.iter_mut().enumerate() {
            *entry = data[row * n + k] * scale[k];
        }
    }
    true
}

fn scale_sparse(matrix: &Csc, scale: &mut [f64], scaled: &mut Vec<f64>) -> bool {
    scaled.clear();
    for (k, scale) in scale.iter_mut().enumerate() {
        let entries = &matrix.values[matrix.pattern.range(k)];
        let largest = entries.iter().fold(0.0, |largest: f64, entry| largest.max(entry.abs()));
        if largest == 0.0 || !largest.is_finite() {
            return false;
        }
        *scale = 1.0 / largest;
        scaled.extend(entries.iter().map(|entry| entry * *scale));
    }
    true
}
