//! A whole step of the explicit pair of Dormand and Prince as a formula: its coefficients, and the numbers it takes and gives.
//!
//! A system that knows its equations as code can make one piece of code of all six stages (`Ode::leap`). It has to add in
//! the order of `stages` and `combine`, with every product rounded by itself, so that both ways give the same bits.

use super::{Cause, Failure, Ode, recover};
use serde::{Deserialize, Serialize};

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
/// states and slopes of the last stage but one, and the slopes from which it began. What `Ode::beyond` counts comes after.
pub const ROWS: usize = 7;

/// The stages one by one.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Stages {
    n: usize,
    /// The slopes, in rows.
    slopes: Vec<f64>,
}

impl Stages {
    pub fn new(n: usize) -> Self {
        Stages { n, slopes: vec![0.0; 7 * n] }
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
        let n = self.n;
        let (x, h) = (&from[..n], from[2 * n]);
        let k = &mut self.slopes;
        k[..n].copy_from_slice(&from[n..2 * n]);
        for s in 1..7 {
            let row = if s == 6 { 0 } else { 4 };
            let point = &mut to[row * n..(row + 1) * n];
            point.copy_from_slice(x);
            for (j, &a) in WEIGHTS[s].iter().enumerate().filter(|(_, a)| **a != 0.0) {
                let factor = h * a;
                point.iter_mut().zip(&k[j * n..(j + 1) * n]).for_each(|(x, k)| *x += factor * k);
            }
            *evaluations += 1;
            let at = t + AT[s] * h;
            if let Err(cause) = recover(system.rhs(at, point, &mut k[s * n..(s + 1) * n]), at)? {
                return Ok(Err(cause));
            }
        }
        to[6 * n..7 * n].copy_from_slice(&from[n..2 * n]);
        let (sums, near) = to[n..6 * n].split_at_mut(4 * n);
        let (end, sums) = sums.split_at_mut(n);
        let (errors, bends) = sums[..2 * n].split_at_mut(n);
        end.copy_from_slice(&k[6 * n..7 * n]);
        near.copy_from_slice(&k[5 * n..6 * n]);
        let rows: [&[f64]; 7] = std::array::from_fn(|s| &k[s * n..(s + 1) * n]);
        for i in 0..n {
            let (mut error, mut bend) = (0.0, 0.0);
            for ((row, by_error), by_bend) in rows.iter().zip(ERROR).zip(BEND) {
                error += by_error * row[i];
                bend += by_bend * row[i];
            }
            errors[i] = h * error;
            bends[i] = h * bend;
        }
        Ok(Ok(()))
    }
}
