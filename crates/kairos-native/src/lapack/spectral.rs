//! LAPACK routines for eigenvalues of one matrix.

use super::complex::Complex;
use super::dense::{Dense, finish, load, load_vector, option, store, store_vector};
use super::eigenvectors::{Scaling, left, packed, right};
use super::schur::{Hessenberg, Schur, quasi_triangular_eigenvalues};
use crate::context::Context;
use crate::registry::{Kind, NativeFn};
use crate::value::{Arg, Args};

pub(crate) const FUNCTIONS: &[NativeFn] = &[
    NativeFn::new("dgehrd", Kind::Pure, dgehrd),
    NativeFn::new("dorghr", Kind::Pure, dorghr),
    NativeFn::new("dormhr", Kind::Pure, dormhr),
    NativeFn::new("dhseqr", Kind::Pure, dhseqr),
    NativeFn::new("dgees", Kind::Pure, dgees),
    NativeFn::new("dgeev", Kind::Pure, dgeev),
    NativeFn::new("dgeevx", Kind::Pure, dgeevx),
    NativeFn::new("dtrevc", Kind::Pure, dtrevc),
];

pub(crate) fn store_eigenvalues(a: &mut Args<'_>, at: usize, values: &[Complex]) -> Result<(), String> {
    store_vector(a, at, &values.iter().map(|value| value.re).collect::<Vec<f64>>())?;
    store_vector(a, at + 1, &values.iter().map(|value| value.im).collect::<Vec<f64>>())
}

fn info(schur: &Schur) -> i64 {
    schur.failed_at.map_or(0, |at| at as i64)
}

// (n, ilo, ihi, &A, lda, &tau, work, lwork, &info)
fn dgehrd(_: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let (n, low, high) = (a.size(0)?, a.size(1)?, a.size(2)?);
    let reduced = Hessenberg::new(load(a, 3, n, n)?, low.saturating_sub(1), high.min(n));
    store(a, 3, &reduced.factors)?;
    store_vector(a, 5, &reduced.tau)?;
    finish(a, 8, 0)
}

// (n, ilo, ihi, &A, lda, tau, work, lwork, &info)
fn dorghr(_: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let n = a.size(0)?;
    let q = load_hessenberg(a, 3, 5, n, a.size(2)?)?.q();
    store(a, 3, &q)?;
    finish(a, 8, 0)
}

/// Reflections computed by an earlier call; what lies below `high` is not part of them.
fn load_hessenberg(
    a: &Args<'_>,
    at: usize,
    tau_at: usize,
    n: usize,
    high: usize,
) -> Result<Hessenberg, String> {
    let given = load(a, at, n, n)?;
    let factors = Dense::from_fn(n, n, |i, j| if i < high || i <= j { given[(i, j)] } else { 0.0 });
    Ok(Hessenberg { factors, tau: load_vector(a, tau_at, n.saturating_sub(1))? })
}

// (side, trans, m, n, ilo, ihi, A, lda, tau, &C, ldc, work, lwork, &info)
fn dormhr(_: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let (is_left, transposed) = (option(a, 0)? == b'L', option(a, 1)? != b'N');
    let (m, n) = (a.size(2)?, a.size(3)?);
    let reduced = load_hessenberg(a, 6, 8, if is_left { m } else { n }, a.size(5)?)?;
    let c = load(a, 9, m, n)?;
    let mut c = if is_left { c } else { c.transposed() };
    reduced.apply(&mut c, transposed == is_left);
    store(a, 9, &if is_left { c } else { c.transposed() })?;
    finish(a, 13, 0)
}

// (job, compz, n, ilo, ihi, &H, ldh, &wr, &wi, &Z, ldz, work, lwork, &info)
fn dhseqr(_: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let (compz, n) = (option(a, 1)?, a.size(2)?);
    let given = load(a, 5, n, n)?;
    let h = Dense::from_fn(n, n, |i, j| if i <= j + 1 { given[(i, j)] } else { 0.0 });
    let z = if compz == b'V' { load(a, 9, n, n)? } else { Dense::identity(n) };
    let schur = Schur::from_hessenberg(h, z);
    store(a, 5, &schur.t)?;
    store_eigenvalues(a, 7, &schur.eigenvalues())?;
    if compz != b'N' {
        store(a, 9, &schur.z)?;
    }
    finish(a, 13, info(&schur))
}

// (jobvs, sort, select, n, &A, lda, &sdim, &wr, &wi, &VS, ldvs, work, lwork, bwork, &info)
fn dgees(_: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let n = a.size(3)?;
    if option(a, 1)? == b'S' {
        return Err("dgees: sorting by a function is not supported, use dtrsen".to_string());
    }
    let schur = Schur::new(load(a, 4, n, n)?);
    store(a, 4, &schur.t)?;
    a.set(6, Arg::Int(0))?;
    store_eigenvalues(a, 7, &schur.eigenvalues())?;
    if option(a, 0)? == b'V' {
        store(a, 9, &schur.z)?;
    }
    finish(a, 14, info(&schur))
}

// (jobvl, jobvr, n, &A, lda, &wr, &wi, &VL, ldvl, &VR, ldvr, work, lwork, &info)
fn dgeev(_: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let n = a.size(2)?;
    let schur = Schur::new(load(a, 3, n, n)?);
    let values = schur.eigenvalues();
    store_eigenvalues(a, 5, &values)?;
    if option(a, 0)? == b'V' {
        store(a, 7, &packed(&values, &left(&schur.t, &schur.z, Scaling::Length)))?;
    }
    if option(a, 1)? == b'V' {
        store(a, 9, &packed(&values, &right(&schur.t, &schur.z, Scaling::Length)))?;
    }
    finish(a, 13, info(&schur))
}

// (balanc, jobvl, jobvr, sense, n, &A, lda, &wr, &wi, &VL, ldvl, &VR, ldvr, &ilo, &ihi, &scale, &abnrm,
//  &rconde, &rcondv, work, lwork, iwork, &info); nothing is balanced
fn dgeevx(_: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let n = a.size(4)?;
    let matrix = load(a, 5, n, n)?;
    let norm = matrix.norm1();
    let schur = Schur::new(matrix);
    let values = schur.eigenvalues();
    let lefts = left(&schur.t, &schur.z, Scaling::Length);
    let rights = right(&schur.t, &schur.z, Scaling::Length);
    store(a, 5, &schur.t)?;
    store_eigenvalues(a, 7, &values)?;
    if option(a, 1)? == b'V' {
        store(a, 9, &packed(&values, &lefts))?;
    }
    if option(a, 2)? == b'V' {
        store(a, 11, &packed(&values, &rights))?;
    }
    a.set(13, Arg::Int(1))?;
    a.set(14, Arg::Int(n as i64))?;
    store_vector(a, 15, &vec![1.0; n])?;
    a.set(16, Arg::Real(norm))?;
    store_vector(a, 17, &eigenvalue_conditions(&lefts, &rights))?;
    finish(a, 22, info(&schur))
}

/// The cosine between left and right vector tells how sensitive an eigenvalue is.
pub(crate) fn eigenvalue_conditions(lefts: &[Vec<Complex>], rights: &[Vec<Complex>]) -> Vec<f64> {
    let cosine = |(y, x): (&Vec<Complex>, &Vec<Complex>)| {
        y.iter().zip(x).fold(Complex::default(), |sum, (&y, &x)| sum + y.conj() * x).abs()
    };
    lefts.iter().zip(rights).map(cosine).collect()
}

// (side, howmny, select, n, T, ldt, &VL, ldvl, &VR, ldvr, mm, &m, work, &info)
fn dtrevc(_: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let (side, howmny, n) = (option(a, 0)?, option(a, 1)?, a.size(3)?);
    if howmny == b'S' {
        return Err(
            "dtrevc: single vectors cannot be selected, ask for all with howmny=\"A\" or \"B\"".to_string()
        );
    }
    let t = load(a, 4, n, n)?;
    let values = quasi_triangular_eigenvalues(&t);
    for (at, wanted, solve) in [
        (6, side != b'R', left as fn(&Dense, &Dense, Scaling) -> Vec<Vec<Complex>>),
        (8, side != b'L', right),
    ] {
        if wanted {
            let z = if howmny == b'B' { load(a, at, n, n)? } else { Dense::identity(n) };
            store(a, at, &packed(&values, &solve(&t, &z, Scaling::Largest)))?;
        }
    }
    finish(a, 13, 0)
}
