//! Piecewise cubic curves through points: the interpolation that 1-D and time tables share.

use super::kinds::{Extrapolation, Smoothness};

/// The interpolation of one table column.
#[derive(Clone, Debug)]
pub(super) struct Curve {
    values: Vec<f64>,
    /// Per interval the coefficients of `v`, `v^2`, `v^3` for `v = u - left end`.
    segments: Vec<[f64; 3]>,
    /// Slopes that continue the curve beyond its ends.
    left_slope: f64,
    right_slope: f64,
    constant: bool,
}

/// Which derivative of a curve is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Value,
    First,
    Second,
}

/// The end of the table that an argument lies beyond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Left,
    Right,
}

impl Curve {
    pub(super) fn new(x: &[f64], values: Vec<f64>, smoothness: Smoothness) -> Curve {
        let n = x.len();
        let differences = divided_differences(x, &values);
        // Splines need three points; two points make a line.
        let smoothness = if smoothness.is_spline() && n <= 2 { Smoothness::Linear } else { smoothness };
        let segments: Vec<[f64; 3]> = match smoothness {
            Smoothness::Constant => vec![[0.0; 3]; differences.len()],
            Smoothness::Linear => differences.iter().map(|&d| [d, 0.0, 0.0]).collect(),
            _ => {
                let slopes = node_slopes(x, &differences, smoothness);
                (0..n - 1)
                    .map(|i| hermite(x[i + 1] - x[i], differences[i], slopes[i], slopes[i + 1]))
                    .collect()
            }
        };
        let (left_slope, right_slope) = match (smoothness, differences.as_slice()) {
            (_, []) => (0.0, 0.0),
            (Smoothness::Constant | Smoothness::Linear, d) => (d[0], d[d.len() - 1]),
            _ => {
                let [c1, c2, c3] = segments[n - 2];
                let width = x[n - 1] - x[n - 2];
                (segments[0][0], (3.0 * c3 * width + 2.0 * c2) * width + c1)
            }
        };
        Curve { values, segments, left_slope, right_slope, constant: smoothness == Smoothness::Constant }
    }

    /// Evaluates interval `i`; at its right end the value is the table's own, without rounding.
    pub(super) fn at(&self, x: &[f64], i: usize, u: f64, order: Order) -> f64 {
        let Some(&[c1, c2, c3]) = self.segments.get(i) else {
            return if order == Order::Value { self.values[0] } else { 0.0 };
        };
        let v = u - x[i];
        match order {
            Order::Value if u >= x[i + 1] => self.values[i + 1],
            Order::Value => self.values[i] + ((c3 * v + c2) * v + c1) * v,
            Order::First => (3.0 * c3 * v + 2.0 * c2) * v + c1,
            Order::Second => 6.0 * c3 * v + 2.0 * c2,
        }
    }

    /// The limit at the right end of interval `i` from inside it.
    pub(super) fn left_limit(&self, x: &[f64], i: usize, order: Order) -> f64 {
        match order {
            Order::Value if self.constant => self.values[i],
            _ => self.at(x, i, x[(i + 1).min(x.len() - 1)], order),
        }
    }

    pub(super) fn value_at_node(&self, i: usize) -> f64 {
        self.values[i]
    }

    /// Continues the curve beyond an end; `Periodic` and `Forbidden` never arrive here.
    pub(super) fn beyond(&self, x: &[f64], end: End, u: f64, kind: Extrapolation, order: Order) -> f64 {
        let (node, slope) = match end {
            End::Left => (0, self.left_slope),
            End::Right => (x.len() - 1, self.right_slope),
        };
        let slope = if kind == Extrapolation::LastTwoPoints { slope } else { 0.0 };
        match order {
            Order::Value => self.values[node] + slope * (u - x[node]),
            Order::First => slope,
            Order::Second => 0.0,
        }
    }
}

/// The last interval whose left end is not beyond `u`; the outer intervals catch everything outside.
pub(super) fn interval(x: &[f64], u: f64) -> usize {
    x.partition_point(|&node| node <= u).saturating_sub(1).min(x.len().saturating_sub(2))
}

/// Moves an argument by whole periods into the table; the upper end stays the upper end.
pub(super) fn wrap(u: f64, low: f64, high: f64) -> f64 {
    let period = high - low;
    if u < low {
        (u + ((low - u) / period).ceil() * period).clamp(low, high)
    } else if u > high {
        (u - ((u - high) / period).ceil() * period).clamp(low, high)
    } else {
        u
    }
}

/// Slopes of the sides; a repeated point has none.
pub(super) fn divided_differences(x: &[f64], y: &[f64]) -> Vec<f64> {
    let slope = |(x, y): (&[f64], &[f64])| if x[1] > x[0] { (y[1] - y[0]) / (x[1] - x[0]) } else { 0.0 };
    x.windows(2).zip(y.windows(2)).map(slope).collect()
}

/// Slopes of the sides with two invented ones at either end, as Akima continues a curve.
pub(super) fn extended(d: &[f64]) -> Vec<f64> {
    let n = d.len();
    let (left, right) = if n > 1 { (d[0] - d[1], d[n - 1] - d[n - 2]) } else { (0.0, 0.0) };
    let mut all = Vec::with_capacity(n + 4);
    all.extend([d[0] + 2.0 * left, d[0] + left]);
    all.extend_from_slice(d);
    all.extend([d[n - 1] + right, d[n - 1] + 2.0 * right]);
    all
}

/// Akima's weights of the two middle ones of four neighbouring slopes; both zero where they are undecided.
pub(super) fn akima_weights(d: &[f64]) -> (f64, f64) {
    ((d[3] - d[2]).abs(), (d[1] - d[0]).abs())
}

fn node_slopes(x: &[f64], d: &[f64], smoothness: Smoothness) -> Vec<f64> {
    match smoothness {
        Smoothness::Akima | Smoothness::ModifiedAkima => {
            let modified = smoothness == Smoothness::ModifiedAkima;
            extended(d).windows(4).map(|d| akima_slope(d, modified)).collect()
        }
        _ => {
            let inner = |i: usize| {
                let (before, after) = (x[i] - x[i - 1], x[i + 1] - x[i]);
                monotone_slope(before, after, d[i - 1], d[i], smoothness)
            };
            let mut slopes = vec![d[0]];
            slopes.extend((1..d.len()).map(inner));
            slopes.push(d[d.len() - 1]);
            slopes
        }
    }
}

fn akima_slope(d: &[f64], modified: bool) -> f64 {
    let (mut before, mut after) = akima_weights(d);
    if modified {
        before += 0.5 * (d[3] + d[2]).abs();
        after += 0.5 * (d[1] + d[0]).abs();
    }
    let sum = before + after;
    if sum > 0.0 {
        let share = after / sum;
        (1.0 - share) * d[1] + share * d[2]
    } else if modified {
        0.0
    } else {
        0.5 * (d[1] + d[2])
    }
}

fn monotone_slope(before: f64, after: f64, d0: f64, d1: f64, smoothness: Smoothness) -> f64 {
    // Where the direction turns, monotone curves are flat.
    if d0 == 0.0 || d1 == 0.0 || d0.is_sign_negative() != d1.is_sign_negative() {
        return 0.0;
    }
    if smoothness == Smoothness::FritschButland {
        // A weighted harmonic mean, as in Fritsch and Butland.
        return 3.0 * (before + after) / ((before + 2.0 * after) / d0 + (after + 2.0 * before) / d1);
    }
    // Steffen: the parabola's slope, limited to twice the flatter side.
    let parabola = (d0 * after + d1 * before) / (before + after);
    let limit = 2.0 * d0.abs().min(d1.abs());
    parabola.abs().min(limit).copysign(d0)
}

fn hermite(width: f64, difference: f64, left: f64, right: f64) -> [f64; 3] {
    [
        left,
        (3.0 * difference - 2.0 * left - right) / width,
        (left + right - 2.0 * difference) / (width * width),
    ]
}
