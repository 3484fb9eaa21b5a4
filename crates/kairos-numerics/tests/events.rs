//! Integrators in systems that switch and jump.

mod problems;

use kairos_numerics::integrate::*;
use problems::*;

/// Integrates with one function that matters where it falls through zero; `jump` changes the state there. Returns the times.
fn events(
    method: &mut dyn Integrator,
    system: &mut dyn Ode,
    crossing: impl Fn(&[f64]) -> f64,
    mut jump: impl FnMut(&mut [f64]),
    count: usize,
    end: f64,
) -> Vec<f64> {
    let mut x = method.state().to_vec();
    let mut times = Vec::new();
    while times.len() < count && method.time() < end {
        let from = method.time();
        let step = method.step(system, end).unwrap();
        let mut at = |t: f64| {
            method.interpolate(t, &mut x);
            crossing(&x)
        };
        if at(step.to) >= 0.0 {
            continue;
        }
        // Bisected to the last bit, on the far side.
        let (mut before, mut t) = (from, step.to);
        loop {
            let middle = 0.5 * (before + t);
            if middle <= before || middle >= t {
                break;
            }
            if at(middle) < 0.0 { t = middle } else { before = middle }
        }
        at(t);
        jump(&mut x);
        times.push(t);
        method.restart(t, &x, true);
    }
    times
}

fn methods(system: &dyn Ode, tolerance: f64) -> Vec<(&'static str, Box<dyn Integrator>)> {
    let scale = || Tolerance::uniform(system.dimension(), tolerance, tolerance);
    let options = Options::default();
    vec![
        ("BDF", Box::new(Bdf::new(system, scale(), options).unwrap())),
        ("ESDIRK", Box::new(Esdirk::new(system, scale(), options).unwrap())),
        ("Radau", Box::new(Radau::new(system, scale(), options).unwrap())),
        ("RK5(4)", Box::new(DormandPrince::new(system, scale(), options).unwrap())),
    ]
}

#[test]
fn a_ball_bounces_sixty_times() {
    let gravity = 9.81;
    let mut ball = Plain(2, move |_: f64, x: &[f64], dx: &mut [f64]| (dx[0], dx[1]) = (x[1], -gravity));
    let restitution: f64 = 0.8;
    for (name, mut method) in methods(&ball, 1e-8) {
        method.restart(0.0, &[1.0, 0.0], false);
        // The height is positive before each bounce and just below zero at it; pushing it back keeps the sign.
        let bounce = |x: &mut [f64]| (x[0], x[1]) = (x[0].abs(), -restitution * x[1]);
        let times = events(method.as_mut(), &mut ball, |x| x[0], bounce, 60, 10.0);
        assert_eq!(times.len(), 60, "{name}");
        let fall = (2.0 / gravity).sqrt();
        for (k, t) in times.iter().enumerate() {
            let exact =
                fall * (1.0 + 2.0 * restitution * (1.0 - restitution.powi(k as i32)) / (1.0 - restitution));
            assert!((t - exact).abs() < 1e-9, "{name} {k}: {t} {exact}");
        }
    }
}

#[test]
fn a_switched_circuit_restarts_cheaply() {
    // An inductor current that is switched between two levels: rises towards 10, falls towards 0, time constant 1.
    let level = std::cell::Cell::new(10.0);
    let mut circuit = Plain(2, |_: f64, x: &[f64], dx: &mut [f64]| {
        dx[0] = level.get() - x[0];
        dx[1] = x[0] - x[1];
    });
    for (name, mut method) in methods(&circuit, 1e-6) {
        level.set(10.0);
        method.restart(0.0, &[4.0, 4.0], false);
        let sign = std::cell::Cell::new(-1.0);
        let threshold = |x: &[f64]| sign.get() * (x[0] - if sign.get() < 0.0 { 6.0 } else { 4.0 });
        let times = events(
            method.as_mut(),
            &mut circuit,
            threshold,
            |_| {
                sign.set(-sign.get());
                level.set(10.0 - level.get());
            },
            400,
            1e9,
        );
        // Rising from 4 to 6 and falling from 6 to 4 both take ln(1.5).
        let exact = 400.0 * 1.5f64.ln();
        assert!((times[399] - exact).abs() < 2e-3 * exact, "{name} {} {exact}", times[399]);
        let per_event = method.stats().evaluations as f64 / 400.0;
        let bound = match name {
            "BDF" => 30.0,
            "RK5(4)" => 20.0,
            _ => 36.0,
        };
        assert!(per_event < bound, "{name}: {per_event} evaluations per event");
    }
}
