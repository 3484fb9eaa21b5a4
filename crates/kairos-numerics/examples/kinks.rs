//! Prints how right and how dear the implicit methods are across kinks: `kinks FAMILY FROM..TO [METHOD] [all]`.

use kairos_families::bends::{self, System};
use kairos_families::kinks::{Valve, valves};
use kairos_families::random::Random;
use kairos_numerics::Eval;
use kairos_numerics::integrate::{Bdf, Esdirk, Integrator, Ode, Options, Radau, Tolerance};
use kairos_numerics::linear::Matrix;

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

struct Bent(System);

impl Ode for Bent {
    fn dimension(&self) -> usize {
        self.0.dimension()
    }

    fn rhs(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Eval> {
        self.0.slope(t, x, dx);
        Ok(())
    }

    fn jacobian(&mut self, _: f64, x: &[f64], jacobian: &mut Matrix) -> Result<bool, Eval> {
        let Matrix::Dense(dense) = jacobian else { return Ok(false) };
        self.0.jacobian(x, |row, column, value| dense[(row, column)] += value);
        Ok(true)
    }
}

struct Case {
    system: Box<dyn Ode>,
    start: Vec<f64>,
    times: Vec<f64>,
    /// By time.
    expected: Vec<Vec<f64>>,
    tolerance: f64,
    name: String,
    valves: Option<Vec<Valve>>,
}

fn make(family: &str, seed: u64) -> Option<Case> {
    let mut random = Random::new(seed);
    if family == "valves" {
        let times = vec![0.9, 1.8, 2.9, 4.0];
        let (valves, tolerance) = valves(&mut random);
        let found: Vec<Vec<f64>> =
            valves.iter().map(|v| v.solve(&times, tolerance)).collect::<Option<_>>()?;
        let expected = (0..times.len()).map(|k| found.iter().map(|v| v[k]).collect()).collect();
        let name = format!("{} valves {:e} p^{}", valves.len(), valves[0].factor, valves[0].exponent);
        let start = valves.iter().map(|v| v.start).collect();
        let valves_ = Some(valves.clone());
        return Some(Case {
            system: Box::new(Valves(valves)),
            start,
            times,
            expected,
            tolerance,
            name,
            valves: valves_,
        });
    }
    let kind = Random::new(seed).below(0, 5);
    let (system, tolerance) = bends::system(&mut random);
    let expected = system.solve(tolerance)?;
    let name =
        format!("{} n={}", ["tanks", "feedback", "stops", "friction", "pairs"][kind], system.dimension());
    let start = system.start.clone();
    Some(Case {
        system: Box::new(Bent(system)),
        start,
        times: bends::TIMES.to_vec(),
        expected,
        tolerance,
        name,
        valves: None,
    })
}

fn run(case: &mut Case, method: &str) -> Option<(f64, String, u64)> {
    let n = case.start.len();
    let used: f64 = std::env::var("TOL").map_or(case.tolerance, |t| t.parse().expect("a tolerance"));
    let (given, options) = (Tolerance::uniform(n, used, used), Options::default());
    let mut integrator: Box<dyn Integrator> = match method {
        "bdf" => Box::new(Bdf::new(&*case.system, given, options).ok()?),
        "esdirk" => Box::new(Esdirk::new(&*case.system, given, options).ok()?),
        _ => Box::new(Radau::new(&*case.system, given, options).ok()?),
    };
    integrator.restart(0.0, &case.start, false);
    let mut track = Vec::new();
    let trace = std::env::var("TRACE").is_ok();
    let (mut worst, mut place, mut x) = (0.0f64, String::new(), case.start.clone());
    let end = case.times[case.times.len() - 1];
    for (k, &time) in case.times.iter().enumerate() {
        while integrator.time() < time {
            if integrator.stats().steps > 200_000 || integrator.stats().evaluations > 2_000_000 {
                return Some((f64::NAN, format!("t={}", integrator.time()), 2_000_000));
            }
            if let Err(failure) = integrator.step(&mut *case.system, end) {
                return Some((f64::INFINITY, format!("{failure:?}"), 0));
            }
            track.push((integrator.time(), integrator.state().to_vec(), *integrator.stats()));
            if trace {
                println!("{:.12} {:?} {:?}", integrator.time(), integrator.state(), integrator.stats());
            }
        }
        integrator.interpolate(time, &mut x);
        for (i, (p, expected)) in x.iter().zip(&case.expected[k]).enumerate() {
            let error = (p - expected).abs() / (case.tolerance * (1.0 + expected.abs()));
            if error > worst {
                worst = error;
                place = format!("x{i} at {time}");
            }
        }
    }
    if let (Some(valves), Ok(which)) = (&case.valves, std::env::var("TRACK")) {
        let i: usize = which.parse().expect("index");
        let times: Vec<f64> = track.iter().map(|s| s.0).collect();
        let exact = valves[i].solve(&times, 1.0).expect("sure");
        let (mut before, mut last) = (0.0, 0.0);
        for ((t, x, s), p) in track.iter().zip(&exact) {
            let error = (x[i] - p) / case.tolerance;
            let h = t - last;
            if (error - before).abs() > 2.0 {
                println!(
                    "t {t:.10} h {h:.2e} x {:e} exact {p:e} error {before:.1} -> {error:.1} {s:?}",
                    x[i]
                );
            }
            (before, last) = (error, *t);
        }
    }
    let s = integrator.stats();
    let text = format!(
        "{place} steps {} evals {} jac {} errf {} conv {}",
        s.steps, s.evaluations, s.jacobian_evaluations, s.error_failures, s.convergence_failures
    );
    Some((worst, text, s.evaluations + 2 * s.jacobian_evaluations))
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let family = args[0].as_str();
    let (from, to) = args[1].split_once("..").expect("seeds");
    let all = args.iter().any(|a| a == "all");
    let mut cases: Vec<(u64, Case)> = Vec::new();
    let seeds: Vec<u64> = (from.parse().expect("from")..to.parse().expect("to")).collect();
    for seed in seeds {
        if let Some(case) = make(family, seed) {
            cases.push((seed, case));
        }
    }
    for method in ["bdf", "esdirk", "radau"] {
        if args.get(2).is_some_and(|m| m != "all" && m != method) {
            continue;
        }
        let (mut right, mut spent, mut logs) = (0, 0, 0.0);
        for (seed, case) in &mut cases {
            let (error, text, evaluations) = run(case, method).expect("memory");
            right += usize::from(error <= 100.0);
            spent += evaluations;
            logs += (evaluations.max(1) as f64).ln();
            if all || error.is_nan() || error > 100.0 {
                println!(
                    "  {method} seed {seed}: {error:.1} tol {:e}, {}: {text}",
                    case.tolerance, case.name
                );
            }
        }
        let mean = (logs / cases.len() as f64).exp();
        println!("{method}: {right} of {} right, {spent} evaluations, mean {mean:.0}", cases.len());
    }
}
