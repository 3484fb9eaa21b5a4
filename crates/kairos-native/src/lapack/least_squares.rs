//! LAPACK routines for orthogonal factorization and least squares.

use super::dense::{Dense, finish, load, load_vector, option, store, store_indices, store_vector};
use super::lu::{upper, upper_transposed};
use super::qr::Qr;
use super::svd::singular_values;
use crate::context::Context;
use crate::registry::{Kind, NativeFn};
use crate::value::{Arg, Args};

pub(crate) const FUNCTIONS: &[NativeFn] = &[
    NativeFn::new("dgeqrf", Kind::Pure, dgeqrf),
    NativeFn::new("dgeqp3", Kind::Pure, |_, a| pivoted_qr(a, 8)),
    NativeFn::new("dgeqpf", Kind::Pure, |_, a| pivoted_qr(a, 7)),
    NativeFn::new("dorgqr", Kind::Pure, dorgqr),
    NativeFn::new("dormqr", Kind::Pure, dormqr),
    NativeFn::new("dgels", Kind::Pure, dgels),
    NativeFn::new("dgelsy", Kind::Pure, |_, a| rank_deficient(a, 12)),
    NativeFn::new("dgelsx", Kind::Pure, |_, a| rank_deficient(a, 11)),
    NativeFn::new("dgglse", Kind::Pure, dgglse),
];

// (m, n, &A, lda, &tau, work, lwork, &info)
fn dgeqrf(_: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let qr = Qr::new(load(a, 2, a.size(0)?, a.size(1)?)?);
    store(a, 2, &qr.factors)?;
    store_vector(a, 4, &qr.tau)?;
    finish(a, 7, 0)
}

// (m, n, &A, lda, &jpvt, &tau, work, ..., &info)
fn pivoted_qr(a: &mut Args<'_>, info_at: usize) -> Result<Option<Arg>, String> {
    let (m, n) = (a.size(0)?, a.size(1)?);
    let (order, fixed) = leading_columns(a, 4, n)?;
    let given = load(a, 2, m, n)?;
    let qr = Qr::pivoted(Dense::from_fn(m, n, |i, j| given[(i, order[j])]), fixed);
    store(a, 2, &qr.factors)?;
    store_vector(a, 5, &qr.tau)?;
    let columns: Vec<usize> = qr.columns.iter().map(|&column| order[column]).collect();
    store_indices(a, 4, &columns)?;
    finish(a, info_at, 0)
}

/// Columns that the caller marks with a nonzero entry come first and stay there.
fn leading_columns(a: &Args<'_>, at: usize, n: usize) -> Result<(Vec<usize>, usize), String> {
    let marks = a.ints(at)?;
    let marked = |j: &usize| marks.get(*j).is_some_and(|&mark| mark != 0);
    let mut order: Vec<usize> = (0..n).filter(marked).collect();
    let fixed = order.len();
    order.extend((0..n).filter(|j| !marked(j)));
    Ok((order, fixed))
}

// (m, n, k, &A, lda, tau, work, lwork, &info)
fn dorgqr(_: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let (m, n, k) = (a.size(0)?, a.size(1)?, a.size(2)?);
    let qr = load_reflections(a, 3, 5, m, k)?;
    store(a, 3, &qr.q(n.min(m)))?;
    finish(a, 8, 0)
}

/// Reflections computed by an earlier call.
fn load_reflections(a: &Args<'_>, at: usize, tau_at: usize, rows: usize, count: usize) -> Result<Qr, String> {
    let count = count.min(rows);
    Ok(Qr { factors: load(a, at, rows, count)?, tau: load_vector(a, tau_at, count)?, columns: Vec::new() })
}

// (side, trans, m, n, k, A, lda, tau, &C, ldc, work, lwork, &info)
fn dormqr(_: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let (left, transposed) = (option(a, 0)? == b'L', option(a, 1)? != b'N');
    let (m, n) = (a.size(2)?, a.size(3)?);
    let count = a.size(4)?.min(a.reals(7)?.len());
    let qr = load_reflections(a, 5, 7, if left { m } else { n }, count)?;
    let c = load(a, 8, m, n)?;
    let c = if left {
        let mut c = c;
        qr.apply(&mut c, transposed);
        c
    } else {
        let mut c = c.transposed();
        qr.apply(&mut c, !transposed);
        c.transposed()
    };
    store(a, 8, &c)?;
    finish(a, 12, 0)
}

// (trans, m, n, nrhs, &A, lda, &B, ldb, work, lwork, &info)
fn dgels(_: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let (transposed, m, n, nrhs) = (option(a, 0)? != b'N', a.size(1)?, a.size(2)?, a.size(3)?);
    let given = load(a, 4, m, n)?;
    let matrix = if transposed { given.transposed() } else { given };
    let b = load(a, 6, matrix.rows, nrhs)?;
    match full_rank(&matrix, &b) {
        Ok(x) => {
            store(a, 6, &x)?;
            finish(a, 10, 0)
        }
        Err(k) => finish(a, 10, k as i64 + 1),
    }
}

/// The least-squares solution, or the shortest one where there are many; the failing diagonal where rank lacks.
fn full_rank(matrix: &Dense, b: &Dense) -> Result<Dense, usize> {
    let (m, n) = (matrix.rows, matrix.columns);
    let qr = if m >= n { Qr::new(matrix.clone()) } else { Qr::new(matrix.transposed()) };
    let size = m.min(n);
    let r = qr.r(size);
    if let Some(k) = (0..size).find(|&k| r[(k, k)] == 0.0) {
        return Err(k);
    }
    if m >= n {
        let mut c = b.clone();
        qr.apply(&mut c, true);
        // Rows below keep the residuals, as LAPACK leaves them.
        upper(&r, &mut c);
        Ok(c)
    } else {
        let mut y = b.clone();
        upper_transposed(&r, &mut y);
        let mut x = Dense::from_fn(n, b.columns, |i, j| if i < m { y[(i, j)] } else { 0.0 });
        qr.apply(&mut x, false);
        Ok(x)
    }
}

// (m, n, nrhs, &A, lda, &B, ldb, &jpvt, rcond, &rank, work, ..., &info)
fn rank_deficient(a: &mut Args<'_>, info_at: usize) -> Result<Option<Arg>, String> {
    let (m, n, nrhs) = (a.size(0)?, a.size(1)?, a.size(2)?);
    let (given, mut c) = (load(a, 3, m, n)?, load(a, 5, m, nrhs)?);
    let (order, fixed) = leading_columns(a, 7, n)?;
    let qr = Qr::pivoted(Dense::from_fn(m, n, |i, j| given[(i, order[j])]), fixed);
    let columns: Vec<usize> = qr.columns.iter().map(|&column| order[column]).collect();
    let rank = leading_rank(&qr, a.real(8)?);
    qr.apply(&mut c, true);
    // The shortest solution of the rows that count: of `R x = c` through a factorization of `R'`.
    let across = Qr::new(qr.r(rank).transposed());
    let mut y = c.block(0, rank, 0, nrhs);
    upper_transposed(&across.r(rank), &mut y);
    let mut x = Dense::from_fn(n, nrhs, |i, j| if i < rank { y[(i, j)] } else { 0.0 });
    across.apply(&mut x, false);
    let mut solution = Dense::zeros(n, nrhs);
    for (place, &column) in columns.iter().enumerate() {
        for j in 0..nrhs {
            solution[(column, j)] = x[(place, j)];
        }
    }
    store(a, 5, &solution)?;
    store_indices(a, 7, &columns)?;
    a.set(9, Arg::Int(rank as i64))?;
    finish(a, info_at, 0)
}

/// The size of the largest leading triangle whose condition stays below `1 / rcond`.
fn leading_rank(qr: &Qr, rcond: f64) -> usize {
    let limit = qr.tau.len();
    let acceptable = |&k: &usize| {
        let sigma = singular_values(&qr.r(k).block(0, k, 0, k));
        let (largest, smallest) = (sigma[0], sigma[k - 1]);
        smallest > 0.0 && smallest >= rcond * largest
    };
    (1..=limit).take_while(acceptable).last().unwrap_or(0)
}

// (m, n, p, &A, lda, &B, ldb, &c, &d, &x, work, lwork, &info): minimal |c - A x| with B x = d
fn dgglse(_: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let (m, n, p) = (a.size(0)?, a.size(1)?, a.size(2)?);
    let (matrix, constraint) = (load(a, 3, m, n)?, load(a, 5, p, n)?);
    let (c, d) = (load(a, 7, m, 1)?, load(a, 8, p, 1)?);
    if p > n || n > m + p {
        return Err(format!("dgglse needs p <= n <= m + p, got m = {m}, n = {n}, p = {p}"));
    }
    // x = Q (y, z): the constraint fixes y, least squares finds z.
    let qr = Qr::new(constraint.transposed());
    let r = qr.r(p);
    if (0..p).any(|k| r[(k, k)] == 0.0) {
        return finish(a, 12, 1);
    }
    let mut y = d;
    upper_transposed(&r, &mut y);
    let turned = matrix.times(&qr.q(n));
    let fixed = turned.block(0, m, 0, p).times(&y);
    let rest = Dense::from_fn(m, 1, |i, _| c[(i, 0)] - fixed[(i, 0)]);
    let Ok(z) = full_rank(&turned.block(0, m, p, n), &rest) else { return finish(a, 12, 2) };
    let mut x = Dense::from_fn(n, 1, |i, _| if i < p { y[(i, 0)] } else { z[(i - p, 0)] });
    qr.apply(&mut x, false);
    store(a, 9, &x)?;
    finish(a, 12, 0)
}
