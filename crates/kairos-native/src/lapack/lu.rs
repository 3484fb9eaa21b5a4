//! Gaussian elimination with partial pivoting.

use super::dense::Dense;

/// `P A = L U`: the factors in one matrix, and the row exchanged with each row in turn.
#[derive(Clone, Debug)]
pub(crate) struct Lu {
    pub factors: Dense,
    pub pivots: Vec<usize>,
    /// The first column without a pivot.
    pub singular: Option<usize>,
}

impl Lu {
    pub fn new(mut a: Dense) -> Lu {
        let steps = a.rows.min(a.columns);
        let mut pivots = Vec::with_capacity(steps);
        let mut singular = None;
        for k in 0..steps {
            // The first of the largest, so that ties are decided as LAPACK does.
            let pivot =
                (k..a.rows).fold(k, |best, i| if a[(i, k)].abs() > a[(best, k)].abs() { i } else { best });
            pivots.push(pivot);
            if a[(pivot, k)] == 0.0 {
                singular = singular.or(Some(k));
                continue;
            }
            a.swap_rows(k, pivot);
            for i in k + 1..a.rows {
                a[(i, k)] /= a[(k, k)];
                let factor = a[(i, k)];
                if factor != 0.0 {
                    for j in k + 1..a.columns {
                        a[(i, j)] -= factor * a[(k, j)];
                    }
                }
            }
        }
        Lu { factors: a, pivots, singular }
    }

    /// Solves `A X = B`, or `A' X = B` when transposed.
    pub fn solve(&self, b: &mut Dense, transposed: bool) {
        if transposed {
            upper_transposed(&self.factors, b);
            unit_lower_transposed(&self.factors, b);
            for (k, &pivot) in self.pivots.iter().enumerate().rev() {
                b.swap_rows(k, pivot);
            }
        } else {
            for (k, &pivot) in self.pivots.iter().enumerate() {
                b.swap_rows(k, pivot);
            }
            unit_lower(&self.factors, b);
            upper(&self.factors, b);
        }
    }

    pub fn inverse(&self) -> Dense {
        let mut inverse = Dense::identity(self.factors.rows);
        self.solve(&mut inverse, false);
        inverse
    }

    /// The reciprocal condition number, from the norm of the inverse itself rather than an estimate.
    pub fn reciprocal_condition(&self, norm_of_a: f64, norm: impl Fn(&Dense) -> f64) -> f64 {
        let n = self.factors.rows;
        if n == 0 {
            return 1.0;
        }
        if norm_of_a == 0.0 || (0..n).any(|k| self.factors[(k, k)] == 0.0) {
            return 0.0;
        }
        let inverse = norm(&self.inverse());
        if inverse == 0.0 { 0.0 } else { 1.0 / inverse / norm_of_a }
    }
}

fn unit_lower(l: &Dense, b: &mut Dense) {
    for i in 0..b.rows {
        for k in 0..i {
            subtract_row(b, i, k, l[(i, k)]);
        }
    }
}

pub(crate) fn upper(u: &Dense, b: &mut Dense) {
    for i in (0..u.columns).rev() {
        for k in i + 1..u.columns {
            subtract_row(b, i, k, u[(i, k)]);
        }
        divide_row(b, i, u[(i, i)]);
    }
}

pub(crate) fn upper_transposed(u: &Dense, b: &mut Dense) {
    for i in 0..u.columns {
        for k in 0..i {
            subtract_row(b, i, k, u[(k, i)]);
        }
        divide_row(b, i, u[(i, i)]);
    }
}

fn unit_lower_transposed(l: &Dense, b: &mut Dense) {
    for i in (0..b.rows).rev() {
        for k in i + 1..b.rows {
            subtract_row(b, i, k, l[(k, i)]);
        }
    }
}

fn subtract_row(b: &mut Dense, row: usize, other: usize, factor: f64) {
    if factor != 0.0 {
        for j in 0..b.columns {
            b[(row, j)] -= factor * b[(other, j)];
        }
    }
}

fn divide_row(b: &mut Dense, row: usize, divisor: f64) {
    for j in 0..b.columns {
        b[(row, j)] /= divisor;
    }
}
