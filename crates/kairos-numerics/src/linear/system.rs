//! Linear systems of one shape, solved again and again, including those that are singular.

use super::{Csc, Dense, DenseLu, LeastSquares, Lu, Matrix, Pattern, RankRevealing, SparseLu};

/// A pivot below this part of its row is as good as none.
const WEAKEST: f64 = 1e-14;
/// What counts as zero where a singular system is solved: a singular value, and the contradiction left in a row.
const VANISHING: f64 = 1e-13;
const CONSISTENT: f64 = 1e-9;

/// A square system: write the matrix, `factor`, then `solve` for any right-hand sides.
#[derive(Clone, Debug)]
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
        let sparse = pattern.and_then(|pattern| Some((pattern, SparseLu::new(pattern).ok()?)));
        let (matrix, lu) = match sparse {
            Some((pattern, lu)) => (Matrix::new(n, Some(pattern)), Lu::Sparse(Box::new(lu))),
            None => (Matrix::new(n, None), Lu::Dense(DenseLu::new(n))),
        };
        LinearSystem { matrix, lu, scale: vec![1.0; n], scaled: Vec::new() }
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
        match (&self.matrix, &mut self.lu) {
            (Matrix::Dense(dense), Lu::Dense(lu)) => {
                scale_dense(dense, &mut self.scale, lu.matrix_mut())
                    && lu.factor_in_place().is_ok()
                    && lu.weakest_pivot() > WEAKEST
            }
            (Matrix::Sparse(csc), Lu::Sparse(lu)) => {
                scale_sparse(csc, &mut self.scale, &mut self.scaled)
                    && lu.factor(&self.scaled).is_ok()
                    && lu.weakest_pivot() > WEAKEST
            }
            _ => false,
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
