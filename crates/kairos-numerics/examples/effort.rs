//! Prints effort, time and error of the integrators on the test problems.

#[path = "../tests/problems/mod.rs"]
mod problems;

use std::time::Instant;

use kairos_numerics::integrate::*;
use problems::*;

fn main() {
    println!("problem            tol     steps   evals  jac  fact  errf  conv   error      time/µs");
    for tolerance in [1e-4, 1e-6, 1e-8] {
        let report = |name: &str,
                      system: &mut dyn Ode,
                      start: &[f64],
                      end: f64,
                      exact: &[f64],
                      absolute: f64| {
            let scale = Tolerance::uniform(system.dimension(), tolerance, tolerance * absolute);
            let mut method = Bdf::new(system, scale, Options::default()).expect("memory");
            let runs = if system.dimension() > 100 { 1 } else { 50 };
            let clock = Instant::now();
            let mut found = Vec::new();
            for _ in 0..runs {
                let scale = Tolerance::uniform(system.dimension(), tolerance, tolerance * absolute);
                method = Bdf::new(system, scale, Options::default()).expect("memory");
                method.restart(0.0, start, false);
                found = run(&mut method, system, end).expect("a solution");
            }
            let time = clock.elapsed().as_secs_f64() * 1e6 / f64::from(runs);
            let s = method.stats();
            let off = error(&found[..exact.len()], exact);
            println!(
                "{name:<16} {tolerance:>7.0e} {:>7} {:>7} {:>4} {:>5} {:>5} {:>5}   {off:<8.1e} {time:>9.1}",
                s.steps,
                s.evaluations,
                s.jacobian_evaluations,
                s.factorisations,
                s.error_failures,
                s.convergence_failures
            );
        };
        report("van der Pol", &mut VanDerPol, &VanDerPol::START, VanDerPol::TIME, &VanDerPol::END, 1e-3);
        report("Robertson", &mut Robertson::ode(), &Robertson::START, 40.0, &Robertson::AT_40, 1e-5);
        report("HIRES", &mut Plain(8, hires), &HIRES_START, HIRES_TIME, &HIRES_END, 1e-4);
        report("Pleiades", &mut Plain(28, pleiades), &PLEIADES_START, 3.0, &PLEIADES_END, 1.0);
        let mut brusselator = Brusselator::new(32);
        let start = brusselator.start();
        report("Brusselator", &mut brusselator, &start, 10.0, &[], 1.0);
    }
    let mut robertson = Robertson::ode();
    let tolerance = Tolerance { relative: 1e-4, absolute: vec![1e-8, 1e-14, 1e-6] };
    let mut method = Bdf::new(&robertson, tolerance, Options::default()).expect("memory");
    method.restart(0.0, &Robertson::START, false);
    run(&mut method, &mut robertson, 4e10).expect("a solution");
    println!("CVODE's example cvRoberts_dns (542 steps, 754 evaluations, 107 setups): {:?}", method.stats());
}
