//! Variable-order, variable-step BDF 1–5 in Nordsieck form with fixed leading coefficient, for stiff systems.
//!
//! The step and order control is that of VODE and CVODE (Byrne, Hindmarsh, Brown), whose constants have stood
//! the test of decades: Hindmarsh et al., ACM TOMS 31 (2005) 363.

mod corrector;
mod nordsieck;

use super::tolerance::{largest, norm, worst};
use super::{
    Cause, Failure, Integrator, Ode, Options, Stats, Step, Tolerance, WARY, crosses_zero, is_inside, recover,
    resolution,
};
use corrector::Corrector;
use nordsieck::{MAX_ORDER, Nordsieck};
use serde::{Deserialize, Serialize};

const BIAS_SAME: f64 = 6.0;
const BIAS_DOWN: f64 = 6.0;
const BIAS_UP: f64 = 10.0;
const ADDON: f64 = 1e-6;
/// Smaller gains are not worth a new iteration matrix.
const THRESHOLD: f64 = 1.5;
/// From this part of the tolerance on the next step is shorter: the error that grows is about to reject it, which costs more, and
/// the errors of many steps in a row that all but fail add up.
const TIGHT: f64 = 0.3;
const GROWTH_FIRST: f64 = 1e4;
const GROWTH: f64 = 10.0;

/// The default integrator.
#[derive(Clone, Serialize, Deserialize)]
pub struct Bdf {
    options: Options,
    tolerance: Tolerance,
    t: f64,
    history: Nordsieck,
    corrector: Corrector,
    weights: Vec<f64>,
    scratch: Vec<f64>,
    slope: Vec<f64>,
    stats: Stats,
    /// No step since the last restart.
    fresh: bool,
    keep_step: bool,
    /// Steps since the restart.
    count: u64,
    eta: f64,
    max_eta: f64,
    next_order: usize,
    wait: usize,
    /// So many steps are still looked at once more before they are accepted.
    wary: u32,
    saved_tq5: f64,
    /// The first step that would just have passed after the last restart, and the latest step.
    good_start: f64,
    last_step: f64,
}

impl Bdf {
    /// Memory for a system; fails when its iteration matrix is structurally singular.
    pub fn new(system: &dyn Ode, tolerance: Tolerance, options: Options) -> Result<Self, Failure> {
        let n = system.dimension();
        let corrector = Corrector::new(n, system.pattern(), &tolerance).map_err(|_| Failure::Unsupported)?;
        Ok(Bdf {
            options,
            tolerance,
            t: 0.0,
            history: Nordsieck::new(n, options.max_order.clamp(1, MAX_ORDER)),
            corrector,
            weights: vec![0.0; n],
            scratch: vec![0.0; n],
            slope: vec![0.0; n],
            stats: Stats::default(),
            fresh: true,
            keep_step: false,
            count: 0,
            eta: 1.0,
            max_eta: GROWTH_FIRST,
            next_order: 1,
            wait: 2,
            wary: 0,
            saved_tq5: 0.0,
            good_start: 0.0,
            last_step: 0.0,
        })
    }

    fn advance(&mut self, system: &mut dyn Ode, limit: f64) -> Result<Step, Failure> {
        let from = self.t;
        if limit - from <= resolution(from) {
            return Ok(Step { to: from, at_limit: true });
        }
        if self.fresh {
            self.start(system, limit)?;
        } else {
            self.tolerance.weigh(self.history.row(0), &mut self.weights);
        }
        self.history.depart();
        let h = self.history.h * self.eta;
        let mut to_limit = false;
        let left = limit - from;
        // A little stretch is better than a tiny step afterwards.
        if h * 1.01 >= left {
            to_limit = true;
            self.eta = left / self.history.h;
        }
        if self.next_order != self.history.order {
            self.history.change_order(self.next_order);
            self.wait = self.next_order + 1;
        }
        if self.eta != 1.0 {
            self.history.rescale(self.eta);
        }
        let error = self.attempt(system, limit, &mut to_limit)?;
        self.complete(error);
        self.prepare_next(error);
        self.max_eta = GROWTH;
        Ok(Step { to: self.t, at_limit: to_limit })
    }

    /// Tries shorter steps until one passes; returns its error in units of the tolerance.
    fn attempt(&mut self, system: &mut dyn Ode, limit: f64, to_limit: &mut bool) -> Result<f64, Failure> {
        let from = self.t;
        let (mut error_failures, mut convergence_failures) = (0, 0);
        let mut failed_before = Failed::No;
        loop {
            let h = self.history.h;
            let t = if *to_limit { limit } else { from + h };
            self.history.predict();
            self.history.coefficients(self.wait == 1);
            let corrected = self.corrector.correct(
                system,
                &self.history,
                t,
                self.count,
                failed_before,
                &self.weights,
                &mut self.stats,
            )?;
            let checked = match corrected {
                Ok(()) => recover(system.accept(t, &self.corrector.x), t)?,
                Err(cause) => Err(cause),
            };
            let checked = match checked {
                Ok(()) if self.wary > 0 || crosses_zero(self.history.departure(), &self.corrector.x) => {
                    self.stats.evaluations += 1;
                    is_inside(system, t, &self.corrector.x, &mut self.scratch)?
                }
                checked => checked,
            };
            if let Err(cause) = checked {
                if matches!(cause, Cause::Evaluation(_) | Cause::NotFinite { .. }) {
                    self.wary = WARY;
                }
                self.history.restore();
                self.stats.convergence_failures += 1;
                convergence_failures += 1;
                self.max_eta = 1.0;
                *to_limit = false;
                if h * 0.25 <= resolution(from) || convergence_failures > 40 {
                    return Err(Failure::StepTooSmall { t: from, h, cause });
                }
                failed_before = Failed::Convergence;
                self.history.rescale(0.25);
                continue;
            }
            // Behind a kink errors do not spread evenly: the largest counts.
            let size = match self.corrector.looks {
                0 => self.corrector.size,
                _ => largest(&self.corrector.change, &self.weights),
            };
            let error = size * self.history.tq[2];
            if error <= 1.0 {
                self.t = t;
                return Ok(error);
            }
            self.history.restore();
            self.stats.error_failures += 1;
            error_failures += 1;
            failed_before = Failed::Error;
            self.max_eta = 1.0;
            *to_limit = false;
            let component = worst(&self.corrector.change, &self.weights);
            if h * 0.1 <= resolution(from) || error_failures > 40 {
                return Err(Failure::StepTooSmall { t: from, h, cause: Cause::Error { component } });
            }
            if error_failures <= 3 {
                let exponent = 1.0 / (self.history.order + 1) as f64;
                let mut eta = (1.0 / ((BIAS_SAME * error).powf(exponent) + ADDON)).max(0.1);
                if error_failures >= 2 {
                    eta = eta.min(0.2);
                }
                self.history.rescale(eta);
            } else if self.history.order > 1 {
                self.history.change_order(self.history.order - 1);
                self.wait = self.history.order + 1;
                self.history.rescale(0.1);
            } else {
                // The history is of no use: take the slope anew.
                self.history.rescale(0.1);
                self.wait = 10;
                let recovered = system.rhs(from, self.history.row(0), &mut self.scratch);
                if let Ok(()) = recover(recovered, from)? {
                    self.stats.evaluations += 1;
                    self.history.set_slope(&self.scratch);
                }
            }
        }
    }

    /// Takes the accepted step over into the history.
    fn complete(&mut self, error: f64) {
        self.stats.steps += 1;
        self.count += 1;
        self.wary = self.wary.saturating_sub(1);
        self.last_step = self.history.h;
        if self.count == 1 {
            // A first step that is rejected costs more than one that is a little short.
            let exponent = -1.0 / (self.history.order + 1) as f64;
            self.good_start = self.history.h * (20.0 * error).max(1e-9).powf(exponent).clamp(0.2, 10.0);
        }
        self.history.accept(&self.corrector.change, self.count);
        self.next_order = self.history.order;
        self.wait = self.wait.saturating_sub(1);
        if self.wait == 1 && self.history.order != self.history.max_order {
            self.history.save(&self.corrector.change);
            self.saved_tq5 = self.history.tq[5];
        }
    }

    /// Chooses order and size of the next step.
    fn prepare_next(&mut self, error: f64) {
        let q = self.history.order;
        if self.max_eta == 1.0 {
            self.wait = self.wait.max(2);
            self.eta = 1.0;
            return;
        }
        let same = gain(BIAS_SAME * error, q + 1);
        let mut best = same;
        if self.wait == 0 {
            self.wait = 2;
            let mut down = 0.0;
            if q > 1 {
                let size = norm(self.history.row(q), &self.weights) * self.history.tq[1];
                down = gain(BIAS_DOWN * size, q);
            }
            let mut up = 0.0;
            if q != self.history.max_order && self.saved_tq5 != 0.0 {
                let ratio = self.history.h / self.history.tau[2];
                let quotient = self.history.tq[5] / self.saved_tq5 * ratio.powi(q as i32 + 1);
                let saved = self.history.row(self.history.max_order);
                for (out, (old, new)) in self.scratch.iter_mut().zip(saved.iter().zip(&self.corrector.change))
                {
                    *out = new - quotient * old;
                }
                let size = norm(&self.scratch, &self.weights) * self.history.tq[3];
                up = gain(BIAS_UP * size, q + 2);
            }
            best = same.max(down).max(up);
            if best >= THRESHOLD {
                if best == down && best != same {
                    self.next_order = q - 1;
                } else if best == up && best != same {
                    self.next_order = q + 1;
                    self.history.save(&self.corrector.change);
                }
            }
        }
        self.eta = if best < THRESHOLD { 1.0 } else { best.min(self.max_eta) };
        if error > TIGHT && self.next_order == q && self.eta == 1.0 {
            self.eta = 1.0 / (BIAS_SAME * error).powf(1.0 / (q + 1) as f64);
        }
        let h = self.history.h * self.eta;
        if h > self.options.max_step {
            self.eta = self.options.max_step / self.history.h;
        }
    }

    /// The first step after a restart: slope, weights, size.
    fn start(&mut self, system: &mut dyn Ode, limit: f64) -> Result<(), Failure> {
        let t = self.t;
        self.tolerance.weigh(self.history.row(0), &mut self.weights);
        self.stats.evaluations += 1;
        if let Err(cause) = recover(system.rhs(t, self.history.row(0), &mut self.slope), t)? {
            return Err(Failure::StepTooSmall { t, h: 0.0, cause });
        }
        if let Some(component) = self.slope.iter().position(|v| !v.is_finite()) {
            return Err(Failure::StepTooSmall { t, h: 0.0, cause: Cause::NotFinite { component } });
        }
        let span = limit - t;
        let known = if self.keep_step && self.good_start > 0.0 {
            Some(self.good_start)
        } else {
            self.options.initial_step
        };
        let (h, probed) = match known {
            Some(h) => (h, f64::INFINITY),
            None => self.guess_step(system, span)?,
        };
        let h = h.min(span).min(self.options.max_step).max(2.0 * resolution(t));
        // A difference of slopes gives the second derivative, and with it a start at order two.
        let mut second = false;
        if self.history.max_order > 1 {
            second = probed <= h || self.probe(system, (0.1 * h).max(100.0 * resolution(t)))?.is_some();
        }
        self.history.begin(h, &self.slope, second.then_some(&self.corrector.x[..]));
        self.fresh = false;
        self.count = 0;
        self.eta = 1.0;
        self.max_eta = GROWTH_FIRST;
        self.next_order = self.history.order;
        self.wait = self.history.order + 1;
        self.saved_tq5 = 0.0;
        Ok(())
    }

    /// The step whose first-order error would be about half the tolerance, and the distance it was measured over.
    fn guess_step(&mut self, system: &mut dyn Ode, span: f64) -> Result<(f64, f64), Failure> {
        let (size, speed) = (norm(self.history.row(0), &self.weights), norm(&self.slope, &self.weights));
        let span = if span.is_finite() { span } else { 1.0 };
        if speed == 0.0 {
            // At rest: wait for what time brings.
            return Ok((1e-3 * span, f64::INFINITY));
        }
        let mut probe = if size > 1e-5 { 0.01 * size / speed } else { 1.0 / speed };
        probe = probe.min(0.1 * span).max(100.0 * resolution(self.t));
        for _ in 0..5 {
            let Some(bend) = self.probe(system, probe)? else {
                probe *= 0.1;
                continue;
            };
            let wanted = if bend > 0.0 { 0.5 * (2.0 / bend).sqrt() } else { 100.0 * probe };
            return Ok((wanted.min(100.0 * probe).min(span), probe));
        }
        Ok((probe, f64::INFINITY))
    }

    /// The second derivative over a short distance, into the corrector's `x`; returns its norm if it has one.
    fn probe(&mut self, system: &mut dyn Ode, distance: f64) -> Result<Option<f64>, Failure> {
        for ((out, x), dx) in self.scratch.iter_mut().zip(self.history.row(0)).zip(&self.slope) {
            *out = x + distance * dx;
        }
        let result = system.rhs(self.t + distance, &self.scratch, &mut self.corrector.x);
        self.stats.evaluations += 1;
        let outcome = recover(result, self.t)?;
        for (out, dx) in self.corrector.x.iter_mut().zip(&self.slope) {
            *out = (*out - dx) / distance;
        }
        let bend = norm(&self.corrector.x, &self.weights);
        Ok((outcome.is_ok() && bend.is_finite()).then_some(bend))
    }
}

/// The factor by which a step could grow for an error of this size and power, or 0 if that is not worth it.
fn gain(size: f64, power: usize) -> f64 {
    // Most steps end here, without the cost of a root.
    if size > (1.0001 / THRESHOLD).powi(power as i32) {
        return 0.0;
    }
    1.0 / (size.powf(1.0 / power as f64) + ADDON)
}

/// What the attempt before this one failed of.
#[derive(Clone, Copy, PartialEq)]
enum Failed {
    No,
    Error,
    Convergence,
}

impl Integrator for Bdf {
    fn clone_integrator(&self) -> Box<dyn Integrator> {
        Box::new(self.clone())
    }

    fn written(&self) -> Option<super::Written> {
        Some(super::Written::Bdf(Box::new(self.clone())))
    }

    fn restart(&mut self, t: f64, x: &[f64], keep_step: bool) {
        self.t = t;
        self.history.set_value(x);
        self.stats.restarts += 1;
        self.fresh = true;
        self.keep_step = keep_step;
    }

    fn step(&mut self, system: &mut dyn Ode, limit: f64) -> Result<Step, Failure> {
        self.advance(system, limit)
    }

    fn interpolate(&self, t: f64, x: &mut [f64]) {
        if self.fresh || t == self.t {
            x.copy_from_slice(self.history.row(0));
        } else {
            self.history.value_at((t - self.t) / self.history.h, x);
        }
    }

    fn component(&self, t: f64, index: usize) -> f64 {
        match self.fresh || t == self.t {
            true => self.history.row(0)[index],
            false => self.history.component_at((t - self.t) / self.history.h, index),
        }
    }

    fn interpolate_slope(&self, t: f64, dx: &mut [f64]) {
        if self.fresh {
            dx.fill(0.0);
        } else {
            self.history.slope_at((t - self.t) / self.history.h, dx);
        }
    }

    fn time(&self) -> f64 {
        self.t
    }

    fn state(&self) -> &[f64] {
        self.history.row(0)
    }

    fn stats(&self) -> &Stats {
        &self.stats
    }
}
