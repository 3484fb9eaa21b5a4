//! Whether corrections keep what the iteration matrix promises.
//!
//! Problem: implicit steps are solved with a matrix `M = I - γJ` of an earlier point. Where a slope has become much flatter
//! since (`max(p, 0)` behind its kink), `M` is far too large, the correction `M⁻¹r` of a residual `r` far too small, and the
//! iteration seems to have converged where it has hardly begun. Neither the norm of corrections nor its rate tells.
//!
//! Idea: a matrix is trusted component by component, for what its corrections have done. A residual that would matter beside the
//! tolerance, though its correction does not, must be seen to shrink: if `q` of it is left after a correction, `q/(1 - q)` of
//! the next correction is what will still be missing after that. Where a residual hardly shrinks, a Jacobian of the point reached
//! is made; a Newton iteration whose Jacobians are those of its iterates ends on the right side of kinks after a few rounds.
//! Where two such Jacobians in a row say the same and the residual stays, it is noise of the right-hand side, and residuals of
//! that size are believed from then on.
//!
//! Invariant: a solution is accepted only if what is missing to it is small in each component, by the matrix and by what the matrix
//! has been seen to do; or the residual is noise.
//!
//! Cost: nothing where the iteration takes two rounds anyway; one more evaluation where the first correction would have
//! been accepted and some residual matters.

use serde::{Deserialize, Serialize};

/// A correction that is at least this part of its residual is no matter of trust in the matrix.
const BOLD: f64 = 0.5;
/// A matrix is not used any more if its correction leaves more of a residual than this.
const LEFT: f64 = 0.5;
/// Corrections that differ by less than this part are the same.
const SAME: f64 = 0.1;
/// A correction of this part of the last one, squared, leads back.
const RETURN: f64 = 0.8;
/// A matrix is trusted after so many corrections in a row whose residuals have shrunk: the first may have led over a kink, from
/// where it is right to where it is not.
const PROOFS: u32 = 2;
/// Noise may be so many times as large as it was seen.
const EXCUSED: f64 = 4.0;

/// Residuals of a step's system, as corrections of a system without stiffness would be.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Promise {
    /// Those that the last correction was made for.
    before: Vec<f64>,
    /// The last correction.
    applied: Vec<f64>,
    noise: Vec<f64>,
    /// Corrections of the same matrix whose residuals have been seen to shrink.
    proofs: u32,
}

/// Sizes that matter, in tolerances.
#[derive(Clone, Copy)]
pub(crate) struct Scale<'a> {
    pub weights: &'a [f64],
    /// A residual above this matters.
    pub residual: f64,
    /// What is missing may be so large.
    pub missing: f64,
}

/// What the last correction has done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kept {
    /// Nothing is missing that matters.
    All,
    /// Residuals shrink, but not enough yet.
    Some,
    /// Some residual has hardly shrunk.
    Broken,
}

impl Promise {
    pub fn new(n: usize) -> Self {
        Self { before: vec![0.0; n], applied: vec![0.0; n], noise: vec![0.0; n], proofs: 0 }
    }

    /// Another matrix, or another step, begins without trust.
    pub fn begin(&mut self) {
        self.proofs = 0;
    }

    /// Keeps corrections and the residuals for which they are made.
    pub fn remember(&mut self, residuals: &[f64], corrections: &[f64]) {
        self.before.copy_from_slice(residuals);
        self.applied.copy_from_slice(corrections);
    }

    /// Halves corrections that lead all the way back: Newton's method goes to and fro for ever where a slope falls off on both
    /// sides (a root, a limiter).
    pub fn damp(&self, corrections: &mut [f64], weights: &[f64]) {
        let (mut product, mut now, mut before) = (0.0, 0.0, 0.0);
        for ((d, a), w) in corrections.iter().zip(&self.applied).zip(weights) {
            let (d, a) = (d * w, a * w);
            product += d * a;
            now += d * d;
            before += a * a;
        }
        if product < 0.0 && now > RETURN * before {
            corrections.iter_mut().for_each(|d| *d *= 0.5);
        }
    }

    /// Is what the matrix says of the corrections just made enough? Without any proof it is not where only the matrix says that
    /// what is left is small.
    pub fn is_enough(&self, kept: Kept, corrections: &[f64], scale: Scale) -> bool {
        match self.proofs {
            0 => !(0..corrections.len()).any(|i| self.matters(i, self.before[i], corrections[i], scale)),
            _ => kept == Kept::All,
        }
    }

    /// What the remembered correction has done; `corrections` are those that the same matrix makes for `residuals`.
    /// `kinked`: another matrix was needed before, so that one that is too small is as likely as one that is too large.
    pub fn kept(&mut self, residuals: &[f64], corrections: &[f64], kinked: bool, scale: Scale) -> Kept {
        let mut kept = Kept::All;
        self.proofs += 1;
        for i in 0..residuals.len() {
            if kinked
                && residuals[i].abs() > LEFT * self.before[i].abs()
                && self.counts(i, residuals[i], scale)
            {
                return Kept::Broken;
            }
            if self.is_missing(i, residuals[i], corrections[i], scale) {
                if residuals[i].abs() > LEFT * self.before[i].abs() {
                    return Kept::Broken;
                }
                kept = Kept::Some;
            } else if self.proofs < PROOFS && self.matters(i, residuals[i], corrections[i], scale) {
                kept = Kept::Some;
            }
        }
        kept
    }

    /// Two Jacobians say the same about residuals that have stayed: these are noise. `old` corrections are those of a matrix of
    /// the last iterate, `new` ones those of this one.
    pub fn excuse(&mut self, residuals: &[f64], old: &[f64], new: &[f64], scale: Scale) -> bool {
        let stayed = |promise: &Self, i: usize| {
            residuals[i].abs() > LEFT * promise.before[i].abs() && promise.counts(i, residuals[i], scale)
        };
        let stayed: Vec<usize> = (0..residuals.len()).filter(|&i| stayed(self, i)).collect();
        let noise = |i: usize| {
            old[i].abs() * scale.weights[i] <= scale.missing
                && (new[i] - old[i]).abs() <= SAME * old[i].abs()
                && self.is_missing(i, residuals[i], old[i], scale)
        };
        if stayed.is_empty() || !stayed.iter().all(|&i| noise(i)) {
            return false;
        }
        stayed.into_iter().for_each(|i| self.noise[i] = residuals[i].abs());
        true
    }

    /// Would something that matters be missing after this correction?
    fn is_missing(&self, i: usize, residual: f64, correction: f64, scale: Scale) -> bool {
        let left = residual.abs() / self.before[i].abs();
        self.matters(i, residual, correction, scale)
            && !(left < 1.0 && correction.abs() * scale.weights[i] * left <= scale.missing * (1.0 - left))
    }

    fn matters(&self, i: usize, residual: f64, correction: f64, scale: Scale) -> bool {
        correction.abs() < BOLD * residual.abs() && self.counts(i, residual, scale)
    }

    fn counts(&self, i: usize, residual: f64, scale: Scale) -> bool {
        residual.abs() * scale.weights[i] > scale.residual && residual.abs() > EXCUSED * self.noise[i]
    }
}
