//! Fixed-step explicit methods on a grid of steps, shortened only to hit events.

use super::{Integrator, Trouble, slope};
use crate::{Method, Summary};
use kairos_code::{Eval, Machine};

/// Between the ends of a step the solution is what a shorter step of the same method gives.
pub(super) struct FixedStep {
    method: Method,
    origin: f64,
    step: f64,
    t: (f64, f64),
    x0: Vec<f64>,
    x1: Vec<f64>,
    first: Vec<f64>,
    k: [Vec<f64>; 3],
    trial: Vec<f64>,
    steps: u64,
    evaluations: u64,
}

impl FixedStep {
    pub fn new(method: Method, origin: f64, step: f64, n: usize) -> Self {
        let zeros = || vec![0.0; n];
        Self {
            method,
            origin,
            step,
            t: (origin, origin),
            x0: zeros(),
            x1: zeros(),
            first: zeros(),
            k: [zeros(), zeros(), zeros()],
            trial: zeros(),
            steps: 0,
            evaluations: 0,
        }
    }

    /// The next point of the grid; steps are counted, not added up.
    fn grid_after(&self, t: f64) -> f64 {
        let mut k = ((t - self.origin) / self.step).floor() + 1.0;
        let mut next = self.origin + k * self.step;
        while next - t < 1e-9 * self.step {
            k += 1.0;
            next = self.origin + k * self.step;
        }
        next
    }

    /// One step of size `h` from the start of the present step, into `out`.
    fn advance(&mut self, machine: &mut dyn Machine, h: f64, out: &mut [f64]) -> Eval {
        let t = self.t.0;
        let (x, trial, first) = (&self.x0, &mut self.trial, &self.first);
        let [k2, k3, k4] = &mut self.k;
        let along = |trial: &mut [f64], k: &[f64], h: f64| {
            for i in 0..trial.len() {
                trial[i] = x[i] + h * k[i];
            }
        };
        match self.method {
            Method::Rk4 => {
                along(trial, first, h / 2.0);
                slope(machine, t + h / 2.0, trial, k2)?;
                along(trial, k2, h / 2.0);
                slope(machine, t + h / 2.0, trial, k3)?;
                along(trial, k3, h);
                slope(machine, t + h, trial, k4)?;
                self.evaluations += 3;
                for i in 0..out.len() {
                    out[i] = x[i] + h / 6.0 * (first[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
                }
            }
            Method::Rk2 => {
                along(trial, first, h / 2.0);
                slope(machine, t + h / 2.0, trial, k2)?;
                self.evaluations += 1;
                along(out, k2, h);
            }
            _ => along(out, first, h),
        }
        Ok(())
    }
}

impl Integrator for FixedStep {
    fn restart(&mut self, _machine: &mut dyn Machine, t: f64, x: &[f64]) -> Result<(), Trouble> {
        self.t = (t, t);
        self.x1.copy_from_slice(x);
        Ok(())
    }

    fn step(&mut self, machine: &mut dyn Machine, limit: f64) -> Result<(), Trouble> {
        let t = self.t.1;
        self.x0.copy_from_slice(&self.x1);
        let next = self.grid_after(t);
        // A grid point that equals the limit up to rounding is the limit.
        let end = if next >= limit || limit - next < 1e-9 * self.step { limit } else { next };
        self.t = (t, end);
        slope(machine, t, &self.x0, &mut self.first).map_err(Trouble::Model)?;
        self.evaluations += 1;
        let mut out = std::mem::take(&mut self.x1);
        let done = self.advance(machine, end - t, &mut out);
        self.x1 = out;
        self.steps += 1;
        done.map_err(Trouble::Model)
    }

    fn span(&self) -> (f64, f64) {
        self.t
    }

    fn at(&mut self, machine: &mut dyn Machine, t: f64, x: &mut [f64]) -> Eval {
        if t == self.t.1 {
            x.copy_from_slice(&self.x1);
            return Ok(());
        }
        self.advance(machine, t - self.t.0, x)
    }

    fn effort(&self, summary: &mut Summary) {
        summary.steps += self.steps;
        summary.evaluations += self.evaluations;
    }
}
