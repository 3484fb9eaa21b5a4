//! The corrector of the BDF: a modified Newton iteration that keeps its matrix as long as that pays.

use super::super::iteration::{Jacobian, Shifted};
use super::super::tolerance::{norm, worst};
use super::super::{Cause, Failure, Ode, Stats, Tolerance, recover};
use super::{Failed, Nordsieck};
use crate::Eval;
use crate::integrate::promise::{Kept, Promise, Scale};
use crate::linear::{Pattern, Singular};
use serde::{Deserialize, Serialize};

const MAX_ITERATIONS: usize = 3;
/// Rounds with one matrix that residuals may take to prove themselves.
const PROOFS: usize = 6;
/// Jacobians of iterates that a step may have.
const LOOKS: u32 = 8;
/// A residual of so many tolerances matters.
const MATTERS: f64 = 1.0;
/// What is missing to the solution of a step may be so many tolerances.
const MISSING: f64 = 0.02;
/// Steps after which a matrix, or a Jacobian, is renewed in any case.
const MATRIX_AGE: u64 = 20;
const JACOBIAN_AGE: u64 = 50;
/// The change of the leading coefficient that a matrix survives.
const MATRIX_DRIFT: f64 = 0.3;
const JACOBIAN_DRIFT: f64 = 0.2;
/// How much smaller the expected error must be where the changes alternate.
const ALTERNATING: f64 = 0.2;

/// How much smaller it must be behind kinks: what is missing there is not in proportion to the step, and a step as long as the
/// tolerance allows is never found if the estimated error is that of the iteration.
const KINKED: f64 = 0.05;

/// Working memory of the iteration; `x` and `change` hold its result.
#[derive(Clone, Serialize, Deserialize)]
pub struct Corrector {
    pub x: Vec<f64>,
    /// What was added to the predicted value, and its norm.
    pub change: Vec<f64>,
    pub size: f64,
    /// That of the step before and the step's size; whether the last two point in opposite directions, and the step does not grow.
    earlier: Vec<f64>,
    earlier_step: f64,
    alternating: bool,
    jacobian: Jacobian,
    matrix: Shifted<f64>,
    /// The slope times the leading coefficient.
    scaled_slope: Vec<f64>,
    right: Vec<f64>,
    /// The right-hand side last evaluated.
    f: Vec<f64>,
    rate: f64,
    matrix_gamma: f64,
    matrix_step: u64,
    jacobian_step: u64,
    jacobian_fresh: bool,
    promise: Promise,
    residual: Vec<f64>,
    /// Jacobians of iterates in this step.
    pub looks: u32,
    /// Evaluations that only served to prove what a better Jacobian would not have left to be proven.
    proving: usize,
}

impl Corrector {
    pub fn new(n: usize, pattern: Option<&Pattern>, tolerance: &Tolerance) -> Result<Self, Singular> {
        let jacobian = Jacobian::new(n, pattern, tolerance);
        Ok(Corrector {
            x: vec![0.0; n],
            change: vec![0.0; n],
            size: 0.0,
            earlier: vec![0.0; n],
            earlier_step: 0.0,
            alternating: false,
            matrix: Shifted::new(n, &jacobian.matrix)?,
            jacobian,
            scaled_slope: vec![0.0; n],
            right: vec![0.0; n],
            f: vec![0.0; n],
            rate: 1.0,
            matrix_gamma: 1.0,
            matrix_step: 0,
            jacobian_step: 0,
            jacobian_fresh: false,
            promise: Promise::new(n),
            residual: vec![0.0; n],
            looks: 0,
            proving: 0,
        })
    }

    /// Solves for the corrected value at the predicted point of the history.
    pub fn correct(
        &mut self,
        system: &mut dyn Ode,
        history: &Nordsieck,
        t: f64,
        count: u64,
        failed: Failed,
        weights: &[f64],
        stats: &mut Stats,
    ) -> Result<Result<(), Cause>, Failure> {
        let leading = 1.0 / history.l[1];
        let gamma = history.h * leading;
        if count == 0 && failed == Failed::No {
            self.matrix_gamma = gamma;
            self.matrix_step = 0;
            self.jacobian_step = 0;
        }
        let drift = (gamma / self.matrix_gamma - 1.0).abs();
        let mut renew = failed != Failed::No
            || count == 0
            || count >= self.matrix_step + MATRIX_AGE
            || drift > MATRIX_DRIFT;
        let dear = self.proving > self.jacobian.price();
        let mut stale =
            dear || count == 0 || count > self.jacobian_step + JACOBIAN_AGE || failed == Failed::Convergence;
        renew |= dear;
        self.jacobian_fresh = false;
        loop {
            self.change.fill(0.0);
            if failed == Failed::Convergence {
                // The prediction has led astray: the last value is the safer guess.
                let guess = history.departure().iter().zip(history.row(0));
                self.change.iter_mut().zip(guess).for_each(|(change, (x, z))| *change = x - z);
            }
            for ((x, z), change) in self.x.iter_mut().zip(history.row(0)).zip(&self.change) {
                *x = z + change;
            }
            for ((out, z), change) in self.scaled_slope.iter_mut().zip(history.row(1)).zip(&self.change) {
                *out = leading * z + change;
            }
            stats.evaluations += 1;
            if let Err(cause) = recover(self.defect(system, t, gamma), t)? {
                return Ok(Err(cause));
            }
            if renew {
                stats.factorisations += 1;
                match self.renew(system, t, gamma, stale, stats) {
                    Ok(Ok(())) => {}
                    Ok(Err(Singular { column, .. })) => {
                        if self.jacobian_fresh {
                            return Ok(Err(Cause::Singular { column }));
                        }
                        stale = true;
                        continue;
                    }
                    Err(error) => {
                        if let Err(cause) = recover(Err(error), t)? {
                            return Ok(Err(cause));
                        }
                    }
                }
                if self.jacobian_fresh {
                    self.jacobian_step = count;
                }
                self.matrix_gamma = gamma;
                self.matrix_step = count;
                self.rate = 1.0;
            }
            match self.iterate(system, history, t, gamma, (count, failed), weights, stats)? {
                Ok(()) => return Ok(Ok(())),
                Err(_) if !self.jacobian_fresh => {
                    // A matrix renewed for a new leading coefficient may still hold an old Jacobian.
                    stale = (gamma / self.matrix_gamma - 1.0).abs() < JACOBIAN_DRIFT;
                    renew = true;
                    if !stale && self.matrix_step == count && self.matrix_gamma == gamma {
                        stale = true;
                    }
                }
                Err(cause) => return Ok(Err(cause)),
            }
        }
    }

    fn compare_with_earlier(&mut self, step: f64, weights: &[f64]) {
        let (mut product, mut now, mut before) = (0.0, 0.0, 0.0);
        for ((change, earlier), weight) in self.change.iter().zip(&self.earlier).zip(weights) {
            let (a, b) = (change * weight, earlier * weight);
            product += a * b;
            now += a * a;
            before += b * b;
        }
        let opposite = product < -0.5 * (now * before).sqrt();
        self.alternating = opposite && step <= self.earlier_step;
        self.earlier_step = step;
        self.earlier.copy_from_slice(&self.change);
    }

    fn iterate(
        &mut self,
        system: &mut dyn Ode,
        history: &Nordsieck,
        t: f64,
        gamma: f64,
        (count, failed): (u64, Failed),
        weights: &[f64],
        stats: &mut Stats,
    ) -> Result<Result<(), Cause>, Failure> {
        let leading = 1.0 / history.l[1];
        self.looks = 0;
        self.promise.begin();
        let mut before = 0.0;
        let scale = Scale { weights, residual: MATTERS, missing: MISSING };
        let (mut iteration, mut since) = (0, 0);
        loop {
            stats.iterations += 1;
            self.residual.copy_from_slice(&self.right);
            self.solve(gamma);
            let mut step = norm(&self.right, weights);
            let mut kept = match iteration {
                0 => Kept::Some,
                _ => self.promise.kept(&self.residual, &self.right, self.looks > 0, scale),
            };
            // Behind a kink the matrix may also be far too small.
            let grows = since > 0 && step > 2.0 * before && step > history.tq[4];
            let mut same = true;
            if kept == Kept::Broken || grows && failed == Failed::No {
                if self.looks == LOOKS {
                    return Ok(Err(Cause::Convergence { component: worst(&self.right, weights) }));
                }
                self.looks += 1;
                let fresh = self.jacobian_fresh && since == 1;
                let looked = self.look_again(system, t, gamma, (count, fresh), scale, stats);
                match looked {
                    Ok(noise) => {
                        same = noise;
                        if noise {
                            kept = Kept::All;
                        }
                    }
                    Err(error) => {
                        if let Err(cause) = recover(Err(error), t)? {
                            return Ok(Err(cause));
                        }
                    }
                }
                if self.looks > 1 {
                    self.promise.damp(&mut self.right, weights);
                }
                step = norm(&self.right, weights);
                if !same {
                    // The iteration begins anew from here, with another matrix.
                    since = 0;
                    self.rate = 1.0;
                    self.promise.begin();
                }
            }
            self.promise.remember(&self.residual, &self.right);
            for ((change, x), (d, z)) in
                self.change.iter_mut().zip(&mut self.x).zip(self.right.iter().zip(history.row(0)))
            {
                *change += d;
                *x = z + *change;
            }
            if since > 0 && same {
                self.rate = (0.3 * self.rate).max(step / before);
            }
            // Errors of the iteration that the prediction magnifies come back with the other sign: where that is seen, the
            // rate of earlier steps is not trusted.
            let trusted = match self.looks {
                0 if iteration == 0 && self.alternating => ALTERNATING,
                0 => 1.0,
                _ => KINKED,
            };
            let small = step * self.rate.min(1.0) / history.tq[4] <= trusted;
            if small && self.promise.is_enough(kept, &self.right, scale) {
                self.size = norm(&self.change, weights);
                self.compare_with_earlier(history.h, weights);
                return Ok(Ok(()));
            }
            let slow = since + 1 >= MAX_ITERATIONS && !small || since > PROOFS;
            if slow || grows && same || !step.is_finite() {
                let component = worst(&self.right, weights);
                return Ok(Err(if step.is_finite() {
                    Cause::Convergence { component }
                } else {
                    Cause::NotFinite { component }
                }));
            }
            self.proving += usize::from(small && iteration > 0);
            before = step;
            since += 1;
            iteration += 1;
            for ((out, z), change) in self.scaled_slope.iter_mut().zip(history.row(1)).zip(&self.change) {
                *out = leading * z + change;
            }
            stats.evaluations += 1;
            if let Err(cause) = recover(self.defect(system, t, gamma), t)? {
                return Ok(Err(cause));
            }
        }
    }

    /// Makes a correction of the residual in `right`.
    fn solve(&mut self, gamma: f64) {
        self.matrix.solve(&mut self.right);
        // Corrects on average for the difference between the matrix's leading coefficient and the present one.
        let ratio = gamma / self.matrix_gamma;
        if ratio != 1.0 {
            let relax = 2.0 / (1.0 + ratio);
            self.right.iter_mut().for_each(|v| *v *= relax);
        }
    }

    /// Corrects the residual with a Jacobian of the point reached. True if it says the same as one of the last point: then what
    /// is left is noise.
    #[cold]
    fn look_again(
        &mut self,
        system: &mut dyn Ode,
        t: f64,
        gamma: f64,
        (count, fresh): (u64, bool),
        scale: Scale,
        stats: &mut Stats,
    ) -> Result<bool, Eval> {
        let old = std::mem::replace(&mut self.right, self.residual.clone());
        stats.factorisations += 1;
        self.renew(system, t, gamma, true, stats)?.map_err(|_| Eval::Recoverable(0))?;
        (self.jacobian_step, self.matrix_step, self.matrix_gamma) = (count, count, gamma);
        self.solve(gamma);
        Ok(fresh && self.promise.excuse(&self.residual, &old, &self.right, scale))
    }

    /// What the predicted slope is off by, as right-hand side of the Newton equation.
    fn defect(&mut self, system: &mut dyn Ode, t: f64, gamma: f64) -> Result<(), Eval> {
        system.rhs(t, &self.x, &mut self.f)?;
        for ((out, f), slope) in self.right.iter_mut().zip(&self.f).zip(&self.scaled_slope) {
            *out = gamma * f - slope;
        }
        Ok(())
    }

    /// A factored `I - gamma J`.
    fn renew(
        &mut self,
        system: &mut dyn Ode,
        t: f64,
        gamma: f64,
        stale: bool,
        stats: &mut Stats,
    ) -> Result<Result<(), Singular>, Eval> {
        if stale {
            self.proving = 0;
            self.jacobian.evaluate(system, t, &self.x, &self.f, stats)?;
            self.jacobian_fresh = true;
        }
        Ok(self.matrix.factor(1.0, -gamma, &self.jacobian.matrix))
    }
}
