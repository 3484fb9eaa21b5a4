//! Whether corrections keep what the iteration matrix promises.
//!
//! Problem: implicit steps are solved with a matrix `M = I - γJ` of an earlier point. Where a slope has become much flatter
//! since (`max(p, 0)` behind its kink), `M` is far too large, the correction `M⁻¹r` of a residual `r` far too small, and the
//! iteration seems to have converged where it has hardly begun. Neither the sizes of corrections nor their rate tell.
//!
//! Idea: the residual after a correction is zero if the matrix is right, and what it was before if the matrix is much too
//! large. Components whose residual would matter beside the tolerance, though their correction does not, are compared so:
//! the promise is broken where more than half of a residual is left. A Jacobian of the point reached then helps; where it
//! says the same, the residual is noise of the right-hand side, and residuals of that size are believed from then on.
//!
//! Invariant: a solution is accepted only if each residual that matters has shrunk, or is noise.
//!
//! Cost: nothing where the iteration takes two rounds anyway; one more evaluation where the first correction would have
//! been accepted and some residual matters.

use serde::{Deserialize, Serialize};

/// A correction that is at least this part of its residual is no matter of trust in the matrix.
const BOLD: f64 = 0.5;
/// More of a residual than this must not be left after a correction.
const LEFT: f64 = 0.5;
/// Noise may be so many times as large as it was seen.
const EXCUSED: f64 = 4.0;

/// Residuals of a step's system, as corrections of a system without stiffness would be.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Promise {
    /// Those that the last correction was made for.
    before: Vec<f64>,
    noise: Vec<f64>,
}

impl Promise {
    pub fn new(n: usize) -> Self {
        Self { before: vec![0.0; n], noise: vec![0.0; n] }
    }

    /// Keeps the residuals for which corrections are made.
    pub fn remember(&mut self, residuals: &[f64]) {
        self.before.copy_from_slice(residuals);
    }

    /// Does only the matrix say that what is left is small? `limit` is the residual that matters, in tolerances.
    pub fn is_bold(&self, corrections: &[f64], weights: &[f64], limit: f64) -> bool {
        let residuals = self.before.iter().zip(corrections).zip(weights.iter().zip(&self.noise));
        residuals.into_iter().any(|((r, d), (weight, noise))| matters(*r, *d, *weight, *noise, limit))
    }

    /// Have residuals stayed that the remembered corrections should have made small? `corrections` are those for
    /// `residuals`.
    pub fn is_broken(&self, residuals: &[f64], corrections: &[f64], weights: &[f64], limit: f64) -> bool {
        let pairs = residuals.iter().zip(corrections).zip(weights.iter().zip(&self.noise)).zip(&self.before);
        pairs.into_iter().any(|(((r, d), (weight, noise)), before)| {
            r.abs() > LEFT * before.abs() && matters(*r, *d, *weight, *noise, limit)
        })
    }

    /// Does a Jacobian of the very point explain why residuals have stayed, with other corrections than the `old` ones?
    /// Otherwise such residuals are noise.
    pub fn explains(
        &mut self,
        residuals: &[f64],
        old: &[f64],
        new: &[f64],
        weights: &[f64],
        limit: f64,
    ) -> bool {
        let broken = |promise: &Self, i: usize| {
            residuals[i].abs() > LEFT * promise.before[i].abs()
                && matters(residuals[i], old[i], weights[i], promise.noise[i], limit)
        };
        let other = |i: usize| (new[i] - old[i]).abs() > 0.5 * old[i].abs();
        let broken: Vec<usize> = (0..residuals.len()).filter(|&i| broken(self, i)).collect();
        if broken.iter().any(|&i| other(i)) {
            return true;
        }
        broken.into_iter().for_each(|i| self.noise[i] = residuals[i].abs());
        false
    }
}

fn matters(residual: f64, correction: f64, weight: f64, noise: f64, limit: f64) -> bool {
    residual.abs() * weight > limit
        && correction.abs() < BOLD * residual.abs()
        && residual.abs() > EXCUSED * noise
}
