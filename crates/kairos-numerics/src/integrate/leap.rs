//! A whole step of the explicit pair of Dormand and Prince as a formula: its coefficients, and the numbers it takes and gives.
//!
//! A system that knows its equations as code can make one piece of code of all six stages (`Ode::leap`). It has to add in
//! the order of `stages` and `combine`, with every product rounded by itself, so that both ways give the same bits.

use super::{Cause, Failure, Ode, recover};

/// Where each stage stands in the step.
pub const AT: [f64; 7] = [0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0];

/// The weights of the slopes before in each stage; those of the last one give the new state.
pub const WEIGHTS: [&[f64]; 7] = [
    &[],
    &[1.0 / 5.0],
    &[3.0 / 40.0, 9.0 / 40.0],
    &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
    &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
    &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
    &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
];

/// Difference of the fifth and the fourth order weights.
pub const ERROR: [f64; 7] =
    [71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0];

/// The last term of the interpolant (Hairer, Nørsett, Wanner: Solving Ordinary Differential Equations I, II.6).
pub const BEND: [f64; 7] = [
    -12715105075.0 / 11282082432.0,
    0.0,
    87487479700.0 / 32700410799.0,
    -10690763975.0 / 1880347072.0,
    701980252875.0 / 199316789632.0,
    -1453857185.0 / 822651844.0,
    69997945.0 / 29380423.0,
];

/// What a step of `n` states takes: the states, their slopes, the length, the time at its end, which is not always the sum
/// of time and length as that is rounded, and whether the slopes are known, one or zero.
pub const fn given(n: usize) -> usize {
    2 * n + 3
}

/// What it gives, in rows of `n`: the new states and their slopes, the estimated error, the last term of the interpolant,
/// states and slopes of the last stage but one, and the slopes from which it began.
pub const ROWS: usize = 7;

/// The stages one by one.
pub(super) struct Stages {
    /// The slopes after the first, in rows.
    slopes: Vec<f64>,
    stage: Vec<f64>,
}

impl Stages {
    pub fn new(n: usize) -> Self {
        Stages { slopes: vec![0.0; 6 * n], stage: vec![0.0; n] }
    }

    /// Makes a step from `t` with known slopes, as `Ode::leap` would.
    pub fn run(
        &mut self,
        system: &mut dyn Ode,
        t: f64,
        from: &[f64],
        to: &mut [f64],
        evaluations: &mut u64,
    ) -> Result<Result<(), Cause>, Failure> {
        let n = self.stage.len();
        let (x, first, h) = (&from[..n], &from[n..2 * n], from[2 * n]);
        for s in 1..7 {
            let (before, rest) = self.slopes.split_at_mut((s - 1) * n);
            self.stage.copy_from_slice(x);
            let rows = std::iter::once(first).chain(before.chunks_exact(n.max(1)));
            for (slopes, &a) in rows.zip(WEIGHTS[s]).filter(|(_, a)| **a != 0.0) {
                let factor = h * a;
                self.stage.iter_mut().zip(slopes).for_each(|(x, k)| *x += factor * k);
            }
            *evaluations += 1;
            let at = t + AT[s] * h;
            if let Err(cause) = recover(system.rhs(at, &self.stage, &mut rest[..n]), at)? {
                return Ok(Err(cause));
            }
            match s {
                5 => to[4 * n..5 * n].copy_from_slice(&self.stage),
                6 => to[..n].copy_from_slice(&self.stage),
                _ => {}
            }
        }
        let row = |s: usize| if s == 0 { first } else { &self.slopes[(s - 1) * n..s * n] };
        to[n..2 * n].copy_from_slice(row(6));
        to[5 * n..6 * n].copy_from_slice(row(5));
        let (errors, bends) = to[2 * n..4 * n].split_at_mut(n);
        errors.fill(0.0);
        bends.fill(0.0);
        for s in 0..7 {
            for ((error, bend), k) in errors.iter_mut().zip(&mut *bends).zip(row(s)) {
                *error += ERROR[s] * k;
                *bend += BEND[s] * k;
            }
        }
        errors.iter_mut().chain(bends).for_each(|sum| *sum *= h);
        Ok(Ok(()))
    }
}
