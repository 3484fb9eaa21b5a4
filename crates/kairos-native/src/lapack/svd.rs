//! Singular values by one-sided Jacobi rotations.

use super::dense::{Dense, finish, load, norm, option, store, store_vector};
use crate::registry::{Kind, NativeFn};
use crate::value::{Arg, Args};

pub(crate) const FUNCTIONS: &[NativeFn] = &[
    NativeFn::new("dgesvd", Kind::Pure, |_, a| {
        let vectors = option(a, 0)? != b'N' || option(a, 1)? != b'N';
        decompose(a, vectors, [2, 3, 4, 6, 7, 9, 13])
    }),
    NativeFn::new("dgesdd", Kind::Pure, |_, a| {
        let vectors = option(a, 0)? != b'N';
        decompose(a, vectors, [1, 2, 3, 5, 6, 8, 13])
    }),
];

/// `A = U diag(sigma) V'` with decreasing `sigma` and square orthogonal `U` and `V`.
pub(crate) struct Svd {
    pub u: Dense,
    pub sigma: Vec<f64>,
    pub v: Dense,
}

/// Routines differ in where they have m, n, A, sigma, U, V' and info.
fn decompose(a: &mut Args<'_>, vectors: bool, places: [usize; 7]) -> Result<Option<Arg>, String> {
    let [m, n, matrix, sigma, u, vt, info] = places;
    let matrix = load(a, matrix, a.size(m)?, a.size(n)?)?;
    if vectors {
        let svd = svd(&matrix);
        store_vector(a, sigma, &svd.sigma)?;
        store(a, u, &svd.u)?;
        store(a, vt, &svd.v.transposed())?;
    } else {
        store_vector(a, sigma, &singular_values(&matrix))?;
    }
    finish(a, info, 0)
}

pub(crate) fn singular_values(a: &Dense) -> Vec<f64> {
    if a.rows < a.columns { rotate(a.transposed()).1 } else { rotate(a.clone()).1 }
}

pub(crate) fn svd(a: &Dense) -> Svd {
    if a.rows < a.columns {
        let Svd { u, sigma, v } = svd(&a.transposed());
        return Svd { u: v, sigma, v: u };
    }
    let (columns, sigma, v) = rotate(a.clone());
    let u = completed(&columns, &sigma);
    Svd { u, sigma, v }
}

/// Rotates pairs of columns until all are orthogonal; their lengths are the singular values.
fn rotate(mut a: Dense) -> (Dense, Vec<f64>, Dense) {
    let n = a.columns;
    let mut v = Dense::identity(n);
    // Convergence is quadratic: a handful of sweeps suffices for every size met here.
    for _ in 0..60 {
        let mut rotated = false;
        for p in 0..n {
            for q in p + 1..n {
                rotated |= make_orthogonal(&mut a, &mut v, p, q);
            }
        }
        if !rotated {
            break;
        }
    }
    let lengths: Vec<f64> = (0..n).map(|j| norm(&a.column(j))).collect();
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| lengths[j].total_cmp(&lengths[i]));
    let arranged = |matrix: &Dense| Dense::from_fn(matrix.rows, n, |i, j| matrix[(i, order[j])]);
    (arranged(&a), order.iter().map(|&j| lengths[j]).collect(), arranged(&v))
}

fn make_orthogonal(a: &mut Dense, v: &mut Dense, p: usize, q: usize) -> bool {
    let dot = |x: usize, y: usize| (0..a.rows).map(|i| a[(i, x)] * a[(i, y)]).sum::<f64>();
    let (pp, qq, pq) = (dot(p, p), dot(q, q), dot(p, q));
    if pq == 0.0 || pq.abs() <= f64::EPSILON * (pp * qq).sqrt() || !pq.is_finite() {
        return false;
    }
    let zeta = (qq - pp) / (2.0 * pq);
    let t = 1.0_f64.copysign(zeta) / (zeta.abs() + zeta.hypot(1.0));
    let c = 1.0 / t.hypot(1.0);
    for matrix in [a, v] {
        for i in 0..matrix.rows {
            let (x, y) = (matrix[(i, p)], matrix[(i, q)]);
            matrix[(i, p)] = c * (x - t * y);
            matrix[(i, q)] = c * (y + t * x);
        }
    }
    true
}

/// Scales the columns to unit length and adds what an orthogonal square matrix lacks.
fn completed(columns: &Dense, sigma: &[f64]) -> Dense {
    let m = columns.rows;
    let negligible = sigma.first().copied().unwrap_or(0.0) * f64::EPSILON * m as f64;
    let mut basis: Vec<Vec<f64>> = Vec::new();
    for (j, &length) in sigma.iter().enumerate() {
        if length > negligible {
            basis.push(columns.column(j).iter().map(|value| value / length).collect());
        }
    }
    while basis.len() < m {
        let candidates = (0..m).map(|k| residual(m, k, &basis));
        // The unit vector that the basis explains least.
        let best = candidates.fold((Vec::new(), -1.0), |best, candidate| {
            let length = norm(&candidate);
            if length > best.1 { (candidate, length) } else { best }
        });
        basis.push(best.0.iter().map(|value| value / best.1).collect());
    }
    Dense::from_fn(m, m, |i, j| basis[j][i])
}

fn residual(m: usize, k: usize, basis: &[Vec<f64>]) -> Vec<f64> {
    let mut vector = vec![0.0; m];
    vector[k] = 1.0;
    // Twice is enough to be orthogonal to rounding.
    for _ in 0..2 {
        for other in basis {
            let share: f64 = other.iter().zip(&vector).map(|(x, y)| x * y).sum();
            vector.iter_mut().zip(other).for_each(|(value, other)| *value -= share * other);
        }
    }
    vector
}
