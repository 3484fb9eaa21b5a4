//! A system that makes whole steps by itself gets the results of its stages, bit for bit.

use kairos_numerics::Eval;
use kairos_numerics::integrate::leap::{AT, BEND, ERROR, ROWS, WEIGHTS, given};
use kairos_numerics::integrate::{DormandPrince, Integrator, Ode, Options, Tolerance};

/// A pendulum that is pushed; with a stop it has no slopes from a deflection on.
struct Pendulum {
    leaps: bool,
    leapt: u64,
    stop: f64,
}

fn slope(t: f64, x: [f64; 2]) -> [f64; 2] {
    [x[1], 0.3 * (1.7 * t).cos() - x[0].sin() - 0.1 * x[1]]
}

impl Ode for Pendulum {
    fn dimension(&self) -> usize {
        2
    }

    fn rhs(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Eval> {
        if x[0] > self.stop {
            return Err(Eval::Recoverable(7));
        }
        dx.copy_from_slice(&slope(t, [x[0], x[1]]));
        Ok(())
    }

    fn leap(&mut self, t: f64, from: &[f64], to: &mut [f64]) -> bool {
        assert_eq!((from.len(), to.len()), (given(2), 2 * ROWS));
        let (x, h) = ([from[0], from[1]], from[4]);
        assert!((from[5] - (t + h)).abs() <= f64::EPSILON * from[5].abs());
        let mut slopes = vec![if from[6] == 1.0 { [from[2], from[3]] } else { slope(t, x) }];
        let mut points = vec![x];
        for s in 1..7 {
            let mut point = x;
            for (k, weight) in slopes.iter().zip(WEIGHTS[s]).filter(|(_, weight)| **weight != 0.0) {
                let factor = h * weight;
                (0..2).for_each(|i| point[i] += factor * k[i]);
            }
            slopes.push(slope(t + AT[s] * h, point));
            points.push(point);
        }
        if !self.leaps || points.iter().any(|point| point[0] > self.stop) {
            return false;
        }
        self.leapt += 1;
        let sum = |weights: [f64; 7]| {
            [0, 1].map(|i| h * (0..7).fold(0.0, |sum, s| sum + weights[s] * slopes[s][i]))
        };
        let rows = [points[6], slopes[6], sum(ERROR), sum(BEND), points[5], slopes[5], slopes[0]];
        to.copy_from_slice(rows.as_flattened());
        true
    }
}

/// States on the way and at the end, over restarts that keep the step, and the effort.
fn travel(leaps: bool, stop: f64) -> (Vec<u64>, String, u64) {
    let mut system = Pendulum { leaps, leapt: 0, stop };
    let tolerance = Tolerance::uniform(2, 1e-7, 1e-9);
    let mut method = DormandPrince::new(&system, tolerance, Options::default()).expect("an ordinary system");
    let (mut bits, mut x) = (Vec::new(), [0.0; 2]);
    let mut ended = String::new();
    // The last push is so hard that the step kept is far too long.
    let runs = [(1.5, 0.2), (4.0, 0.2), (4.1, 0.2), (9.0, 30.0)];
    'runs: for (run, (limit, push)) in runs.into_iter().enumerate() {
        let from = if run == 0 { 0.0 } else { method.time() };
        method.restart(from, &[x[0], x[1] + push], run > 0);
        while method.time() < limit {
            let from = method.time();
            match method.step(&mut system, limit) {
                Ok(step) => method.interpolate(from + 0.3 * (step.to - from), &mut x),
                Err(failure) => {
                    ended = format!("{failure:?}");
                    break 'runs;
                }
            }
            bits.extend(x.iter().chain(method.state()).map(|x| x.to_bits()));
        }
        x.copy_from_slice(method.state());
    }
    (bits, format!("{:?} {ended}", method.stats()), system.leapt)
}

#[test]
fn leaps_are_their_stages() {
    let (stages, leaps) = (travel(false, f64::INFINITY), travel(true, f64::INFINITY));
    assert!(stages.0.len() > 100 && leaps.2 > 25, "{} steps, {} leaps", stages.0.len() / 4, leaps.2);
    assert_eq!((stages.0, stages.1), (leaps.0, leaps.1));
}

#[test]
fn where_a_leap_cannot_be_the_stages_tell_why() {
    let (stages, leaps) = (travel(false, 0.25), travel(true, 0.25));
    assert!(leaps.2 > 5);
    assert!(stages.1.contains("Evaluation(7)"), "{}", stages.1);
    assert_eq!((stages.0, stages.1), (leaps.0, leaps.1));
}
