//! Linear algebra: dense and sparse matrices with their factorisations.

mod colouring;
mod columns;
mod csc;
mod dense;
mod ordering;
mod rank;
mod scalar;
mod sparse_lu;
mod system;

pub use colouring::Colouring;
pub use csc::{Csc, Pattern};
pub use dense::{Dense, DenseLu};
pub use ordering::minimum_degree;
pub use rank::{LeastSquares, RankRevealing};
pub use scalar::{Complex, Scalar};
use serde::{Deserialize, Serialize};
pub use sparse_lu::SparseLu;
pub use system::LinearSystem;

/// A matrix that cannot be factored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Singular {
    /// A column (of the matrix as given) without a usable pivot.
    pub column: usize,
}

/// A square matrix in one of the two storages.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Matrix {
    Dense(Dense),
    Sparse(Csc),
}

impl Matrix {
    /// A zero matrix: sparse if a pattern is given, else dense.
    pub fn new(n: usize, pattern: Option<&Pattern>) -> Self {
        match pattern {
            Some(pattern) => Matrix::Sparse(Csc::new(pattern.clone())),
            None => Matrix::Dense(Dense::new(n, n)),
        }
    }

    pub fn fill(&mut self, value: f64) {
        match self {
            Matrix::Dense(dense) => dense.data_mut().fill(value),
            Matrix::Sparse(csc) => csc.values.fill(value),
        }
    }

    pub fn is_finite(&self) -> bool {
        let values = match self {
            Matrix::Dense(dense) => dense.data(),
            Matrix::Sparse(csc) => &csc.values,
        };
        values.iter().all(|value| value.is_finite())
    }

    /// All entries, also those outside a pattern.
    pub fn dense(&self) -> Dense {
        match self {
            Matrix::Dense(dense) => dense.clone(),
            Matrix::Sparse(csc) => {
                let n = csc.pattern.columns();
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

/// A factorisation in the storage that fits the matrix.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Lu<T: Scalar> {
    Dense(DenseLu<T>),
    Sparse(Box<SparseLu<T>>),
}

impl<T: Scalar> Lu<T> {
    pub fn solve(&mut self, b: &mut [T]) {
        match self {
            Lu::Dense(lu) => lu.solve(b),
            Lu::Sparse(lu) => lu.solve(b),
        }
    }
}
