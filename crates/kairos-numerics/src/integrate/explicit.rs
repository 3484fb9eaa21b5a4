//! The explicit Runge–Kutta pair 5(4) of Dormand and Prince with its continuous extension, for non-stiff systems.

use super::leap::{ROWS, Stages, given};
use super::tolerance::{norm, worst};
use super::{Cause, Failure, Integrator, Ode, Options, STRETCH, Stats, Step, Tolerance, recover, resolution};
use serde::{Deserialize, Serialize};

/// The product of step and eigenvalue that a failed step stands for at most.
const MOST_FAILED: f64 = 10.0;
/// The bend of the curve within a step that is looked at, in units of the tolerance.
const BENT: f64 = 10.0;
/// Its share of the motion from which on the interpolant is not what it should be.
const OVERSTRETCHED: f64 = 0.02;

/// Explicit, order five, dense output of order four (the order of the error estimate).
#[derive(Clone, Serialize, Deserialize)]
pub struct DormandPrince {
    n: usize,
    options: Options,
    tolerance: Tolerance,
    t: f64,
    /// States and slopes from which the next step starts, its length and its end, and whether the slopes are known.
    from: Vec<f64>,
    /// What a step has come to, as `leap::ROWS` says.
    trial: Vec<f64>,
    stages: Stages,
    weights: Vec<f64>,
    previous: f64,
    /// Coefficients of the interpolant of the last step.
    dense: Vec<f64>,
    h: f64,
    wanted: f64,
    /// The share that the error before this one has in the choice of a step.
    last_share: f64,
    fresh: bool,
    have_slope: bool,
    /// The slopes stand in `trial`, where a leap has left them.
    slope_found: bool,
    keep_step: bool,
    stiffness: f64,
    decay: f64,
    stats: Stats,
}

/// What a step has come to.
struct Verdict {
    /// The error, in units of the tolerance.
    size: f64,
    /// The curve bends so much that the ends of the step, though good, do not tell what lies between.
    overstretched: bool,
    /// Differences of slopes and of states in the last two stages, squared, and their product: what tells of stiffness.
    above: f64,
    below: f64,
    along: f64,
    noise: f64,
}

impl DormandPrince {
    pub fn new(system: &dyn Ode, tolerance: Tolerance, options: Options) -> Result<Self, Failure> {
        let n = system.dimension();
        Ok(DormandPrince {
            n,
            options,
            tolerance,
            t: 0.0,
            from: vec![0.0; given(n)],
            trial: vec![0.0; ROWS * n + system.beyond()],
            stages: Stages::new(n),
            weights: vec![0.0; n],
            previous: 0.0,
            dense: vec![0.0; 5 * n],
            h: 0.0,
            wanted: 0.0,
            last_share: share(1e-4),
            fresh: true,
            have_slope: false,
            slope_found: false,
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
        self.fresh = false;
        // The slopes can wait for a leap, which finds them by the way.
        if self.keep_step && self.wanted > 0.0 {
            return Ok(());
        }
        self.find_slope(system)?;
        self.last_share = share(1e-4);
        self.wanted = match self.options.initial_step {
            Some(h) => h,
            None => self.guess_step(system, limit - self.t)?,
        };
        Ok(())
    }

    /// Evaluates the slopes from which the next step starts, unless they are known.
    fn find_slope(&mut self, system: &mut dyn Ode) -> Result<(), Failure> {
        if self.have_slope {
            return Ok(());
        }
        let t = self.t;
        let (x, slope) = self.from[..2 * self.n].split_at_mut(self.n);
        self.stats.evaluations += 1;
        if let Err(cause) = recover(system.rhs(t, x, slope), t)? {
            return Err(Failure::StepTooSmall { t, h: 0.0, cause });
        }
        if let Some(component) = slope.iter().position(|v| !v.is_finite()) {
            return Err(Failure::StepTooSmall { t, h: 0.0, cause: Cause::NotFinite { component } });
        }
        self.have_slope = true;
        Ok(())
    }

    /// Hairer's starting step: an Euler probe estimates the second derivative.
    fn guess_step(&mut self, system: &mut dyn Ode, span: f64) -> Result<f64, Failure> {
        let span = if span.is_finite() { span } else { 1.0 };
        let (x, slope) = self.from[..2 * self.n].split_at(self.n);
        let (stage, rates) = self.trial[..2 * self.n].split_at_mut(self.n);
        self.tolerance.weigh(x, &mut self.weights);
        let (size, speed) = (norm(x, &self.weights), norm(slope, &self.weights));
        if speed == 0.0 {
            return Ok(1e-3 * span);
        }
        let probe = if size > 1e-5 { 0.01 * size / speed } else { 1.0 / speed };
        let probe = probe.min(0.1 * span).max(100.0 * resolution(self.t));
        for ((stage, x), dx) in stage.iter_mut().zip(x).zip(slope) {
            *stage = x + probe * dx;
        }
        self.stats.evaluations += 1;
        let outcome = recover(system.rhs(self.t + probe, stage, rates), self.t)?;
        for (out, dx) in rates.iter_mut().zip(slope) {
            *out = (*out - dx) / probe;
        }
        let bend = norm(rates, &self.weights);
        if outcome.is_err() || !bend.is_finite() {
            return Ok(0.1 * probe);
        }
        let largest = bend.max(speed);
        Ok((0.01 / largest).powf(0.2).min(100.0 * probe).min(span))
    }

    /// A step from `t` of the length `h`, which ends at `to`, into `trial`.
    fn attempt(
        &mut self,
        system: &mut dyn Ode,
        (t, to): (f64, f64),
        h: f64,
    ) -> Result<Result<(), Cause>, Failure> {
        let n = self.n;
        // Only another attempt asks for them: copied at once they would have to wait for the leap to be stored.
        if std::mem::take(&mut self.slope_found) {
            self.from[n..2 * n].copy_from_slice(&self.trial[6 * n..7 * n]);
        }
        self.from[2 * n..].copy_from_slice(&[h, to, f64::from(u8::from(self.have_slope))]);
        if system.leap(t, &self.from, &mut self.trial) {
            self.stats.evaluations += 6;
            self.slope_found = !std::mem::replace(&mut self.have_slope, true);
            self.stats.evaluations += u64::from(self.slope_found);
            return Ok(Ok(()));
        }
        self.find_slope(system)?;
        self.stages.run(system, t, &self.from, &mut self.trial, &mut self.stats.evaluations)
    }

    /// Looks at what `attempt` has come to.
    fn weigh(&mut self) -> Verdict {
        let n = self.n;
        let (x, h) = (&self.from[..n], self.from[2 * n]);
        let row = |k: usize| &self.trial[k * n..(k + 1) * n];
        let (next, end, error) = (row(0), row(1), row(2));
        let (bend, near, near_slope, slope) = (row(3), row(4), row(5), row(6));
        let (weights, absolute) = (&mut self.weights[..n], &self.tolerance.absolute[..n]);
        let (mut sum, mut overstretched) = (0.0, false);
        let (mut above, mut below, mut along, mut noise) = (0.0, 0.0, 0.0, 0.0);
        for i in 0..n {
            let reach = x[i].abs().max(next[i].abs());
            let weight = 1.0 / (self.tolerance.relative * reach + absolute[i]).max(1e-290);
            weights[i] = weight;
            sum += (error[i] * weight) * (error[i] * weight);
            let bend = (bend[i] / 16.0).abs();
            let change = next[i] - x[i];
            let bulge = h * slope[i] - change;
            overstretched |= bend * weight > BENT && bend > OVERSTRETCHED * change.abs().max(bulge.abs());
            // Weighed as the error is: what limits the step may be a small component among large ones.
            let steeper = weight * (end[i] - near_slope[i]);
            let apart = weight * (next[i] - near[i]);
            above += steeper * steeper;
            below += apart * apart;
            along -= steeper * apart;
            let least = weight * 64.0 * f64::EPSILON * next[i];
            noise += least * least;
        }
        let size = if n == 0 { 0.0 } else { (sum / n as f64).sqrt() };
        Verdict { size, overstretched, above, below, along, noise }
    }

    /// Keeps what the interpolant of the accepted step needs.
    fn remember(&mut self) {
        let n = self.n;
        let (x, h) = (&self.from[..n], self.from[2 * n]);
        let row = |k: usize| &self.trial[k * n..(k + 1) * n];
        let (next, end, bend, slope) = (row(0), row(1), row(3), row(6));
        let (d0, rest) = self.dense[..5 * n].split_at_mut(n);
        let (d1, rest) = rest.split_at_mut(n);
        let (d2, rest) = rest.split_at_mut(n);
        let (d3, d4) = rest.split_at_mut(n);
        for i in 0..n {
            let change = next[i] - x[i];
            let bulge = h * slope[i] - change;
            d0[i] = x[i];
            d1[i] = change;
            d2[i] = bulge;
            d3[i] = change - h * end[i] - bulge;
            d4[i] = bend[i];
        }
        self.from[..2 * n].copy_from_slice(&self.trial[..2 * n]);
        self.slope_found = false;
    }

    /// What the last two stages say of stiffness; a step that failed may just have been too long, and counts less.
    fn judge(&mut self, h: f64, verdict: &Verdict, failed: bool) {
        // Where the stages agree up to round-off, their quotient says nothing. At rest only steps that fail tell that their
        // length, and nothing that moves, makes them fail.
        let Verdict { above, below, along, noise, .. } = *verdict;
        if below > noise && above.is_finite() {
            let most = if failed { MOST_FAILED } else { f64::INFINITY };
            self.stiffness = 0.8 * self.stiffness + 0.2 * (h * (above / below).sqrt()).min(most);
            self.decay = 0.8 * self.decay + 0.2 * (h * along / below).min(most);
        }
    }

    /// The component whose error is the largest.
    fn worst(&self) -> usize {
        worst(&self.trial[2 * self.n..3 * self.n], &self.weights)
    }
}

impl DormandPrince {
    /// The polynomial of the last step, at a part of it, for states from `first` on.
    #[inline(always)]
    fn dense_at(&self, s: f64, first: usize, x: &mut [f64]) {
        let r = 1.0 - s;
        let row = |k: usize| &self.dense[k * self.n + first..][..x.len()];
        let (d0, d1, d2, d3, d4) = (row(0), row(1), row(2), row(3), row(4));
        for (i, out) in x.iter_mut().enumerate() {
            *out = d0[i] + s * (d1[i] + r * (d2[i] + s * (d3[i] + r * d4[i])));
        }
    }
}

impl Integrator for DormandPrince {
    fn clone_integrator(&self) -> Box<dyn Integrator> {
        Box::new(self.clone())
    }

    fn written(&self) -> Option<super::Written> {
        Some(super::Written::DormandPrince(Box::new(self.clone())))
    }

    fn restart(&mut self, t: f64, x: &[f64], keep_step: bool) {
        self.t = t;
        self.from[..self.n].copy_from_slice(x);
        self.fresh = true;
        self.have_slope = false;
        self.slope_found = false;
        self.keep_step = keep_step;
        self.stats.restarts += 1;
    }

    fn step(&mut self, system: &mut dyn Ode, limit: f64) -> Result<Step, Failure> {
        let from = self.t;
        if limit - from <= resolution(from) {
            return Ok(Step { to: from, at_limit: true });
        }
        if self.fresh {
            self.start(system, limit)?;
        }
        let mut rejected = false;
        loop {
            let mut h = self.wanted.min(self.options.max_step);
            let at_limit = h * STRETCH >= limit - from;
            if at_limit {
                h = limit - from;
            }
            if h <= resolution(from) && !at_limit {
                let cause = Cause::Error { component: self.worst() };
                return Err(Failure::StepTooSmall { t: from, h, cause });
            }
            let to = if at_limit { limit } else { from + h };
            let mut outcome = self.attempt(system, (from, to), h)?;
            if outcome.is_ok() {
                outcome = recover(system.accept(to, &self.trial[..self.n]), to)?;
            }
            let verdict = outcome.map(|()| self.weigh());
            let verdict = match verdict {
                Ok(verdict) if verdict.size.is_finite() => verdict,
                other => {
                    self.stats.convergence_failures += 1;
                    rejected = true;
                    self.wanted = 0.25 * h;
                    if self.wanted <= resolution(from) {
                        let cause = other.err().unwrap_or(Cause::NotFinite { component: self.worst() });
                        return Err(Failure::StepTooSmall { t: from, h, cause });
                    }
                    continue;
                }
            };
            let size = verdict.size;
            if size <= 1.0 && verdict.overstretched {
                self.stats.error_failures += 1;
                rejected = true;
                self.wanted = 0.5 * h;
                continue;
            }
            self.judge(h, &verdict, size > 1.0);
            if size > 1.0 {
                self.stats.error_failures += 1;
                rejected = true;
                self.wanted = h * (0.9 * size.powf(-0.2)).clamp(0.1, 0.9);
                if self.wanted <= resolution(from) {
                    let cause = Cause::Error { component: self.worst() };
                    return Err(Failure::StepTooSmall { t: from, h, cause });
                }
                continue;
            }
            // Gustafsson's controller, with the error before this one.
            let factor = 0.9 * size.max(1e-10).powf(-0.17) * self.last_share;
            let grown = h * factor.clamp(0.2, if rejected { 1.0 } else { 10.0 });
            // A step cut short by the limit says nothing against the longer one that was wanted.
            if at_limit && h < self.wanted {
                self.wanted = grown.max(self.wanted);
            } else {
                self.wanted = grown;
                self.last_share = share(size.max(1e-4));
            }
            self.remember();
            self.previous = from;
            self.h = h;
            self.t = to;
            self.stats.steps += 1;
            return Ok(Step { to, at_limit });
        }
    }

    fn interpolate(&self, t: f64, x: &mut [f64]) {
        if self.fresh || t == self.t {
            x.copy_from_slice(self.state());
            return;
        }
        self.dense_at((t - self.previous) / self.h, 0, x);
    }

    fn component(&self, t: f64, index: usize) -> f64 {
        if self.fresh || t == self.t {
            return self.from[index];
        }
        let mut x = [0.0];
        self.dense_at((t - self.previous) / self.h, index, &mut x);
        x[0]
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
        &self.from[..self.n]
    }

    fn stats(&self) -> &Stats {
        &self.stats
    }
}

/// How much an error counts in the choice of the step after the next.
fn share(error: f64) -> f64 {
    error.powf(0.04)
}
