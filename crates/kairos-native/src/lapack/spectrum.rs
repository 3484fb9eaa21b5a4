//! The eigenvalues and eigenvectors of a matrix, for other crates.

use super::complex::Complex;
use super::dense::Dense;
use super::eigenvectors::{self, Scaling};
use super::schur::Schur;

/// An eigenvalue with its vectors, as pairs of real and imaginary part.
#[derive(Clone, Debug, PartialEq)]
pub struct EigenPair {
    pub value: (f64, f64),
    /// `A v = value v`, of length one.
    pub right: Vec<(f64, f64)>,
    /// `w^H A = value w^H`, of length one.
    pub left: Vec<(f64, f64)>,
}

/// The spectrum of a square matrix with `n` rows, row after row; those of the Schur form in its order.
pub fn eigen(n: usize, matrix: &[f64]) -> Vec<EigenPair> {
    let schur = Schur::new(Dense::from_fn(n, n, |i, j| matrix[i * n + j]));
    let right = eigenvectors::right(&schur.t, &schur.z, Scaling::Length);
    let left = eigenvectors::left(&schur.t, &schur.z, Scaling::Length);
    let pairs = |vector: &[Complex]| vector.iter().map(|x| (x.re, x.im)).collect();
    let vectors = right.iter().zip(&left);
    let values = schur.eigenvalues();
    values
        .iter()
        .zip(vectors)
        .map(|(value, (right, left))| EigenPair {
            value: (value.re, value.im),
            right: pairs(right),
            left: pairs(left),
        })
        .collect()
}
