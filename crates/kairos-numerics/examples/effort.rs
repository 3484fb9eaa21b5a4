//! Prints effort, time and error of the integrators on the test problems.

#[path = "../tests/problems/mod.rs"]
mod problems;

use kairos_numerics::integrate::*;
use problems::*;

type Make = fn(&dyn Ode, Tolerance) -> Result<Box<dyn Integrator>, Failure>;

const METHODS: [(&str, Make); 4] = [
    ("BDF", |s, t| Ok(Box::new(Bdf::new(s, t, Options::default())?))),
    ("Radau", |s, t| Ok(Box::new(Radau::new(s, t, Options::default())?))),
    ("ESDIRK", |s, t| Ok(Box::new(Esdirk::new(s, t, Options::default())?))),
    ("RK5(4)", |s, t| Ok(Box::new(DormandPrince::new(s, t, Options::default())?))),
];

fn main() {
    println!("problem      method      tol    steps    evals  jac  fact  errf  conv   error       CPU/µs");
    let mut brusselator = Brusselator::new(32);
    let start = brusselator.start();
    let exact = solve(METHODS[0].1, &mut brusselator, &start, 10.0, 1e-11, 1.0).1;
    for tolerance in [1e-4, 1e-6, 1e-8] {
        for (method, make) in METHODS {
            let report = |name: &str,
                          system: &mut dyn Ode,
                          start: &[f64],
                          end: f64,
                          exact: &[f64],
                          part: f64| {
                let runs = if system.dimension() > 100 { 1 } else { 50 };
                let before = processor_seconds();
                let mut last = None;
                for _ in 0..runs {
                    last = Some(solve(make, system, start, end, tolerance, part));
                }
                let time = (processor_seconds() - before) * 1e6 / f64::from(runs);
                let Some((s, found)) = last else { return };
                let off = error(&found[..exact.len()], exact);
                println!(
                    "{name:<12} {method:<8} {tolerance:>6.0e} {:>8} {:>8} {:>4} {:>5} {:>5} {:>5}   {off:<8.1e} {time:>10.1}",
                    s.steps,
                    s.evaluations,
                    s.jacobian_evaluations,
                    s.factorisations,
                    s.error_failures,
                    s.convergence_failures
                );
            };
            if method != "RK5(4)" {
                report(
                    "van der Pol",
                    &mut VanDerPol,
                    &VanDerPol::START,
                    VanDerPol::TIME,
                    &VanDerPol::END,
                    1e-3,
                );
                report(
                    "Robertson",
                    &mut Robertson::dense(),
                    &Robertson::START,
                    40.0,
                    &Robertson::AT_40,
                    1e-5,
                );
                report("HIRES", &mut Plain(8, hires), &HIRES_START, HIRES_TIME, &HIRES_END, 1e-4);
                report("Brusselator", &mut brusselator, &start, 10.0, &exact, 1.0);
            }
            report("Pleiades", &mut Plain(28, pleiades), &PLEIADES_START, 3.0, &PLEIADES_END, 1.0);
        }
    }
    let mut robertson = Robertson::dense();
    let tolerance = Tolerance { relative: 1e-4, absolute: vec![1e-8, 1e-14, 1e-6] };
    let mut method = Bdf::new(&robertson, tolerance, Options::default()).expect("memory");
    method.restart(0.0, &Robertson::START, false);
    run(&mut method, &mut robertson, 4e10).expect("a solution");
    println!("Robertson to 4e10 with the tolerances of CVODE's example cvRoberts_dns: {:?}", method.stats());
}

/// Processor time of this process where the system tells it (Linux), else 0.
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|word| word.parse::<f64>().ok()).unwrap_or(0.0) * 1e-9
}

fn solve(
    make: Make,
    system: &mut dyn Ode,
    start: &[f64],
    end: f64,
    tolerance: f64,
    part: f64,
) -> (Stats, Vec<f64>) {
    let scale = Tolerance::uniform(system.dimension(), tolerance, tolerance * part);
    let mut method = make(system, scale).expect("memory");
    method.restart(0.0, start, false);
    let found = run(method.as_mut(), system, end).expect("a solution");
    (*method.stats(), found)
}
