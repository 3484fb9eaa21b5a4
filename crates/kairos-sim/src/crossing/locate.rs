//! Closing a bracket around the first change of a crossing function.

use super::{Curve, Sampler, TOGETHER, Watch};
use kairos_machine::Eval;

/// Relative size of what the iterates of a loop differ by.
const CLEAR: f64 = 4e-15;

impl Watch {
    /// Closes the bracket around its first change, to a small multiple of machine precision.
    #[inline(never)]
    pub(super) fn locate(&mut self, curve: &mut Sampler<impl Curve>, mut l: f64, mut r: f64) -> Eval<f64> {
        let mut z = self.buffer();
        // Stop past the zero rather than on it, where both senses of a relation agree on what holds.
        let strictly = self.any_beyond(&self.right);
        let mut weight = (1.0, 1.0);
        let mut rounds = 0;
        loop {
            let width = r - l;
            let tolerance = self.resolvable(r);
            if width <= tolerance {
                break;
            }
            rounds += 1;
            let guess = if rounds % 4 == 0 { 0.5 } else { self.earliest_root(weight) };
            let pad = 0.25 * tolerance;
            let t = (l + guess * width).clamp(l + pad, r - pad);
            if !(l < t && t < r) {
                break;
            }
            curve.at(t, &mut z)?;
            // Illinois: the end that stays counts half, so that both ends close in.
            if if strictly { self.any_beyond(&z) } else { self.any_changed(&z) } {
                r = t;
                self.right.copy_from_slice(&z);
                weight = (weight.0 * 0.5, 1.0);
            } else {
                l = t;
                self.left.copy_from_slice(&z);
                weight = (1.0, weight.1 * 0.5);
            }
        }
        self.pool.push(z);
        Ok(r)
    }

    /// Estimated place of the first root as a fraction of the bracket.
    fn earliest_root(&self, (left_weight, right_weight): (f64, f64)) -> f64 {
        let mut earliest = 1.0f64;
        for &r in &self.relations {
            let r = r as usize;
            if !self.changed(r, self.right[r]) {
                continue;
            }
            if self.senses[r].side == 0 {
                return 0.5;
            }
            let (zl, zr) = (self.left[r] * left_weight, self.right[r] * right_weight);
            let guess = zl / (zl - zr);
            earliest = earliest.min(if guess.is_finite() { guess } else { 0.5 });
        }
        earliest.clamp(0.0, 1.0)
    }

    /// Goes on from a hit by small multiples of the resolution, until what crosses is clear of round-off; functions
    /// that cross together up to round-off are then one event.
    #[inline(never)]
    pub(super) fn step_clear(&mut self, curve: &mut Sampler<impl Curve>, hit: f64, end: f64) -> Eval<f64> {
        let last = hit + self.round_off(hit);
        let mut z = self.buffer();
        let seen = last < end && curve.at(last, &mut z).is_ok();
        let gains = |r: usize| seen && self.changed(r, z[r]) && !self.changed(r, self.right[r]);
        let wanted: Vec<u32> = self.relations.iter().copied().filter(|&r| gains(r as usize)).collect();
        let time = self.step_until(curve, &wanted, hit, end, &mut z);
        self.pool.push(z);
        time
    }

    /// As far as all `wanted` functions have changed sides, too.
    fn step_until(
        &mut self,
        curve: &mut Sampler<impl Curve>,
        wanted: &[u32],
        hit: f64,
        end: f64,
        z: &mut [f64],
    ) -> Eval<f64> {
        let mut time = hit;
        for factor in [4.0, 16.0, 64.0, TOGETHER] {
            let further = hit + factor * self.resolvable(hit);
            let complete = wanted.iter().all(|&r| self.changed(r as usize, self.right[r as usize]));
            if further >= end || complete && self.is_clear() {
                break;
            }
            curve.at(further, z)?;
            // A function that only touched zero has been seen; do not pass it by.
            let lost = |r: &u32| {
                let r = *r as usize;
                self.changed(r, self.right[r]) && !self.changed(r, z[r])
            };
            if self.relations.iter().any(lost) {
                continue;
            }
            let gains = |&r: &u32| {
                let r = r as usize;
                self.changed(r, z[r]) && !self.changed(r, self.right[r])
            };
            if wanted.iter().any(gains) || !self.is_clear() {
                time = further;
                self.right.copy_from_slice(z);
            }
        }
        Ok(time)
    }

    /// Is every function that has crossed further from zero than a loop's iterates differ?
    fn is_clear(&self) -> bool {
        self.relations.iter().all(|&r| {
            let r = r as usize;
            !self.changed(r, self.right[r]) || self.right[r].abs() > CLEAR * self.senses[r].largest.max(1.0)
        })
    }

    pub(super) fn resolvable(&self, t: f64) -> f64 {
        (4.0 * f64::EPSILON * t.abs()).max(self.resolution)
    }
}
