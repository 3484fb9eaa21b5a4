//! The real Schur form: Hessenberg reduction, then Francis' implicitly shifted QR steps.

use super::complex::Complex;
use super::dense::Dense;
use super::qr::Reflection;

/// `A = Q H Q'` with `H` zero below its first subdiagonal, where the reflections are kept instead.
pub(crate) struct Hessenberg {
    pub factors: Dense,
    pub tau: Vec<f64>,
}

impl Hessenberg {
    /// Rows and columns outside of `low..high` are triangular already.
    pub fn new(mut a: Dense, low: usize, high: usize) -> Hessenberg {
        let n = a.rows;
        let mut tau = vec![0.0; n.saturating_sub(1)];
        for k in low..high.saturating_sub(2) {
            let reflection = Reflection::new(&(k + 1..high).map(|i| a[(i, k)]).collect::<Vec<f64>>());
            reflection.reflect_rows(&mut a, k + 1, k + 1..n);
            reflection.reflect_columns(&mut a, k + 1, 0..high);
            a[(k + 1, k)] = reflection.beta;
            for (i, v) in reflection.v.iter().enumerate().skip(1) {
                a[(k + 1 + i, k)] = *v;
            }
            tau[k] = reflection.tau;
        }
        Hessenberg { factors: a, tau }
    }

    pub fn h(&self) -> Dense {
        let n = self.factors.rows;
        Dense::from_fn(n, n, |i, j| if i <= j + 1 { self.factors[(i, j)] } else { 0.0 })
    }

    /// `C` becomes `Q C`, or `Q' C` when transposed.
    pub fn apply(&self, c: &mut Dense, transposed: bool) {
        let n = self.factors.rows;
        let count = self.tau.len();
        for step in 0..count {
            let k = if transposed { step } else { count - 1 - step };
            if self.tau[k] == 0.0 {
                continue;
            }
            let below = (k + 2..n).map(|i| self.factors[(i, k)]);
            let v = std::iter::once(1.0).chain(below).collect();
            let columns = c.columns;
            Reflection { v, tau: self.tau[k], beta: 0.0 }.reflect_rows(c, k + 1, 0..columns);
        }
    }

    pub fn q(&self) -> Dense {
        let mut q = Dense::identity(self.factors.rows);
        self.apply(&mut q, false);
        q
    }
}

/// `A = Z T Z'` with `T` triangular up to 2 x 2 blocks with equal diagonals, one per pair of eigenvalues.
pub(crate) struct Schur {
    pub t: Dense,
    pub z: Dense,
    /// Where iteration gave up: eigenvalues from here on are right.
    pub failed_at: Option<usize>,
}

impl Schur {
    pub fn new(a: Dense) -> Schur {
        let n = a.rows;
        let hessenberg = Hessenberg::new(a, 0, n);
        Schur::from_hessenberg(hessenberg.h(), hessenberg.q())
    }

    /// Continues from a Hessenberg matrix; `z` collects the transformations.
    pub fn from_hessenberg(h: Dense, z: Dense) -> Schur {
        let mut schur = Schur { t: h, z, failed_at: None };
        let mut high = schur.t.rows;
        let mut rounds = 0;
        while high > 0 {
            let low = schur.decoupled(high);
            if low + 1 == high {
                (high, rounds) = (high - 1, 0);
            } else if low + 2 == high {
                schur.standardize(low);
                (high, rounds) = (high - 2, 0);
            } else if rounds == 60 {
                schur.failed_at = Some(high);
                break;
            } else {
                rounds += 1;
                schur.step(low, high, rounds % 10 == 0);
            }
        }
        schur
    }

    pub fn eigenvalues(&self) -> Vec<Complex> {
        quasi_triangular_eigenvalues(&self.t)
    }

    /// Where the block that ends before `high` begins; negligible subdiagonals become zero.
    fn decoupled(&mut self, high: usize) -> usize {
        let t = &mut self.t;
        for low in (1..high).rev() {
            let mut size = t[(low - 1, low - 1)].abs() + t[(low, low)].abs();
            if size == 0.0 {
                size = t.norm_max();
            }
            if t[(low, low - 1)].abs() <= f64::EPSILON * size {
                t[(low, low - 1)] = 0.0;
                return low;
            }
        }
        0
    }

    /// One double-shift step on the block `low..high`, which has at least three rows.
    fn step(&mut self, low: usize, high: usize, exceptional: bool) {
        let t = &self.t;
        let (p, q) = (high - 2, high - 1);
        let (sum, product) = if exceptional {
            // Ad hoc shifts break cycles.
            let size = t[(q, p)].abs() + t[(p, p - 1)].abs();
            (1.5 * size, size * size)
        } else {
            (t[(p, p)] + t[(q, q)], t[(p, p)] * t[(q, q)] - t[(p, q)] * t[(q, p)])
        };
        let (h11, h21, h22) = (t[(low, low)], t[(low + 1, low)], t[(low + 1, low + 1)]);
        let mut bulge = vec![
            h11 * h11 + t[(low, low + 1)] * h21 - sum * h11 + product,
            h21 * (h11 + h22 - sum),
            h21 * t[(low + 2, low + 1)],
        ];
        let n = self.t.rows;
        for k in low..high - 1 {
            let reflection = Reflection::new(&bulge);
            let first = if k > low { k - 1 } else { k };
            reflection.reflect_rows(&mut self.t, k, first..n);
            reflection.reflect_columns(&mut self.t, k, 0..high.min(k + 4));
            reflection.reflect_columns(&mut self.z, k, 0..n);
            if k > low {
                for i in k + 1..k + bulge.len() {
                    self.t[(i, k - 1)] = 0.0;
                }
            }
            bulge = (k + 1..high.min(k + 4)).map(|i| self.t[(i, k)]).collect();
        }
    }

    /// Makes the 2 x 2 block at `p` triangular, or its diagonal equal when its eigenvalues are complex.
    pub fn standardize(&mut self, p: usize) {
        let (a, b, c, d) = (self.t[(p, p)], self.t[(p, p + 1)], self.t[(p + 1, p)], self.t[(p + 1, p + 1)]);
        if c == 0.0 {
            return;
        }
        let half = 0.5 * (a - d);
        let discriminant = half * half + b * c;
        if discriminant >= 0.0 {
            let z = half + discriminant.sqrt().copysign(half);
            let length = z.hypot(c);
            self.rotate(p, z / length, c / length);
            self.t[(p + 1, p)] = 0.0;
        } else {
            let angle = 0.5 * (d - a).atan2(b + c);
            self.rotate(p, angle.cos(), angle.sin());
            let mean = 0.5 * (self.t[(p, p)] + self.t[(p + 1, p + 1)]);
            self.t[(p, p)] = mean;
            self.t[(p + 1, p + 1)] = mean;
        }
    }

    fn rotate(&mut self, p: usize, c: f64, s: f64) {
        let n = self.t.rows;
        for j in 0..n {
            let (x, y) = (self.t[(p, j)], self.t[(p + 1, j)]);
            self.t[(p, j)] = c * x + s * y;
            self.t[(p + 1, j)] = c * y - s * x;
        }
        for matrix in [&mut self.t, &mut self.z] {
            for i in 0..matrix.rows {
                let (x, y) = (matrix[(i, p)], matrix[(i, p + 1)]);
                matrix[(i, p)] = c * x + s * y;
                matrix[(i, p + 1)] = c * y - s * x;
            }
        }
    }
}

/// Eigenvalues on the diagonal; the positive imaginary part of a pair comes first.
pub(crate) fn quasi_triangular_eigenvalues(t: &Dense) -> Vec<Complex> {
    let n = t.rows;
    let mut values = Vec::with_capacity(n);
    let mut k = 0;
    while k < n {
        if k + 1 < n && t[(k + 1, k)] != 0.0 {
            let (half, mean) = (0.5 * (t[(k, k)] - t[(k + 1, k + 1)]), 0.5 * (t[(k, k)] + t[(k + 1, k + 1)]));
            let discriminant = half * half + t[(k, k + 1)] * t[(k + 1, k)];
            let root = discriminant.abs().sqrt();
            if discriminant >= 0.0 {
                values.extend([Complex::real(mean + root), Complex::real(mean - root)]);
            } else {
                values.extend([Complex::new(mean, root), Complex::new(mean, -root)]);
            }
            k += 2;
        } else {
            values.push(Complex::real(t[(k, k)]));
            k += 1;
        }
    }
    values
}
