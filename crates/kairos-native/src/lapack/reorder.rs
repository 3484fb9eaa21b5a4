//! LAPACK routines on real Schur forms: reordering, Sylvester equations.

use super::dense::{Dense, finish, load, option, store};
use super::lu::Lu;
use super::qr::Qr;
use super::schur::Schur;
use super::spectral::store_eigenvalues;
use crate::context::Context;
use crate::registry::{Kind, NativeFn};
use crate::value::{Arg, Args};

pub(crate) const FUNCTIONS: &[NativeFn] =
    &[NativeFn::new("dtrsen", Kind::Pure, dtrsen), NativeFn::new("dtrsyl", Kind::Pure, dtrsyl)];

// (job, compq, select, n, &T, ldt, &Q, ldq, &wr, &wi, &m, &s, &sep, work, lwork, iwork, liwork, &info)
fn dtrsen(_: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let n = a.size(3)?;
    let collects = option(a, 1)? == b'V';
    let select = a.bools(2)?;
    let z = if collects { load(a, 6, n, n)? } else { Dense::identity(n) };
    let mut schur = Schur { t: load(a, 4, n, n)?, z, failed_at: None };
    let mut selected = 0;
    let mut k = 0;
    while k < n {
        let size = block_size(&schur.t, k);
        if (k..k + size).any(|i| select.get(i).copied().unwrap_or(false)) {
            let mut at = k;
            while at > selected {
                let before = if at >= 2 && schur.t[(at - 1, at - 2)] != 0.0 { 2 } else { 1 };
                exchange(&mut schur, at - before, before, size);
                at -= before;
            }
            selected += size;
        }
        k += size;
    }
    store(a, 4, &schur.t)?;
    if collects {
        store(a, 6, &schur.z)?;
    }
    store_eigenvalues(a, 8, &schur.eigenvalues())?;
    a.set(10, Arg::Int(selected as i64))?;
    // Condition estimates are given by no job.
    a.set(11, Arg::Real(0.0))?;
    a.set(12, Arg::Real(0.0))?;
    finish(a, 17, 0)
}

fn block_size(t: &Dense, k: usize) -> usize {
    if k + 1 < t.rows && t[(k + 1, k)] != 0.0 { 2 } else { 1 }
}

/// Exchanges the neighbouring diagonal blocks of `p` and `q` rows that begin at `k`, after Bai and Demmel.
fn exchange(schur: &mut Schur, k: usize, p: usize, q: usize) {
    let n = schur.t.rows;
    let end = k + p + q;
    let first = schur.t.block(k, k + p, k, k + p);
    let second = schur.t.block(k + p, end, k + p, end);
    let corner = schur.t.block(k, k + p, k + p, end);
    // With A X - X B = C the columns of (-X, I) span the subspace that belongs to the second block.
    let negative = Dense::from_fn(q, q, |i, j| -second[(i, j)]);
    let Some(x) = sylvester(&first, &negative, &corner) else { return };
    let basis = Dense::from_fn(p + q, q, |i, j| {
        if i < p {
            -x[(i, j)]
        } else if i - p == j {
            1.0
        } else {
            0.0
        }
    });
    let turn = Qr::new(basis).q(p + q);
    let rows = turn.transposed().times(&schur.t.block(k, end, 0, n));
    for i in 0..p + q {
        for j in 0..n {
            schur.t[(k + i, j)] = rows[(i, j)];
        }
    }
    for matrix in [&mut schur.t, &mut schur.z] {
        let columns = matrix.block(0, n, k, end).times(&turn);
        for i in 0..n {
            for j in 0..p + q {
                matrix[(i, k + j)] = columns[(i, j)];
            }
        }
    }
    for i in k + q..end {
        for j in k..k + q {
            schur.t[(i, j)] = 0.0;
        }
    }
    for (at, size) in [(k, q), (k + q, p)] {
        if size == 2 {
            schur.standardize(at);
        }
    }
}

/// Solves `A X + X B = C` for small matrices as one linear system.
fn sylvester(a: &Dense, b: &Dense, c: &Dense) -> Option<Dense> {
    let (m, n) = (a.rows, b.rows);
    let place = |i: usize, j: usize| i * n + j;
    let mut system = Dense::zeros(m * n, m * n);
    for i in 0..m {
        for j in 0..n {
            (0..m).for_each(|k| system[(place(i, j), place(k, j))] += a[(i, k)]);
            (0..n).for_each(|k| system[(place(i, j), place(i, k))] += b[(k, j)]);
        }
    }
    let lu = Lu::new(system);
    if lu.singular.is_some() {
        return None;
    }
    let mut x = Dense::from_fn(m * n, 1, |k, _| c[(k / n, k % n)]);
    lu.solve(&mut x, false);
    Some(Dense::from_fn(m, n, |i, j| x[(place(i, j), 0)]))
}

// (trana, tranb, isgn, m, n, A, lda, B, ldb, &C, ldc, &scale, &info)
fn dtrsyl(_: &mut Context, a: &mut Args<'_>) -> Result<Option<Arg>, String> {
    let (sign, m, n) = (if a.int(2)? < 0 { -1.0 } else { 1.0 }, a.size(3)?, a.size(4)?);
    let turned = |matrix: Dense, flag: u8| if flag == b'N' { matrix } else { matrix.transposed() };
    let left = turned(load(a, 5, m, m)?, option(a, 0)?);
    let transposed_right = option(a, 1)? != b'N';
    let right = turned(load(a, 7, n, n)?, option(a, 1)?);
    let right = Dense::from_fn(n, n, |i, j| sign * right[(i, j)]);
    let mut x = load(a, 9, m, n)?;
    let mut blocks = Vec::new();
    let mut k = 0;
    while k < n {
        let size = if k + 1 < n && (right[(k + 1, k)] != 0.0 && right[(k, k + 1)] != 0.0) { 2 } else { 1 };
        blocks.push((k, size));
        k += size;
    }
    // Columns of X follow from those before them, or behind them when B is transposed.
    if transposed_right {
        blocks.reverse();
    }
    let mut known: Vec<usize> = Vec::new();
    for (k, size) in blocks {
        let rest = Dense::from_fn(m, size, |i, j| {
            x[(i, k + j)] - known.iter().map(|&l| x[(i, l)] * right[(l, k + j)]).sum::<f64>()
        });
        let Some(part) = sylvester(&left, &right.block(k, k + size, k, k + size), &rest) else {
            return finish(a, 12, 1);
        };
        for i in 0..m {
            for j in 0..size {
                x[(i, k + j)] = part[(i, j)];
            }
        }
        known.extend(k..k + size);
    }
    store(a, 9, &x)?;
    a.set(11, Arg::Real(1.0))?;
    finish(a, 12, 0)
}
