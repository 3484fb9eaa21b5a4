//! Fixed-step explicit methods for real-time work: steps are shortened only to meet a requested time.

use super::{Cause, Failure, Integrator, Ode, Stats, Step, recover, resolution};
use serde::{Deserialize, Serialize};

/// Which fixed-step method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FixedMethod {
    /// Order one.
    Euler,
    /// The explicit midpoint rule, order two.
    Midpoint,
    /// The classical method of order four.
    RungeKutta4,
}

/// Steps on the grid `start + k * step`, counted from the last restart.
#[derive(Clone, Serialize, Deserialize)]
pub struct FixedStep {
    n: usize,
    method: FixedMethod,
    step: f64,
    start: f64,
    grid: u64,
    t: f64,
    x: Vec<f64>,
    previous: f64,
    previous_x: Vec<f64>,
    /// Slopes at the beginning and the end of the last step, and the stages between.
    slope: Vec<f64>,
    slope_end: Vec<f64>,
    stages: [Vec<f64>; 3],
    moved: Vec<f64>,
    have_slope: bool,
    taken: bool,
    stats: Stats,
}

impl FixedStep {
    pub fn new(system: &dyn Ode, method: FixedMethod, step: f64) -> Result<Self, Failure> {
        if !(step > 0.0 && step.is_finite()) {
            return Err(Failure::Unsupported);
        }
        let n = system.dimension();
        let zeros = || vec![0.0; n];
        Ok(FixedStep {
            n,
            method,
            step,
            start: 0.0,
            grid: 0,
            t: 0.0,
            x: zeros(),
            previous: 0.0,
            previous_x: zeros(),
            slope: zeros(),
            slope_end: zeros(),
            stages: [zeros(), zeros(), zeros()],
            moved: zeros(),
            have_slope: false,
            taken: false,
            stats: Stats::default(),
        })
    }

    /// One more stage: the slope at `t + part * h` from a point moved along the slope before.
    fn stage(&mut self, system: &mut dyn Ode, index: usize, part: f64, h: f64) -> Result<(), Failure> {
        let along = if index == 0 { &self.slope } else { &self.stages[index - 1] };
        for i in 0..self.n {
            self.moved[i] = self.x[i] + part * h * along[i];
        }
        evaluate(system, self.t + part * h, &self.moved, &mut self.stages[index], &mut self.stats)
    }
}

fn evaluate(
    system: &mut dyn Ode,
    t: f64,
    x: &[f64],
    dx: &mut [f64],
    stats: &mut Stats,
) -> Result<(), Failure> {
    stats.evaluations += 1;
    // There is no smaller step to retreat to.
    recover(system.rhs(t, x, dx), t)?.map_err(|cause| Failure::StepTooSmall { t, h: 0.0, cause })
}

impl FixedStep {
    fn polynomial_at(&self, t: f64, i: usize) -> f64 {
        let h = self.t - self.previous;
        let s = (t - self.previous) / h;
        let (a, b) = (self.previous_x[i], self.x[i]);
        let (da, db) = (h * self.slope[i], h * self.slope_end[i]);
        match self.method {
            FixedMethod::Euler => a + s * (b - a),
            FixedMethod::Midpoint => a + s * (da + s * (b - a - da)),
            FixedMethod::RungeKutta4 => {
                let change = b - a;
                a + s * (da + s * (3.0 * change - 2.0 * da - db + s * (da + db - 2.0 * change)))
            }
        }
    }
}

impl Integrator for FixedStep {
    fn clone_integrator(&self) -> Box<dyn Integrator> {
        Box::new(self.clone())
    }

    fn written(&self) -> Option<super::Written> {
        Some(super::Written::Fixed(Box::new(self.clone())))
    }

    fn restart(&mut self, t: f64, x: &[f64], _keep_step: bool) {
        (self.start, self.grid) = (t, 0);
        self.t = t;
        self.x.copy_from_slice(x);
        self.have_slope = false;
        self.taken = false;
        self.stats.restarts += 1;
    }

    fn step(&mut self, system: &mut dyn Ode, limit: f64) -> Result<Step, Failure> {
        let from = self.t;
        if limit - from <= resolution(from) {
            return Ok(Step { to: from, at_limit: true });
        }
        // Multiples of the step from the start do not drift.
        let next = self.start + (self.grid + 1) as f64 * self.step;
        let at_limit = next >= limit - 1e-9 * self.step;
        let to = if at_limit { limit } else { next };
        if next <= limit + 1e-9 * self.step {
            self.grid += 1;
        }
        let h = to - from;
        if !self.have_slope {
            evaluate(system, from, &self.x, &mut self.slope, &mut self.stats)?;
        } else {
            self.slope.copy_from_slice(&self.slope_end);
        }
        self.previous_x.copy_from_slice(&self.x);
        match self.method {
            FixedMethod::Euler => {
                self.x.iter_mut().zip(&self.slope).for_each(|(x, k)| *x += h * k);
            }
            FixedMethod::Midpoint => {
                self.stage(system, 0, 0.5, h)?;
                self.x.iter_mut().zip(&self.stages[0]).for_each(|(x, k)| *x += h * k);
            }
            FixedMethod::RungeKutta4 => {
                self.stage(system, 0, 0.5, h)?;
                self.stage(system, 1, 0.5, h)?;
                self.stage(system, 2, 1.0, h)?;
                let [a, b, c] = &self.stages;
                for i in 0..self.n {
                    self.x[i] += h / 6.0 * (self.slope[i] + 2.0 * (a[i] + b[i]) + c[i]);
                }
            }
        }
        self.taken = true;
        self.previous = from;
        self.t = to;
        self.stats.steps += 1;
        if let Some(component) = self.x.iter().position(|v| !v.is_finite()) {
            return Err(Failure::StepTooSmall { t: to, h, cause: Cause::NotFinite { component } });
        }
        recover(system.accept(to, &self.x), to)?.map_err(|cause| Failure::StepTooSmall {
            t: to,
            h,
            cause,
        })?;
        // The slope at the end serves the interpolant now and the next step later.
        evaluate(system, to, &self.x, &mut self.slope_end, &mut self.stats)?;
        self.have_slope = true;
        Ok(Step { to, at_limit })
    }

    fn interpolate(&self, t: f64, x: &mut [f64]) {
        if !self.taken || t == self.t {
            x.copy_from_slice(&self.x);
            return;
        }
        for (i, out) in x.iter_mut().enumerate() {
            *out = self.polynomial_at(t, i);
        }
    }

    fn component(&self, t: f64, index: usize) -> f64 {
        if !self.taken || t == self.t { self.x[index] } else { self.polynomial_at(t, index) }
    }

    fn interpolate_slope(&self, t: f64, dx: &mut [f64]) {
        if !self.taken {
            dx.fill(0.0);
            return;
        }
        let h = self.t - self.previous;
        let s = (t - self.previous) / h;
        for i in 0..self.n {
            let change = self.x[i] - self.previous_x[i];
            let (da, db) = (h * self.slope[i], h * self.slope_end[i]);
            dx[i] = match self.method {
                FixedMethod::Euler => change,
                FixedMethod::Midpoint => da + 2.0 * s * (change - da),
                FixedMethod::RungeKutta4 => {
                    da + s * (2.0 * (3.0 * change - 2.0 * da - db) + 3.0 * s * (da + db - 2.0 * change))
                }
            } / h;
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
