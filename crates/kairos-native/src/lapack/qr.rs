//! Orthogonal factorization by Householder reflections.

use super::dense::{Dense, norm};

/// A reflection `I - tau v v'` with `v[0] = 1` that maps `x` to a multiple of the first unit vector.
#[derive(Clone, Debug)]
pub(crate) struct Reflection {
    pub v: Vec<f64>,
    pub tau: f64,
    /// What the first component becomes.
    pub beta: f64,
}

impl Reflection {
    pub fn new(x: &[f64]) -> Reflection {
        let mut v = x.to_vec();
        let alpha = x.first().copied().unwrap_or(0.0);
        let tail = if x.len() > 1 { norm(&x[1..]) } else { 0.0 };
        if let Some(first) = v.first_mut() {
            *first = 1.0;
        }
        if tail == 0.0 {
            return Reflection { v, tau: 0.0, beta: alpha };
        }
        let beta = -alpha.hypot(tail).copysign(alpha);
        for value in &mut v[1..] {
            *value /= alpha - beta;
        }
        Reflection { v, tau: (beta - alpha) / beta, beta }
    }

    /// Applies to rows `row..` of the given columns.
    pub fn reflect_rows(&self, a: &mut Dense, row: usize, columns: std::ops::Range<usize>) {
        for j in columns {
            let product: f64 = self.v.iter().enumerate().map(|(i, v)| v * a[(row + i, j)]).sum();
            for (i, v) in self.v.iter().enumerate() {
                a[(row + i, j)] -= self.tau * product * v;
            }
        }
    }

    /// Applies to columns `column..` of the given rows.
    pub fn reflect_columns(&self, a: &mut Dense, column: usize, rows: std::ops::Range<usize>) {
        for i in rows {
            let product: f64 = self.v.iter().enumerate().map(|(j, v)| v * a[(i, column + j)]).sum();
            for (j, v) in self.v.iter().enumerate() {
                a[(i, column + j)] -= self.tau * product * v;
            }
        }
    }
}

/// `A P = Q R`: `R` above the diagonal, the reflections below it.
#[derive(Clone, Debug)]
pub(crate) struct Qr {
    pub factors: Dense,
    pub tau: Vec<f64>,
    /// The original column at each place.
    pub columns: Vec<usize>,
}

impl Qr {
    pub fn new(a: Dense) -> Qr {
        let fixed = a.columns;
        Qr::pivoted(a, fixed)
    }

    /// Takes the first `fixed` columns in order, the others by decreasing remaining length.
    pub fn pivoted(mut a: Dense, fixed: usize) -> Qr {
        let (m, n) = (a.rows, a.columns);
        let mut tau = Vec::with_capacity(m.min(n));
        let mut columns: Vec<usize> = (0..n).collect();
        for k in 0..m.min(n) {
            if k >= fixed {
                let length = |j: usize| norm(&(k..m).map(|i| a[(i, j)]).collect::<Vec<f64>>());
                let first = (k, length(k));
                let (best, _) =
                    (k + 1..n).map(|j| (j, length(j))).fold(first, |b, c| if c.1 > b.1 { c } else { b });
                a.swap_columns(k, best);
                columns.swap(k, best);
            }
            let reflection = Reflection::new(&(k..m).map(|i| a[(i, k)]).collect::<Vec<f64>>());
            reflection.reflect_rows(&mut a, k, k + 1..n);
            a[(k, k)] = reflection.beta;
            for (i, v) in reflection.v.iter().enumerate().skip(1) {
                a[(k + i, k)] = *v;
            }
            tau.push(reflection.tau);
        }
        Qr { factors: a, tau, columns }
    }

    pub fn reflection(&self, k: usize) -> Reflection {
        let below = (k + 1..self.factors.rows).map(|i| self.factors[(i, k)]);
        Reflection { v: std::iter::once(1.0).chain(below).collect(), tau: self.tau[k], beta: 0.0 }
    }

    /// `C` becomes `Q C`, or `Q' C` when transposed.
    pub fn apply(&self, c: &mut Dense, transposed: bool) {
        let count = self.tau.len();
        for step in 0..count {
            let k = if transposed { step } else { count - 1 - step };
            let columns = c.columns;
            self.reflection(k).reflect_rows(c, k, 0..columns);
        }
    }

    /// The first `columns` columns of `Q`.
    pub fn q(&self, columns: usize) -> Dense {
        let mut q = Dense::from_fn(self.factors.rows, columns, |i, j| if i == j { 1.0 } else { 0.0 });
        self.apply(&mut q, false);
        q
    }

    /// The leading `rows` rows of `R`.
    pub fn r(&self, rows: usize) -> Dense {
        Dense::from_fn(rows, self.factors.columns, |i, j| if i <= j { self.factors[(i, j)] } else { 0.0 })
    }
}
