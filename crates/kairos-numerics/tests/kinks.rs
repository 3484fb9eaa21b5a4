//! Steep slopes that begin at kinks: the implicit methods are right across them by their own error control.

use kairos_families::kinks::{Valve, valves};
use kairos_families::random::Random;
use kairos_numerics::Eval;
use kairos_numerics::integrate::{Bdf, Esdirk, Integrator, Ode, Options, Radau, Tolerance};
use kairos_numerics::linear::Matrix;

const TIMES: [f64; 4] = [0.9, 1.8, 2.9, 4.0];

/// Valves side by side, as one system with the Jacobian of the side on which they are.
struct Valves(Vec<Valve>);

impl Ode for Valves {
    fn dimension(&self) -> usize {
        self.0.len()
    }

    fn rhs(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Eval> {
        for ((valve, p), dp) in self.0.iter().zip(x).zip(dx) {
            let [a, b, w, f] = valve.flow;
            *dp = a + b * (w * t + f).sin() - valve.factor * p.max(0.0).powi(valve.exponent as i32);
        }
        Ok(())
    }

    fn jacobian(&mut self, _: f64, x: &[f64], jacobian: &mut Matrix) -> Result<bool, Eval> {
        let Matrix::Dense(dense) = jacobian else { return Ok(false) };
        for (k, (valve, p)) in self.0.iter().zip(x).enumerate() {
            let e = valve.exponent as i32;
            let open = f64::from(u8::from(*p > 0.0));
            dense[(k, k)] = -valve.factor * f64::from(e) * p.max(0.0).powi(e - 1) * open;
        }
        Ok(true)
    }
}

/// The largest error in tolerances, and the evaluations.
fn run(valves: &[Valve], tolerance: f64, method: &str) -> Option<(f64, u64)> {
    let expected: Vec<Vec<f64>> = valves.iter().map(|v| v.solve(&TIMES, tolerance)).collect::<Option<_>>()?;
    let mut system = Valves(valves.to_vec());
    let n = valves.len();
    let (given, options) = (Tolerance::uniform(n, tolerance, tolerance), Options::default());
    let mut integrator: Box<dyn Integrator> = match method {
        "bdf" => Box::new(Bdf::new(&system, given, options).ok()?),
        "esdirk" => Box::new(Esdirk::new(&system, given, options).ok()?),
        _ => Box::new(Radau::new(&system, given, options).ok()?),
    };
    let start: Vec<f64> = valves.iter().map(|v| v.start).collect();
    integrator.restart(0.0, &start, false);
    let (mut worst, mut x) = (0.0f64, start);
    for (k, &time) in TIMES.iter().enumerate() {
        while integrator.time() < time {
            if integrator.stats().steps > 200_000 || integrator.stats().evaluations > 2_000_000 {
                return Some((f64::NAN, 0));
            }
            if integrator.step(&mut system, TIMES[TIMES.len() - 1]).is_err() {
                return Some((f64::INFINITY, 0));
            }
        }
        integrator.interpolate(time, &mut x);
        for (p, expected) in x.iter().zip(&expected) {
            worst = worst.max((p - expected[k]).abs() / (tolerance * (1.0 + expected[k].abs())));
        }
    }
    let stats = integrator.stats();
    Some((worst, stats.evaluations + stats.difference_evaluations))
}

/// Methods, the least number of systems of 24 that each must have within 100 tolerances, and the most evaluations in all.
const BARS: [(&str, usize, u64); 3] = [("bdf", 24, 60_000), ("esdirk", 23, 230_000), ("radau", 18, 250_000)];

#[test]
fn implicit_methods_are_right_across_kinks() {
    for (method, bar, effort) in BARS {
        let (mut faults, mut right, mut spent) = (String::new(), 0, 0);
        for seed in 0..24 {
            let (valves, tolerance) = valves(&mut Random::new(seed));
            let (error, evaluations) = run(&valves, tolerance, method).expect("the other method is sure");
            spent += evaluations;
            right += usize::from(error <= 100.0);
            if error.is_nan() || error > 100.0 {
                let Valve { factor, exponent, .. } = valves[0];
                let count = valves.len();
                faults.push_str(&format!(
                    "  seed {seed}: {error:.0} tolerances of {tolerance:e}, {count} valves {factor:e} p^{exponent}\n",
                ));
            }
        }
        println!("{method}: {right} of 24 right, {spent} evaluations\n{faults}");
        assert!(right >= bar, "{method} is right in {right} of 24, not in {bar}:\n{faults}");
        assert!(spent <= effort, "{method} takes {spent} evaluations");
    }
}
