//! The Nordsieck history of a BDF and the coefficients that follow from its step sizes.

use serde::{Deserialize, Serialize};

/// BDF of order six is too weakly stable to be of use.
pub const MAX_ORDER: usize = 5;

/// Scaled derivatives `hʲ x⁽ʲ⁾ / j!` of the interpolating polynomial.
#[derive(Clone, Serialize, Deserialize)]
pub struct Nordsieck {
    n: usize,
    rows: Vec<f64>,
    /// The value at the beginning of the last step.
    start: Vec<f64>,
    departure: Vec<f64>,
    pub order: usize,
    pub max_order: usize,
    pub h: f64,
    /// Past step sizes, the latest at 1.
    pub tau: [f64; MAX_ORDER + 2],
    /// Corrector coefficients.
    pub l: [f64; MAX_ORDER + 1],
    /// Test quantities: 1 order down, 2 same order, 3 order up, 4 Newton, 5 change of step.
    pub tq: [f64; 6],
}

impl Nordsieck {
    pub fn new(n: usize, max_order: usize) -> Self {
        Nordsieck {
            n,
            rows: vec![0.0; n * (MAX_ORDER + 1)],
            start: vec![0.0; n],
            departure: vec![0.0; n],
            order: 1,
            max_order,
            h: 1.0,
            tau: [0.0; MAX_ORDER + 2],
            l: [0.0; MAX_ORDER + 1],
            tq: [0.0; 6],
        }
    }

    pub fn row(&self, j: usize) -> &[f64] {
        &self.rows[j * self.n..(j + 1) * self.n]
    }

    fn row_mut(&mut self, j: usize) -> &mut [f64] {
        &mut self.rows[j * self.n..(j + 1) * self.n]
    }

    /// Rows `j` and `j + 1`, the former writable.
    fn pair(&mut self, j: usize) -> (&mut [f64], &[f64]) {
        let (low, high) = self.rows.split_at_mut((j + 1) * self.n);
        (&mut low[j * self.n..], &high[..self.n])
    }

    pub fn set_value(&mut self, x: &[f64]) {
        self.row_mut(0).copy_from_slice(x);
    }

    /// Starts at order one, or at order two with a second derivative.
    pub fn begin(&mut self, h: f64, slope: &[f64], second: Option<&[f64]>) {
        self.h = h;
        self.order = 1;
        self.tau = [0.0; MAX_ORDER + 2];
        self.set_slope(slope);
        if let Some(second) = second {
            self.order = 2;
            // As if equal steps had led here.
            (self.tau[1], self.tau[2]) = (h, h);
            self.row_mut(2).iter_mut().zip(second).for_each(|(out, d)| *out = 0.5 * h * h * d);
        }
    }

    pub fn set_slope(&mut self, slope: &[f64]) {
        let h = self.h;
        self.row_mut(1).iter_mut().zip(slope).for_each(|(out, dx)| *out = h * dx);
    }

    /// Keeps the value at the beginning of a step.
    pub fn depart(&mut self) {
        self.departure.copy_from_slice(&self.rows[..self.n]);
    }

    /// The value at the beginning of the step.
    pub fn departure(&self) -> &[f64] {
        &self.departure
    }

    /// Multiplies by the Pascal triangle: the polynomial one step ahead.
    pub fn predict(&mut self) {
        for k in 1..=self.order {
            for j in (k..=self.order).rev() {
                let (low, high) = self.pair(j - 1);
                low.iter_mut().zip(high).for_each(|(a, b)| *a += b);
            }
        }
    }

    /// Takes a prediction back.
    pub fn restore(&mut self) {
        for k in 1..=self.order {
            for j in (k..=self.order).rev() {
                let (low, high) = self.pair(j - 1);
                low.iter_mut().zip(high).for_each(|(a, b)| *a -= b);
            }
        }
    }

    pub fn rescale(&mut self, eta: f64) {
        let mut factor = eta;
        for j in 1..=self.order {
            self.row_mut(j).iter_mut().for_each(|v| *v *= factor);
            factor *= eta;
        }
        self.h *= eta;
    }

    /// Adds a correction to all derivatives and shifts the step sizes.
    pub fn accept(&mut self, change: &[f64], count: u64) {
        let q = self.order;
        for i in (2..=q).rev() {
            self.tau[i] = self.tau[i - 1];
        }
        if q == 1 && count > 1 {
            self.tau[2] = self.tau[1];
        }
        self.tau[1] = self.h;
        for j in 0..=q {
            let factor = self.l[j];
            self.row_mut(j).iter_mut().zip(change).for_each(|(z, c)| *z += factor * c);
        }
        std::mem::swap(&mut self.start, &mut self.departure);
    }

    /// Keeps a correction in the unused last row, to judge a higher order later.
    pub fn save(&mut self, change: &[f64]) {
        self.row_mut(self.max_order).copy_from_slice(change);
    }

    /// The coefficients of the step of size `h` after steps `tau`; `all` includes those for a change of order.
    pub fn coefficients(&mut self, all: bool) {
        let q = self.order;
        let h = self.h;
        self.l = [0.0; MAX_ORDER + 1];
        self.l[0] = 1.0;
        self.l[1] = 1.0;
        let (mut alpha0, mut alpha0_hat) = (-1.0, -1.0);
        let (mut xi_inverse, mut xi_star_inverse) = (1.0, 1.0);
        let mut sum = h;
        if q > 1 {
            for j in 2..q {
                sum += self.tau[j - 1];
                xi_inverse = h / sum;
                alpha0 -= 1.0 / j as f64;
                for i in (1..=j).rev() {
                    self.l[i] += self.l[i - 1] * xi_inverse;
                }
            }
            alpha0 -= 1.0 / q as f64;
            xi_star_inverse = -self.l[1] - alpha0;
            sum += self.tau[q - 1];
            xi_inverse = h / sum;
            alpha0_hat = -self.l[1] - xi_inverse;
            for i in (1..=q).rev() {
                self.l[i] += self.l[i - 1] * xi_star_inverse;
            }
        }
        let order = q as f64;
        let a1 = 1.0 - alpha0_hat + alpha0;
        let a2 = 1.0 + order * a1;
        self.tq[2] = (a1 / (alpha0 * a2)).abs();
        self.tq[5] = (a2 * xi_star_inverse / (self.l[q] * xi_inverse)).abs();
        if all {
            self.tq[1] = 1.0;
            if q > 1 {
                let c = xi_star_inverse / self.l[q];
                let a3 = alpha0 + 1.0 / order;
                let a4 = alpha0_hat + xi_inverse;
                self.tq[1] = (c * (1.0 - a4 + a3) / a3).abs();
            }
            sum += self.tau[q];
            xi_inverse = h / sum;
            let a5 = alpha0 - 1.0 / (order + 1.0);
            let a6 = alpha0_hat - xi_inverse;
            self.tq[3] = ((1.0 - a6 + a5) / a2 / (xi_inverse * (order + 2.0) * a5)).abs();
        }
        self.tq[4] = 0.1 / self.tq[2];
    }

    /// Raises or lowers the order by one.
    pub fn change_order(&mut self, order: usize) {
        if order > self.order {
            self.raise();
        } else if self.order > 2 {
            self.lower();
        }
        self.order = order;
    }

    fn raise(&mut self) {
        let q = self.order;
        let mut l = [0.0; MAX_ORDER + 2];
        l[2] = 1.0;
        let (mut alpha0, mut alpha1, mut product, mut xi_old, mut sum) = (-1.0, 1.0, 1.0, 1.0, self.h);
        for j in 1..q {
            sum += self.tau[j + 1];
            let xi = sum / self.h;
            product *= xi;
            alpha0 -= 1.0 / (j + 1) as f64;
            alpha1 += 1.0 / xi;
            for i in (2..=j + 2).rev() {
                l[i] = l[i] * xi_old + l[i - 1];
            }
            xi_old = xi;
        }
        let factor = (-alpha0 - alpha1) / product;
        let n = self.n;
        for i in 0..n {
            let top = factor * self.rows[self.max_order * n + i];
            self.rows[(q + 1) * n + i] = top;
            for j in 2..=q {
                self.rows[j * n + i] += l[j] * top;
            }
        }
    }

    fn lower(&mut self) {
        let q = self.order;
        let mut l = [0.0; MAX_ORDER + 2];
        l[2] = 1.0;
        let mut sum = 0.0;
        for j in 1..=q - 2 {
            sum += self.tau[j];
            let xi = sum / self.h;
            for i in (2..=j + 2).rev() {
                l[i] = l[i] * xi + l[i - 1];
            }
        }
        let n = self.n;
        for i in 0..n {
            let top = self.rows[q * n + i];
            for j in 2..q {
                self.rows[j * n + i] -= l[j] * top;
            }
        }
    }

    /// The solution at `s` steps after the current point, `-1 ≤ s ≤ 0`.
    ///
    /// It meets the accepted values at both ends, and near either end it is computed from there, so that
    /// round-off vanishes with the distance. The polynomial may miss the first value by a little; that gap fades
    /// out over the step.
    pub fn value_at(&self, s: f64, x: &mut [f64]) {
        let power = (1.0 + s).powi(self.order as i32 + 1);
        for (i, out) in x.iter_mut().enumerate() {
            *out = self.value_of(i, s, power);
        }
    }

    /// One component of it.
    pub fn component_at(&self, s: f64, i: usize) -> f64 {
        self.value_of(i, s, (1.0 + s).powi(self.order as i32 + 1))
    }

    fn value_of(&self, i: usize, s: f64, power: f64) -> f64 {
        let part = 1.0 + s;
        // Division by s + 1: `rest` becomes the value at the beginning, `quotient` times `part` the difference.
        let (mut value, mut rest, mut quotient) = (0.0, 0.0, 0.0);
        for j in (1..=self.order).rev() {
            let z = self.rows[j * self.n + i];
            value = value * s + z;
            rest = z - rest;
            quotient = quotient * s + rest;
        }
        value = value * s + self.rows[i];
        let gap = self.start[i] - (self.rows[i] - rest);
        match (0.0..1.0).contains(&part) {
            true if part < 0.5 => self.start[i] + part * quotient - gap * power,
            true => value + gap * (1.0 - power),
            false => value,
        }
    }

    /// The slope of `value_at`.
    pub fn slope_at(&self, s: f64, dx: &mut [f64]) {
        let (n, q) = (self.n, self.order);
        let scale = 1.0 / self.h;
        let part = 1.0 + s;
        let fading =
            if (0.0..1.0).contains(&part) { (q + 1) as f64 * part.powi(q as i32) * scale } else { 0.0 };
        for (i, out) in dx.iter_mut().enumerate() {
            let (mut slope, mut rest) = (0.0, 0.0);
            for j in (1..=q).rev() {
                let z = self.rows[j * n + i];
                slope = slope * s + j as f64 * z;
                rest = z - rest;
            }
            let gap = self.start[i] - (self.rows[i] - rest);
            *out = slope * scale - gap * fading;
        }
    }
}
