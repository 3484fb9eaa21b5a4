//! Tolerances and the norm they define, as users of DASSL know them.

use serde::{Deserialize, Serialize};

/// The error of component `i` may be about `relative * |x_i| + absolute[i]` per step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tolerance {
    pub relative: f64,
    pub absolute: Vec<f64>,
}

impl Tolerance {
    /// The same absolute tolerance for all components.
    pub fn uniform(n: usize, relative: f64, absolute: f64) -> Self {
        Tolerance { relative, absolute: vec![absolute; n] }
    }

    /// Absolute tolerances as the relative one times each component's nominal size.
    pub fn nominal(relative: f64, nominal: &[f64]) -> Self {
        Tolerance { relative, absolute: nominal.iter().map(|size| relative * size.abs()).collect() }
    }

    /// Writes the inverse of each component's tolerated error.
    pub(crate) fn weigh(&self, x: &[f64], weights: &mut [f64]) {
        for ((weight, x), absolute) in weights.iter_mut().zip(x).zip(&self.absolute) {
            *weight = 1.0 / (self.relative * x.abs() + absolute).max(1e-290);
        }
    }
}

/// The weighted root mean square.
pub(crate) fn norm(vector: &[f64], weights: &[f64]) -> f64 {
    if vector.is_empty() {
        return 0.0;
    }
    let sum: f64 = vector.iter().zip(weights).map(|(v, w)| (v * w) * (v * w)).sum();
    (sum / vector.len() as f64).sqrt()
}

/// The weighted maximum.
pub(crate) fn largest(vector: &[f64], weights: &[f64]) -> f64 {
    let sizes = vector.iter().zip(weights).map(|(v, w)| (v * w).abs());
    sizes.fold(0.0, |most, size| if size > most || size.is_nan() { size } else { most })
}

/// The component that contributes most to a norm; the first that is not a number, if any.
pub(crate) fn worst(vector: &[f64], weights: &[f64]) -> usize {
    let mut best = (0, -1.0);
    for (at, (v, w)) in vector.iter().zip(weights).enumerate() {
        let size = (v * w).abs();
        if size.is_nan() {
            return at;
        }
        if size > best.1 {
            best = (at, size);
        }
    }
    best.0
}

/// Does only the matrix say that an error is small? `raw` is the error before it was filtered by the matrix.
pub(super) fn is_damped(raw: &[f64], error: &[f64], weights: &[f64]) -> bool {
    let mut errors = raw.iter().zip(error).zip(weights);
    errors.any(|((raw, error), weight)| raw.abs() * weight > 1.0 && error.abs() < 0.5 * raw.abs())
}
