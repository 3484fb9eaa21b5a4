//! LAPACK routines for generalized eigenvalues, by a shift that makes the pencil an ordinary matrix.

use super::complex::Complex;
use super::dense::{Dense, finish, load, option, store, store_vector};
use super::eigenvectors::{Scaling, left, packed, right, scale};
use super::lu::Lu;
use super::schur::Schur;
use super::spectral::store_eigenvalues;
use crate::context::Context;
use crate::registry::{Kind, NativeFn};
use crate::value::{Arg, Args};

pub(crate) const FUNCTIONS: &[NativeFn] = &[
    NativeFn::new("dggev", Kind::Pure, dggev),
    NativeFn::new("dgegv", Kind::Pure, dggev),
    NativeFn::new("dggevx", Kind::Pure, dggevx),
    NativeFn::new("dhgeqz", Kind::Pure, dhgeqz),
];

/// Eigenvalues `alpha / beta` of `A x = lambda B x`; beta is zero for infinite ones.
struct Pencil {
    shifted: Lu,
    schur: Schur,
    alpha: Vec<Complex>,
    beta: Vec<f64>,
}

impl Pencil {
    fn new(a: &Dense, b: &Dense) -> Option<Pencil> {
        let n = a.rows;
        let (norm_a, norm_b) = (a.norm1(), b.norm1());
        let unit = if norm_a > 0.0 && norm_b > 0.0 { norm_a / norm_b } else { 1.0 };
        // Of some shifts away from likely eigenvalues, the one with the best conditioned matrix.
        let shifts = [0.0, 0.37, -0.71, 1.31, -2.17].map(|share| share * unit);
        let attempts = shifts.into_iter().map(|shift| {
            let matrix = Dense::from_fn(n, n, |i, j| a[(i, j)] - shift * b[(i, j)]);
            let norm = matrix.norm1();
            let lu = Lu::new(matrix);
            let rcond = lu.reciprocal_condition(norm, Dense::norm1);
            (rcond, shift, lu)
        });
        let (rcond, shift, shifted) =
            attempts.reduce(|best, next| if next.0 > best.0 { next } else { best })?;
        if rcond < f64::EPSILON && n > 0 {
            return None;
        }
        let mut inverted = b.clone();
        shifted.solve(&mut inverted, false);
        let negligible = f64::EPSILON * n as f64 * inverted.norm1();
        let schur = Schur::new(inverted);
        // mu of the inverted matrix belongs to lambda = shift + 1 / mu. Inversion changes the sign of imaginary
        // parts; taking the conjugate of each member restores the order of a pair.
        let ratio = |mu: Complex| {
            let mu = if mu.abs() <= negligible { Complex::default() } else { mu };
            let alpha = Complex::real(1.0) + mu.scaled(shift);
            if mu.im == 0.0 {
                let sign = if mu.re < 0.0 { -1.0 } else { 1.0 };
                (alpha.scaled(sign), mu.re * sign)
            } else {
                ((alpha * mu.conj().scaled(1.0 / mu.abs())).conj(), mu.abs())
            }
        };
        let (alpha, beta) = schur.eigenvalues().into_iter().map(ratio).unzip();
        Some(Pencil { shifted, schur, alpha, beta })
    }

    fn right_vectors(&self) -> Dense {
        packed(&self.alpha, &conjugated(right(&self.schur.t, &self.schur.z, Scaling::Largest)))
    }

    fn left_vectors(&self) -> Dense {
        // y' (A - shift B) is a left vector of the inverted matrix.
        let mut vectors = left(&self.schur.t, &self.schur.z, Scaling::Largest);
        for vector in &mut vectors {
            let mut parts =
                Dense::from_fn(vector.len(), 2, |i, j| if j == 0 { vector[i].re } else { vector[i].im });
            self.shifted.solve(&mut parts, true);
            *vector = (0..vector.len()).map(|i| Complex::new(parts[(i, 0)], parts[(i, 1)])).collect();
            scale(vector, Scaling::Largest);
        }
        packed(&self.alpha, &conjugated(vectors))
    }

    fn store(&self, a: &mut Args<'_>, alpha_at: usize) -> Result<(), String> {
        store_eigenvalues(a, alpha_at, &self.alpha)?;
        store_vector(a, alpha_at + 2, &self.beta)
    }
}

fn conjugated(vectors: Vec<Vec<Complex>>) -> Vec<Vec<Complex>> {
    vectors.into_iter().map(|vector| vector.into_iter().map(Complex::conj).collect()).collect()
}

fn singular(n: usize) -> String {
    format!("the matrix pencil of order {n} is singular: A - lambda*B has no inverse for any lambda")
}

// (jobvl, jobvr, n, &A, lda, &B, ldb, &alphar, &alphai, &beta, &VL, ldvl, &VR, ldvr, work, lwork, &info)
fn dggev(_: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let n = a.size(2)?;
    let pencil = Pencil::new(&load(a, 3, n, n)?, &load(a, 5, n, n)?).ok_or_else(|| singular(n))?;
    pencil.store(a, 7)?;
    if option(a, 0)? == b'V' {
        store(a, 10, &pencil.left_vectors())?;
    }
    if option(a, 1)? == b'V' {
        store(a, 12, &pencil.right_vectors())?;
    }
    finish(a, 16, 0)
}

// (balanc, jobvl, jobvr, sense, n, &A, lda, &B, ldb, &alphar, &alphai, &beta, &VL, ldvl, &VR, ldvr, &ilo, &ihi,
//  &lscale, &rscale, &abnrm, &bbnrm, &rconde, &rcondv, work, lwork, iwork, bwork, &info); nothing is balanced
fn dggevx(_: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let n = a.size(4)?;
    let (first, second) = (load(a, 5, n, n)?, load(a, 7, n, n)?);
    let pencil = Pencil::new(&first, &second).ok_or_else(|| singular(n))?;
    pencil.store(a, 9)?;
    if option(a, 1)? == b'V' {
        store(a, 12, &pencil.left_vectors())?;
    }
    if option(a, 2)? == b'V' {
        store(a, 14, &pencil.right_vectors())?;
    }
    a.set(16, Arg::Int(1))?;
    a.set(17, Arg::Int(n as i64))?;
    store_vector(a, 18, &vec![1.0; n])?;
    store_vector(a, 19, &vec![1.0; n])?;
    a.set(20, Arg::Real(first.norm1()))?;
    a.set(21, Arg::Real(second.norm1()))?;
    finish(a, 28, 0)
}

// (job, compq, compz, n, ilo, ihi, &H, ldh, &T, ldt, &alphar, &alphai, &beta, &Q, ldq, &Z, ldz, work, lwork, &info)
fn dhgeqz(_: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let n = a.size(3)?;
    if option(a, 0)? != b'E' {
        return Err(
            "dhgeqz: the generalized Schur form is not supported, only eigenvalues (job=\"E\")".to_string()
        );
    }
    let pencil = Pencil::new(&load(a, 6, n, n)?, &load(a, 8, n, n)?).ok_or_else(|| singular(n))?;
    pencil.store(a, 10)?;
    finish(a, 19, 0)
}
