//! The LAPACK routines that `Modelica.Math.Matrices.LAPACK` declares, for small dense matrices.
//!
//! Arguments are row-major like all arrays here; routines address them by row and column, so the column-major
//! storage that Fortran would see never exists.

mod complex;
mod dense;
mod eigenvectors;
mod least_squares;
mod linear;
mod lu;
mod pencil;
mod qr;
mod reorder;
mod schur;
mod spectral;
mod spectrum;
mod svd;

use crate::registry::NativeFn;
pub use spectrum::{EigenPair, eigen};

pub(crate) const FUNCTIONS: &[&[NativeFn]] = &[
    linear::FUNCTIONS,
    least_squares::FUNCTIONS,
    svd::FUNCTIONS,
    spectral::FUNCTIONS,
    reorder::FUNCTIONS,
    pencil::FUNCTIONS,
];
