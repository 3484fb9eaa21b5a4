//! The explicit Runge–Kutta pair 5(4) of Dormand and Prince with its continuous extension, for non-stiff systems.

use super::tolerance::{norm, worst};
use super::{Cause, Failure, Integrator, Ode, Options, STRETCH, Stats, Step, Tolerance, recover, resolution};

const C: [f64; 7] = [0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0];
const A: [&[f64]; 7] = [
    &[],
    &[1.0 / 5.0],
    &[3.0 / 40.0, 9.0 / 40.0],
    &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
    &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
    &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
    &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
];
/// Difference of the fifth and the fourth order weights.
const E: [f64; 7] =
    [71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0];
/// Hairer, Nørsett, Wanner: Solving Ordinary Differential Equations I, II.6.
const D: [f64; 7] = [
    -12715105075.0 / 11282082432.0,
    0.0,
    87487479700.0 / 32700410799.0,
    -10690763975.0 / 1880347072.0,
    701980252875.0 / 199316789632.0,
    -1453857185.0 / 822651844.0,
    69997945.0 / 29380423.0,
];

/// The product of step and eigenvalue that a failed step stands for at most.
const MOST_FAILED: f64 = 10.0;
/// The bend of the curve within a step that is looked at, in units of the tolerance.
const BENT: f64 = 10.0;
/// Its share of the motion from which on the interpolant is not what it should be.
const OVERSTRETCHED: f64 = 0.02;

/// Explicit, order five, dense output of order four (the order of the error estimate).
pub struct DormandPrince {
    n: usize,
    options: Options,
    tolerance: Tolerance,
    t: f64,
    x: Vec<f64>,
    previous: f64,
    /// The seven stages; the last of a step is the first of the next.
    k: Vec<f64>,
    stage: Vec<f64>,
    next: Vec<f64>,
    error: Vec<f64>,
    weights: Vec<f64>,
    /// Coefficients of the interpolant of the last step.
    dense: Vec<f64>,
    h: f64,
    wanted: f64,
    last_error: f64,
    fresh: bool,
    have_slope: bool,
    keep_step: bool,
    stiffness: f64,
    decay: f64,
    stats: Stats,
}

impl DormandPrince {
    pub fn new(system: &dyn Ode, tolerance: Tolerance, options: Options) -> Result<Self, Failure> {
        if system.mass().is_some() {
            return Err(Failure::Unsupported);
        }
        let n = system.dimension();
        Ok(DormandPrince {
            n,
            options,
            tolerance,
            t: 0.0,
            x: vec![0.0; n],
            previous: 0.0,
            k: vec![0.0; 7 * n],
            stage: vec![0.0; n],
            next: vec![0.0; n],
            error: vec![0.0; n],
            weights: vec![0.0; n],
            dense: vec![0.0; 5 * n],
            h: 0.0,
            wanted: 0.0,
            last_error: 1e-4,
            fresh: true,
            have_slope: false,
            keep_step: false,
            stiffness: 0.0,
            decay: 0.0,
            stats: Stats::default(),
        })
    }

    /// The step size times the dominant eigenvalue as seen in the last steps; above 3.25 the system is stiff.
    pub fn stiffness(&self) -> f64 {
        self.stiffness
    }

    /// The part of `stiffness` that decays; an oscillation has none.
    pub fn decay(&self) -> f64 {
        self.decay
    }

    fn start(&mut self, system: &mut dyn Ode, limit: f64) -> Result<(), Failure> {
        let t = self.t;
        if !self.have_slope {
            self.stats.evaluations += 1;
            if let Err(cause) = recover(system.rhs(t, &self.x, &mut self.k[..self.n]), t)? {
                return Err(Failure::StepTooSmall { t, h: 0.0, cause });
            }
        }
        if let Some(component) = self.k[..self.n].iter().position(|v| !v.is_finite()) {
            return Err(Failure::StepTooSmall { t, h: 0.0, cause: Cause::NotFinite { component } });
        }
        self.have_slope = true;
        self.fresh = false;
        if self.keep_step && self.wanted > 0.0 {
            return Ok(());
        }
        self.last_error = 1e-4;
        self.wanted = match self.options.initial_step {
            Some(h) => h,
            None => self.guess_step(system, limit - t)?,
        };
        Ok(())
    }

    /// Hairer's starting step: an Euler probe estimates the second derivative.
    fn guess_step(&mut self, system: &mut dyn Ode, span: f64) -> Result<f64, Failure> {
        self.tolerance.weigh(&self.x, &mut self.weights);
        let span = if span.is_finite() { span } else { 1.0 };
        let slope = &self.k[..self.n];
        let (size, speed) = (norm(&self.x, &self.weights), norm(slope, &self.weights));
        if speed == 0.0 {
            return Ok(1e-3 * span);
        }
        let probe = if size > 1e-5 { 0.01 * size / speed } else { 1.0 / speed };
        let probe = probe.min(0.1 * span).max(100.0 * resolution(self.t));
        for i in 0..self.n {
            self.stage[i] = self.x[i] + probe * slope[i];
        }
        self.stats.evaluations += 1;
        let outcome = recover(system.rhs(self.t + probe, &self.stage, &mut self.error), self.t)?;
        for (out, dx) in self.error.iter_mut().zip(slope) {
            *out = (*out - dx) / probe;
        }
        let bend = norm(&self.error, &self.weights);
        if outcome.is_err() || !bend.is_finite() {
            return Ok(0.1 * probe);
        }
        let largest = bend.max(speed);
        Ok((0.01 / largest).powf(0.2).min(100.0 * probe).min(span))
    }

    /// All stages from `t` with step `h`; the new state ends up in `next`, its slope in the last stage.
    fn stages(&mut self, system: &mut dyn Ode, t: f64, h: f64) -> Result<Result<(), Cause>, Failure> {
        let n = self.n;
        for s in 1..7 {
            let target = if s == 6 { &mut self.next } else { &mut self.stage };
            target.copy_from_slice(&self.x);
            for (j, &a) in A[s].iter().enumerate().filter(|(_, a)| **a != 0.0) {
                let factor = h * a;
                target.iter_mut().zip(&self.k[j * n..(j + 1) * n]).for_each(|(x, k)| *x += factor * k);
            }
            self.stats.evaluations += 1;
            let at = t + C[s] * h;
            if let Err(cause) = recover(system.rhs(at, target, &mut self.k[s * n..(s + 1) * n]), at)? {
                return Ok(Err(cause));
            }
        }
        Ok(Ok(()))
    }

    /// Keeps what the interpolant of the accepted step needs.
    fn remember(&mut self, h: f64) {
        let n = self.n;
        for i in 0..n {
            let change = self.next[i] - self.x[i];
            let bulge = h * self.k[i] - change;
            self.dense[i] = self.x[i];
            self.dense[n + i] = change;
            self.dense[2 * n + i] = bulge;
            self.dense[3 * n + i] = change - h * self.k[6 * n + i] - bulge;
            self.dense[4 * n + i] = h * self.bend(i);
        }
    }

    /// The last term of the interpolant.
    fn bend(&self, i: usize) -> f64 {
        D.iter().enumerate().map(|(s, d)| d * self.k[s * self.n + i]).sum()
    }

    /// Does the curve bend so much within the step that its ends, though good, do not tell what lies between?
    fn is_overstretched(&self, h: f64) -> bool {
        let n = self.n;
        (0..n).any(|i| {
            let bend = (h * self.bend(i) / 16.0).abs();
            let change = self.next[i] - self.x[i];
            let bulge = h * self.k[i] - change;
            bend * self.weights[i] > BENT && bend > OVERSTRETCHED * change.abs().max(bulge.abs())
        })
    }

    /// What the last two stages say of stiffness; a step that failed may just have been too long, and counts less.
    fn judge(&mut self, h: f64, failed: bool) {
        let n = self.n;
        let (mut above, mut below, mut along, mut noise) = (0.0, 0.0, 0.0, 0.0);
        for i in 0..n {
            // Weighed as the error is: what limits the step may be a small component among large ones.
            let weight = self.weights[i];
            let slope = weight * (self.k[6 * n + i] - self.k[5 * n + i]);
            let change = weight * (self.next[i] - self.stage[i]);
            above += slope * slope;
            below += change * change;
            along -= slope * change;
            noise += (weight * 64.0 * f64::EPSILON * self.next[i]).powi(2);
        }
        // Where the stages agree up to round-off, their quotient says nothing. At rest only steps that fail tell that their
        // length, and nothing that moves, makes them fail.
        if below > noise && above.is_finite() {
            let most = if failed { MOST_FAILED } else { f64::INFINITY };
            self.stiffness = 0.8 * self.stiffness + 0.2 * (h * (above / below).sqrt()).min(most);
            self.decay = 0.8 * self.decay + 0.2 * (h * along / below).min(most);
        }
    }
}

impl DormandPrince {
    /// The polynomial of the last step, at a part of it.
    fn dense_at(&self, s: f64, i: usize) -> f64 {
        let r = 1.0 - s;
        let d = |row: usize| self.dense[row * self.n + i];
        d(0) + s * (d(1) + r * (d(2) + s * (d(3) + r * d(4))))
    }
}

impl Integrator for DormandPrince {
    fn restart(&mut self, t: f64, x: &[f64], keep_step: bool) {
        self.t = t;
        self.x.copy_from_slice(x);
        self.fresh = true;
        self.have_slope = false;
        self.keep_step = keep_step;
        self.stats.restarts += 1;
    }

    fn step(&mut self, system: &mut dyn Ode, limit: f64) -> Result<Step, Failure> {
        let from = self.t;
        if limit - from <= resolution(from) {
            return Ok(Step { from, to: from, at_limit: true, order: 5 });
        }
        if self.fresh {
            self.start(system, limit)?;
        }
        let n = self.n;
        let mut rejected = false;
        loop {
            let mut h = self.wanted.min(self.options.max_step);
            let at_limit = h * STRETCH >= limit - from;
            if at_limit {
                h = limit - from;
            }
            if h <= resolution(from) && !at_limit {
                return Err(Failure::StepTooSmall {
                    t: from,
                    h,
                    cause: Cause::Error { component: worst(&self.error, &self.weights) },
                });
            }
            let to = if at_limit { limit } else { from + h };
            let mut outcome = self.stages(system, from, h)?;
            if outcome.is_ok() {
                outcome = recover(system.accept(to, &self.next), to)?;
            }
            let size = if outcome.is_ok() {
                for i in 0..n {
                    let mut sum = 0.0;
                    for s in 0..7 {
                        sum += E[s] * self.k[s * n + i];
                    }
                    self.error[i] = h * sum;
                    let reach = self.x[i].abs().max(self.next[i].abs());
                    self.weights[i] =
                        1.0 / (self.tolerance.relative * reach + self.tolerance.absolute[i]).max(1e-290);
                }
                norm(&self.error, &self.weights)
            } else {
                f64::NAN
            };
            if !size.is_finite() {
                self.stats.convergence_failures += 1;
                rejected = true;
                self.wanted = 0.25 * h;
                if self.wanted <= resolution(from) {
                    let component = worst(&self.error, &self.weights);
                    let cause = outcome.err().unwrap_or(Cause::NotFinite { component });
                    return Err(Failure::StepTooSmall { t: from, h, cause });
                }
                continue;
            }
            // Gustafsson's controller, with the error before this one.
            let factor = 0.9 * size.max(1e-10).powf(-0.17) * self.last_error.powf(0.04);
            if size <= 1.0 && self.is_overstretched(h) {
                self.stats.error_failures += 1;
                rejected = true;
                self.wanted = 0.5 * h;
                continue;
            }
            if size > 1.0 {
                self.judge(h, true);
                self.stats.error_failures += 1;
                rejected = true;
                self.wanted = h * (0.9 * size.powf(-0.2)).clamp(0.1, 0.9);
                if self.wanted <= resolution(from) {
                    let component = worst(&self.error, &self.weights);
                    return Err(Failure::StepTooSmall { t: from, h, cause: Cause::Error { component } });
                }
                continue;
            }
            let grown = h * factor.clamp(0.2, if rejected { 1.0 } else { 10.0 });
            // A step cut short by the limit says nothing against the longer one that was wanted.
            if at_limit && h < self.wanted {
                self.wanted = grown.max(self.wanted);
            } else {
                self.wanted = grown;
                self.last_error = size.max(1e-4);
            }
            self.remember(h);
            self.judge(h, false);
            self.previous = from;
            self.h = h;
            self.t = to;
            self.x.copy_from_slice(&self.next);
            self.k.copy_within(6 * n..7 * n, 0);
            self.stats.steps += 1;
            return Ok(Step { from, to, at_limit, order: 5 });
        }
    }

    fn interpolate(&self, t: f64, x: &mut [f64]) {
        if self.fresh || t == self.t {
            x.copy_from_slice(&self.x);
            return;
        }
        let s = (t - self.previous) / self.h;
        for (i, out) in x.iter_mut().enumerate() {
            *out = self.dense_at(s, i);
        }
    }

    fn component(&self, t: f64, index: usize) -> f64 {
        match self.fresh || t == self.t {
            true => self.x[index],
            false => self.dense_at((t - self.previous) / self.h, index),
        }
    }

    fn interpolate_slope(&self, t: f64, dx: &mut [f64]) {
        if self.fresh {
            dx.fill(0.0);
            return;
        }
        let s = (t - self.previous) / self.h;
        let (r, n) = (1.0 - s, self.n);
        for (i, out) in dx.iter_mut().enumerate() {
            let d = |row: usize| self.dense[row * n + i];
            let inner = d(3) + r * d(4);
            let middle = d(2) + s * inner;
            let middle_slope = inner - s * d(4);
            let outer = d(1) + r * middle;
            let outer_slope = r * middle_slope - middle;
            *out = (outer + s * outer_slope) / self.h;
        }
    }

    fn time(&self) -> f64 {
        self.t
    }

    fn state(&self) -> &[f64] {
        &self.x
    }

    fn stats(&self) -> &Stats {
        &self.stats
    }
}
