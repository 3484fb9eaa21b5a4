//! The explicit pair of Dormand and Prince with its dense output.

use super::{Integrator, Trouble, slope};
use crate::Summary;
use kairos_code::{Eval, EvalError, Fault, Machine};

const A: [&[f64]; 7] = [
    &[],
    &[1.0 / 5.0],
    &[3.0 / 40.0, 9.0 / 40.0],
    &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
    &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
    &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
    &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
];
const C: [f64; 7] = [0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0];
const E: [f64; 7] =
    [71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0];
const D: [f64; 7] = [
    -12715105075.0 / 11282082432.0,
    0.0,
    87487479700.0 / 32700410799.0,
    -10690763975.0 / 1880347072.0,
    701980252875.0 / 199316789632.0,
    -1453857185.0 / 822651844.0,
    69997945.0 / 29380423.0,
];

pub(super) struct Pair {
    tolerance: f64,
    max_step: f64,
    range: f64,
    nominal: Vec<f64>,
    t: (f64, f64),
    x0: Vec<f64>,
    x1: Vec<f64>,
    k: Vec<Vec<f64>>,
    dense: Vec<f64>,
    trial: Vec<f64>,
    /// The step to try next; zero: not yet known.
    h: f64,
    fresh: bool,
    steps: u64,
    rejected: u64,
    evaluations: u64,
}

impl Pair {
    pub fn new(tolerance: f64, max_step: f64, range: f64, nominal: Vec<f64>, n: usize) -> Self {
        Self {
            tolerance,
            max_step,
            range,
            nominal,
            t: (0.0, 0.0),
            x0: vec![0.0; n],
            x1: vec![0.0; n],
            k: vec![vec![0.0; n]; 7],
            dense: vec![0.0; n],
            trial: vec![0.0; n],
            h: 0.0,
            fresh: true,
            steps: 0,
            rejected: 0,
            evaluations: 0,
        }
    }

    fn scale(&self, i: usize) -> f64 {
        let nominal = self.nominal.get(i).copied().unwrap_or(1.0).abs();
        self.tolerance * (nominal + self.x0[i].abs().max(self.x1[i].abs()))
    }

    fn norm(&self, v: impl Fn(usize) -> f64) -> f64 {
        let n = self.x0.len();
        ((0..n).map(|i| (v(i) / self.scale(i)).powi(2)).sum::<f64>() / n as f64).sqrt()
    }

    fn first_step(&self) -> f64 {
        let rate = self.norm(|i| self.k[0][i]);
        let h =
            if rate > 0.0 { 0.01 * self.tolerance.powf(-0.2) / rate.max(1e-30) } else { self.range * 1e-3 };
        h.min(self.range * 1e-2).max(f64::MIN_POSITIVE)
    }

    /// The stages from `x0`; the last one stands on `x1`.
    fn stages(&mut self, machine: &mut dyn Machine, h: f64) -> Eval {
        let n = self.x0.len();
        for s in 1..7 {
            for i in 0..n {
                let sum: f64 = A[s].iter().zip(&self.k).map(|(a, k)| a * k[i]).sum();
                self.trial[i] = self.x0[i] + h * sum;
            }
            let mut k = std::mem::take(&mut self.k[s]);
            let done = slope(machine, self.t.0 + C[s] * h, &self.trial, &mut k);
            self.k[s] = k;
            self.evaluations += 1;
            done?;
        }
        self.x1.copy_from_slice(&self.trial);
        Ok(())
    }
}

impl Integrator for Pair {
    fn restart(&mut self, _machine: &mut dyn Machine, t: f64, x: &[f64]) -> Result<(), Trouble> {
        self.t = (t, t);
        self.x1.copy_from_slice(x);
        self.fresh = true;
        Ok(())
    }

    fn step(&mut self, machine: &mut dyn Machine, limit: f64) -> Result<(), Trouble> {
        let t = self.t.1;
        self.x0.copy_from_slice(&self.x1);
        self.t.0 = t;
        if self.fresh {
            let mut k = std::mem::take(&mut self.k[0]);
            let done = slope(machine, t, &self.x0, &mut k);
            self.k[0] = k;
            self.evaluations += 1;
            done.map_err(Trouble::Model)?;
            self.h = if self.h > 0.0 { self.h.min(10.0 * self.first_step()) } else { self.first_step() };
            self.fresh = false;
        } else {
            self.k.swap(0, 6);
        }
        let mut failed: Option<Fault> = None;
        let mut grow = 5.0;
        loop {
            let wanted = self.h.min(self.max_step);
            let left = limit - t;
            // Two like steps rather than a long one and a sliver.
            let h = match wanted / left {
                part if part >= 1.0 => left,
                part if part > 0.5 => 0.5 * left,
                _ => wanted,
            };
            if h <= 16.0 * f64::EPSILON * t.abs() && h < left {
                return Err(Trouble::TooSmall { step: h, cause: failed, culprits: self.culprits(h) });
            }
            match self.stages(machine, h) {
                Ok(()) => {}
                Err(EvalError::Recoverable(fault)) => {
                    self.rejected += 1;
                    if h <= 16.0 * f64::EPSILON * t.abs().max(1e-12 * self.range) {
                        return Err(Trouble::TooSmall { step: h, cause: Some(fault), culprits: Vec::new() });
                    }
                    failed = Some(fault);
                    self.h = 0.25 * h;
                    grow = 1.0;
                    continue;
                }
                Err(fatal) => return Err(Trouble::Model(fatal)),
            }
            let error = self.norm(|i| h * (0..7).map(|s| E[s] * self.k[s][i]).sum::<f64>());
            if error <= 1.0 {
                let end = if h == left { limit } else { t + h };
                self.t = (t, end);
                for i in 0..self.dense.len() {
                    self.dense[i] = h * (0..7).map(|s| D[s] * self.k[s][i]).sum::<f64>();
                }
                let factor = (0.9 * error.max(1e-10).powf(-0.2)).clamp(0.2, grow);
                // A step cut short says nothing against the size that was wanted.
                self.h = if h < wanted { wanted.max(h * factor) } else { h * factor };
                self.steps += 1;
                return Ok(());
            }
            self.rejected += 1;
            self.h = h * (0.9 * error.powf(-0.2)).clamp(0.1, 0.9);
            grow = 1.0;
        }
    }

    fn span(&self) -> (f64, f64) {
        self.t
    }

    fn at(&mut self, _machine: &mut dyn Machine, t: f64, x: &mut [f64]) -> Eval {
        let (a, b) = self.t;
        if t == b {
            x.copy_from_slice(&self.x1);
            return Ok(());
        }
        let h = b - a;
        let s = (t - a) / h;
        for i in 0..x.len() {
            let difference = self.x1[i] - self.x0[i];
            let bend = h * self.k[0][i] - difference;
            let rest = difference - h * self.k[6][i] - bend;
            x[i] =
                self.x0[i] + s * (difference + (1.0 - s) * (bend + s * (rest + (1.0 - s) * self.dense[i])));
        }
        Ok(())
    }

    fn effort(&self, summary: &mut Summary) {
        summary.steps += self.steps;
        summary.rejected_steps += self.rejected;
        summary.evaluations += self.evaluations;
    }
}

impl Pair {
    /// The states with the largest errors.
    fn culprits(&self, h: f64) -> Vec<usize> {
        let error = |i: usize| (h * (0..7).map(|s| E[s] * self.k[s][i]).sum::<f64>() / self.scale(i)).abs();
        let mut order: Vec<usize> = (0..self.x0.len()).collect();
        order.sort_by(|a, b| error(*b).total_cmp(&error(*a)));
        order.truncate(3);
        order
    }
}
