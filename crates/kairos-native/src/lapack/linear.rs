//! LAPACK routines for linear systems.

use super::dense::{Dense, finish, load, load_vector, option, store, store_indices, store_vector};
use super::lu::Lu;
use crate::context::Context;
use crate::registry::{Kind, NativeFn};
use crate::value::{Arg, Args};

pub(crate) const FUNCTIONS: &[NativeFn] = &[
    NativeFn::new("dgesv", Kind::Pure, dgesv),
    NativeFn::new("dgetrf", Kind::Pure, dgetrf),
    NativeFn::new("dgetrs", Kind::Pure, dgetrs),
    NativeFn::new("dgetri", Kind::Pure, dgetri),
    NativeFn::new("dgecon", Kind::Pure, dgecon),
    NativeFn::new("dgesvx", Kind::Pure, dgesvx),
    NativeFn::new("dgbsv", Kind::Pure, dgbsv),
    NativeFn::new("dgtsv", Kind::Pure, dgtsv),
    NativeFn::new("dlange", Kind::Pure, dlange),
    NativeFn::new("dpotrf", Kind::Pure, dpotrf),
    NativeFn::new("dtrsm", Kind::Pure, dtrsm),
];

// (n, nrhs, &A, lda, &ipiv, &B, ldb, &info)
fn dgesv(_: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let (n, nrhs) = (a.size(0)?, a.size(1)?);
    let lu = Lu::new(load(a, 2, n, n)?);
    store(a, 2, &lu.factors)?;
    store_indices(a, 4, &lu.pivots)?;
    solve_into(a, &lu, 5, n, nrhs, 7)
}

/// Solves for the right-hand side in an argument unless a pivot is missing.
fn solve_into(
    a: &mut Args<'_>,
    lu: &Lu,
    at: usize,
    n: usize,
    nrhs: usize,
    info_at: usize,
) -> Result<Option<Arg>, String> {
    if let Some(k) = lu.singular {
        return finish(a, info_at, k as i64 + 1);
    }
    let mut b = load(a, at, n, nrhs)?;
    lu.solve(&mut b, false);
    store(a, at, &b)?;
    finish(a, info_at, 0)
}

// (m, n, &A, lda, &ipiv, &info)
fn dgetrf(_: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let lu = Lu::new(load(a, 2, a.size(0)?, a.size(1)?)?);
    store(a, 2, &lu.factors)?;
    store_indices(a, 4, &lu.pivots)?;
    finish(a, 5, lu.singular.map_or(0, |k| k as i64 + 1))
}

/// Factors computed by an earlier call.
fn load_lu(a: &Args<'_>, at: usize, pivots_at: usize, n: usize) -> Result<Lu, String> {
    let pivot = |&pivot: &i64| match usize::try_from(pivot) {
        Ok(pivot) if (1..=n).contains(&pivot) => Ok(pivot - 1),
        _ => Err(format!(
            "pivot {pivot} is outside of 1 to {n}: pass the pivots that the factorization returned"
        )),
    };
    let pivots = a.ints(pivots_at)?.iter().take(n).map(pivot).collect::<Result<_, _>>()?;
    Ok(Lu { factors: load(a, at, n, n)?, pivots, singular: None })
}

// (trans, n, nrhs, A, lda, ipiv, &B, ldb, &info)
fn dgetrs(_: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let (transposed, n, nrhs) = (option(a, 0)? != b'N', a.size(1)?, a.size(2)?);
    let mut b = load(a, 6, n, nrhs)?;
    load_lu(a, 3, 5, n)?.solve(&mut b, transposed);
    store(a, 6, &b)?;
    finish(a, 8, 0)
}

// (n, &A, lda, ipiv, work, lwork, &info)
fn dgetri(_: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let n = a.size(0)?;
    let lu = load_lu(a, 1, 3, n)?;
    if let Some(k) = (0..n).find(|&k| lu.factors[(k, k)] == 0.0) {
        return finish(a, 6, k as i64 + 1);
    }
    store(a, 1, &lu.inverse())?;
    finish(a, 6, 0)
}

// (norm, n, A, lda, anorm, &rcond, work, iwork, &info)
fn dgecon(_: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let n = a.size(1)?;
    // Row exchanges permute the columns of the inverse, which neither norm notices.
    let lu = Lu { factors: load(a, 2, n, n)?, pivots: Vec::new(), singular: None };
    let norm = if option(a, 0)? == b'I' { Dense::norm_inf } else { Dense::norm1 };
    let rcond = lu.reciprocal_condition(a.real(4)?, norm);
    a.set(5, Arg::Real(rcond))?;
    finish(a, 8, 0)
}

// (fact, trans, n, nrhs, A, lda, &AF, ldaf, &ipiv, &equed, &R, &C, B, ldb, &X, ldx, &rcond, &ferr, &berr,
//  work, iwork, &info)
fn dgesvx(_: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let (transposed, n, nrhs) = (option(a, 1)? != b'N', a.size(2)?, a.size(3)?);
    let matrix = load(a, 4, n, n)?;
    let norm = if transposed { Dense::norm_inf } else { Dense::norm1 };
    let lu = Lu::new(matrix.clone());
    store(a, 6, &lu.factors)?;
    store_indices(a, 8, &lu.pivots)?;
    let rcond = lu.reciprocal_condition(norm(&matrix), norm);
    a.set(16, Arg::Real(rcond))?;
    if let Some(k) = lu.singular {
        return finish(a, 21, k as i64 + 1);
    }
    let right = load(a, 12, n, nrhs)?;
    let mut x = right.clone();
    lu.solve(&mut x, transposed);
    // One step of iterative refinement.
    let product = if transposed { matrix.transposed().times(&x) } else { matrix.times(&x) };
    let mut correction = Dense::from_fn(n, nrhs, |i, j| right[(i, j)] - product[(i, j)]);
    lu.solve(&mut correction, transposed);
    let x = Dense::from_fn(n, nrhs, |i, j| x[(i, j)] + correction[(i, j)]);
    store(a, 14, &x)?;
    store_vector(a, 17, &vec![0.0; nrhs])?;
    store_vector(a, 18, &vec![0.0; nrhs])?;
    finish(a, 21, if rcond < f64::EPSILON { n as i64 + 1 } else { 0 })
}

// (n, kl, ku, nrhs, &AB, ldab, &ipiv, &B, ldb, &info)
fn dgbsv(_: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let (n, kl, ku, nrhs) = (a.size(0)?, a.size(1)?, a.size(2)?, a.size(3)?);
    let band = load(a, 4, 2 * kl + ku + 1, n)?;
    let inside = |i: usize, j: usize| i <= j + kl && j <= i + ku;
    let full = Dense::from_fn(n, n, |i, j| if inside(i, j) { band[(kl + ku + i - j, j)] } else { 0.0 });
    let lu = Lu::new(full);
    store_indices(a, 6, &lu.pivots)?;
    solve_into(a, &lu, 7, n, nrhs, 9)
}

// (n, nrhs, &dl, &d, &du, &B, ldb, &info)
fn dgtsv(_: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let (n, nrhs) = (a.size(0)?, a.size(1)?);
    let (below, above) = (load_vector(a, 2, n.saturating_sub(1))?, load_vector(a, 4, n.saturating_sub(1))?);
    let diagonal = load_vector(a, 3, n)?;
    let full = Dense::from_fn(n, n, |i, j| {
        if i == j {
            diagonal[i]
        } else if i == j + 1 {
            below[j]
        } else if j == i + 1 {
            above[i]
        } else {
            0.0
        }
    });
    solve_into(a, &Lu::new(full), 5, n, nrhs, 7)
}

// (norm, m, n, A, lda, work) -> value
fn dlange(_: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let matrix = load(a, 3, a.size(1)?, a.size(2)?)?;
    Ok(Some(Arg::Real(match option(a, 0)? {
        b'M' => matrix.norm_max(),
        b'1' | b'O' => matrix.norm1(),
        b'I' => matrix.norm_inf(),
        b'F' | b'E' => matrix.norm_frobenius(),
        other => {
            return Err(format!("dlange: norm \"{}\" is unknown, expected M, 1, I or F", char::from(other)));
        }
    })))
}

// (uplo, n, &A, lda, &info)
fn dpotrf(_: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let (is_upper, n) = (option(a, 0)? == b'U', a.size(1)?);
    let given = load(a, 2, n, n)?;
    let mut l = if is_upper { given.transposed() } else { given };
    for j in 0..n {
        let rest = l[(j, j)] - (0..j).map(|k| l[(j, k)].powi(2)).sum::<f64>();
        if rest.is_nan() || rest <= 0.0 {
            return finish(a, 4, j as i64 + 1);
        }
        l[(j, j)] = rest.sqrt();
        for i in j + 1..n {
            let rest = l[(i, j)] - (0..j).map(|k| l[(i, k)] * l[(j, k)]).sum::<f64>();
            l[(i, j)] = rest / l[(j, j)];
        }
    }
    store(a, 2, &if is_upper { l.transposed() } else { l })?;
    finish(a, 4, 0)
}

// (side, uplo, transA, diag, m, n, alpha, A, lda, &B, ldb)
fn dtrsm(_: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let (right, is_upper) = (option(a, 0)? == b'R', option(a, 1)? == b'U');
    let (transposed, unit) = (option(a, 2)? != b'N', option(a, 3)? == b'U');
    let (m, n, alpha) = (a.size(4)?, a.size(5)?, a.real(6)?);
    let order = if right { n } else { m };
    let given = load(a, 7, order, order)?;
    let triangle = Dense::from_fn(order, order, |i, j| match (i == j, is_upper == (j > i)) {
        (true, _) if unit => 1.0,
        (true, _) | (false, true) => given[(i, j)],
        (false, false) => 0.0,
    });
    let b = load(a, 9, m, n)?;
    let scaled = Dense::from_fn(m, n, |i, j| alpha * b[(i, j)]);
    // X A = B is A' X' = B'; a triangular matrix needs no exchanges.
    let mut x = if right { scaled.transposed() } else { scaled };
    solve_triangular(&triangle, &mut x, is_upper, transposed != right);
    store(a, 9, &if right { x.transposed() } else { x })?;
    Ok(None)
}

fn solve_triangular(triangle: &Dense, x: &mut Dense, is_upper: bool, transposed: bool) {
    let n = triangle.rows;
    let at = |i: usize, k: usize| if transposed { triangle[(k, i)] } else { triangle[(i, k)] };
    let backward = is_upper != transposed;
    for step in 0..n {
        let i = if backward { n - 1 - step } else { step };
        for j in 0..x.columns {
            let known = if backward { i + 1..n } else { 0..i };
            let rest = x[(i, j)] - known.map(|k| at(i, k) * x[(k, j)]).sum::<f64>();
            x[(i, j)] = rest / at(i, i);
        }
    }
}
