//! Integrators against closed forms and published reference solutions, with their effort.

mod problems;

use kairos_numerics::Eval;
use kairos_numerics::integrate::*;
use problems::*;

fn bdf(system: &dyn Ode, relative: f64, absolute: f64) -> Bdf {
    let tolerance = Tolerance::uniform(system.dimension(), relative, absolute);
    Bdf::new(system, tolerance, Options::default()).unwrap()
}

#[test]
fn bdf_follows_decay_and_oscillation() {
    let mut decay = Plain(1, |_: f64, x: &[f64], dx: &mut [f64]| dx[0] = -x[0]);
    for (tolerance, bound) in [(1e-4, 5e-4), (1e-7, 1e-6), (1e-10, 1e-9)] {
        let mut method = bdf(&decay, tolerance, tolerance);
        method.restart(0.0, &[1.0], false);
        let end = run(&mut method, &mut decay, 3.0).unwrap();
        assert!((end[0] - (-3f64).exp()).abs() < bound, "{tolerance}: {end:?}");
        assert_eq!(method.time(), 3.0);
    }
    let mut swing = Plain(2, |_: f64, x: &[f64], dx: &mut [f64]| (dx[0], dx[1]) = (x[1], -x[0]));
    let mut method = bdf(&swing, 1e-8, 1e-8);
    method.restart(0.0, &[0.0, 1.0], false);
    let (mut x, mut dx) = ([0.0; 2], [0.0; 2]);
    let mut worst: f64 = 0.0;
    while method.time() < 10.0 {
        let from = method.time();
        let step = method.step(&mut swing, 10.0).unwrap();
        for part in [0.0, 0.3, 0.7, 1.0] {
            let t = from + part * (step.to - from);
            method.interpolate(t, &mut x);
            method.interpolate_slope(t, &mut dx);
            worst = worst.max((x[0] - t.sin()).abs()).max((dx[0] - t.cos()).abs() * 0.01);
        }
    }
    assert!(worst < 1e-6, "{worst:e}");
}

#[test]
fn bdf_solves_stiff_problems_with_little_effort() {
    let mut method = bdf(&VanDerPol, 1e-6, 1e-9);
    method.restart(0.0, &VanDerPol::START, false);
    let end = run(&mut method, &mut VanDerPol, VanDerPol::TIME).unwrap();
    assert!(error(&end, &VanDerPol::END) < 2e-3, "{end:?}");
    assert!(method.stats().evaluations < 2500, "{:?}", method.stats());

    let mut system = Plain(8, hires);
    let mut method = bdf(&system, 1e-7, 1e-12);
    method.restart(0.0, &HIRES_START, false);
    let end = run(&mut method, &mut system, HIRES_TIME).unwrap();
    assert!(error(&end, &HIRES_END) < 1e-4, "{:e}", error(&end, &HIRES_END));
    assert!(method.stats().evaluations < 1200, "{:?}", method.stats());
}

#[test]
fn robertson_with_full_and_sparse_factors() {
    for mut system in [Robertson::dense(), Robertson::sparse()] {
        let tolerance = Tolerance { relative: 1e-6, absolute: vec![1e-8, 1e-12, 1e-8] };
        let mut method = Bdf::new(&system, tolerance, Options::default()).unwrap();
        method.restart(0.0, &Robertson::START, false);
        assert!(error(&run(&mut method, &mut system, 40.0).unwrap(), &Robertson::AT_40) < 1e-5);
        let end = run(&mut method, &mut system, 4e10).unwrap();
        // Over nine decades of time the first component falls to five times its absolute tolerance. No correction is accepted
        // here whose residual has not proven itself: that takes the last 200 of these evaluations.
        assert!((end[0] - 0.52e-7).abs() < 1e-8 && (end[2] - 1.0).abs() < 1e-6, "{end:?}");
        assert!(method.stats().evaluations < 1600, "{:?}", method.stats());
    }
}

#[test]
fn brusselator_is_sparse() {
    let mut system = Brusselator::new(12);
    let start = system.start();
    let ends: Vec<(Vec<f64>, Stats)> = [1e-5, 1e-8]
        .iter()
        .map(|&tolerance| {
            let mut method = bdf(&system, tolerance, tolerance);
            method.restart(0.0, &start, false);
            (run(&mut method, &mut system, 2.0).unwrap(), *method.stats())
        })
        .collect();
    assert!(error(&ends[0].0, &ends[1].0) < 2e-3, "{:e}", error(&ends[0].0, &ends[1].0));
    assert!(ends[0].1.evaluations < 250, "{:?}", ends[0].1);
}

#[test]
fn dormand_prince_has_its_orders() {
    let mut system = Plain(28, pleiades);
    let tolerance = Tolerance::uniform(28, 1e-9, 1e-9);
    let mut method = DormandPrince::new(&system, tolerance, Options::default()).unwrap();
    method.restart(0.0, &PLEIADES_START, false);
    let end = run(&mut method, &mut system, 3.0).unwrap();
    assert!(error(&end[..14], &PLEIADES_END) < 1e-6, "{:e}", error(&end[..14], &PLEIADES_END));

    let mut swing = Plain(2, |_: f64, x: &[f64], dx: &mut [f64]| (dx[0], dx[1]) = (x[1], -x[0]));
    let worst = |h: f64, swing: &mut dyn Ode| {
        let options = Options { initial_step: Some(h), max_step: h, ..Options::default() };
        let mut method = DormandPrince::new(swing, Tolerance::uniform(2, 1.0, 1.0), options).unwrap();
        method.restart(0.0, &[0.0, 1.0], false);
        let (mut x, mut dx) = ([0.0; 2], [0.0; 2]);
        let (mut end, mut inside, mut slope) = (0.0f64, 0.0f64, 0.0f64);
        while method.time() < 4.0 {
            let from = method.time();
            let step = method.step(swing, 4.0).unwrap();
            method.interpolate(from + 0.4 * (step.to - from), &mut x);
            let t = from + 0.4 * (step.to - from);
            method.interpolate_slope(t, &mut dx);
            inside = inside.max((x[0] - t.sin()).abs());
            slope = slope.max((dx[0] - t.cos()).abs());
            end = (method.state()[0] - method.time().sin()).abs();
        }
        (end, inside, slope)
    };
    let (coarse, fine) = (worst(0.2, &mut swing), worst(0.1, &mut swing));
    assert!(coarse.0 / fine.0 > 25.0, "{coarse:?} {fine:?}");
    assert!(coarse.1 / fine.1 > 25.0, "{coarse:?} {fine:?}");
    assert!(coarse.2 / fine.2 > 12.0, "{coarse:?} {fine:?}");
}

#[test]
fn fixed_steps_stay_on_their_grid() {
    let mut decay = Plain(1, |_: f64, x: &[f64], dx: &mut [f64]| dx[0] = -x[0]);
    for (method, ratio) in
        [(FixedMethod::Euler, 1.8), (FixedMethod::Midpoint, 3.7), (FixedMethod::RungeKutta4, 14.0)]
    {
        let mut errors = [0.0; 2];
        for (error, h) in errors.iter_mut().zip([0.1, 0.05]) {
            let mut stepper = FixedStep::new(&decay, method, h).unwrap();
            stepper.restart(0.0, &[1.0], false);
            let end = run(&mut stepper, &mut decay, 1.0).unwrap();
            assert_eq!(stepper.stats().steps, (1.0 / h).round() as u64);
            *error = (end[0] - (-1f64).exp()).abs();
            let mut x = [0.0];
            stepper.interpolate(1.0 - 0.3 * h, &mut x);
            assert!((x[0] - (-(1.0 - 0.3 * h)).exp()).abs() < 3.0 * *error + h * h * 0.2);
        }
        assert!(errors[0] / errors[1] > ratio, "{method:?} {errors:?}");
    }
    let mut stepper = FixedStep::new(&decay, FixedMethod::Euler, 0.1).unwrap();
    stepper.restart(0.0, &[1.0], false);
    run(&mut stepper, &mut decay, 0.25).unwrap();
    let step = stepper.step(&mut decay, 1.0).unwrap();
    assert!((step.to - 0.3).abs() < 1e-15, "{step:?}");
}

/// Square root of the distance to a wall: not defined past it.
struct Wall {
    fatal: bool,
}

impl Ode for Wall {
    fn dimension(&self) -> usize {
        1
    }

    fn rhs(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Eval> {
        if self.fatal && t > 0.5 {
            return Err(Eval::Fatal(7));
        }
        if x[0] > 1.0 {
            return Err(Eval::Recoverable(3));
        }
        dx[0] = (1.0 - x[0]).sqrt();
        Ok(())
    }
}

#[test]
fn recoverable_failures_cut_the_step_and_fatal_ones_end_it() {
    let tolerance = || Tolerance::uniform(1, 1e-5, 1e-5);
    let methods = |system: &Wall| -> Vec<Box<dyn Integrator>> {
        vec![
            Box::new(Bdf::new(system, tolerance(), Options::default()).unwrap()),
            Box::new(DormandPrince::new(system, tolerance(), Options::default()).unwrap()),
        ]
    };
    let mut wall = Wall { fatal: false };
    for mut method in methods(&wall) {
        method.restart(0.0, &[0.0], false);
        // x = 1 - (1 - t/2)^2 meets the wall at t = 2 and cannot pass it smoothly.
        let end = run(method.as_mut(), &mut wall, 1.9).unwrap();
        assert!((end[0] - (1.0 - 0.0025)).abs() < 1e-4, "{end:?}");
    }
    let mut wall = Wall { fatal: true };
    for mut method in methods(&wall) {
        method.restart(0.0, &[0.0], false);
        let failure = run(method.as_mut(), &mut wall, 1.9).unwrap_err();
        assert!(matches!(failure, Failure::Fatal { reason: 7, .. }));
    }
}

#[test]
fn infinite_and_undefined_values_end_in_a_failure() {
    for sick in [f64::NAN, f64::INFINITY] {
        let mut system = Plain(2, move |t: f64, x: &[f64], dx: &mut [f64]| {
            dx[0] = x[1];
            dx[1] = if t > 0.3 { sick } else { -x[0] };
        });
        let tolerance = || Tolerance::uniform(2, 1e-5, 1e-5);
        let methods: Vec<Box<dyn Integrator>> = vec![
            Box::new(Bdf::new(&system, tolerance(), Options::default()).unwrap()),
            Box::new(DormandPrince::new(&system, tolerance(), Options::default()).unwrap()),
            Box::new(FixedStep::new(&system, FixedMethod::RungeKutta4, 0.01).unwrap()),
        ];
        for mut method in methods {
            method.restart(0.0, &[1.0, 0.0], false);
            let failure = run(method.as_mut(), &mut system, 1.0).unwrap_err();
            assert!(
                matches!(failure, Failure::StepTooSmall { t, .. } if (0.28..0.32).contains(&t)),
                "{failure:?}"
            );
        }
    }
}

#[test]
fn intervals_as_long_as_a_step_take_one_step() {
    let mut swing = Plain(2, |_: f64, x: &[f64], dx: &mut [f64]| (dx[0], dx[1]) = (x[1], -x[0]));
    let mut method =
        DormandPrince::new(&swing, Tolerance::uniform(2, 0.0, 1e-6), Options::default()).unwrap();
    method.restart(0.0, &[0.0, 1.0], false);
    run(&mut method, &mut swing, 100.0).unwrap();
    let natural = 100.0 / method.stats().steps as f64;
    for part in [0.7, 0.9, 1.0, 1.03] {
        method.restart(0.0, &[0.0, 1.0], false);
        let (mut x, before) = (vec![0.0, 1.0], method.stats().steps);
        for k in 0..200 {
            method.restart(f64::from(k) * part * natural, &x, k > 0);
            x = run(&mut method, &mut swing, f64::from(k + 1) * part * natural).unwrap();
        }
        let steps = method.stats().steps - before;
        assert!(steps <= 210, "{steps} steps for 200 intervals of {part} steps");
        assert!((x[0] - (200.0 * part * natural).sin()).abs() < 200.0 * 1e-6);
    }
}

#[test]
fn restarts_keep_the_step_where_asked() {
    let mut swing = Plain(2, |_: f64, x: &[f64], dx: &mut [f64]| (dx[0], dx[1]) = (x[1], -x[0]));
    let mut efforts = [0; 2];
    for (keep, effort) in [false, true].into_iter().zip(&mut efforts) {
        let mut method = bdf(&swing, 1e-6, 1e-6);
        method.restart(0.0, &[0.0, 1.0], false);
        for k in 1..=50 {
            let t = 0.2 * f64::from(k);
            let x = run(&mut method, &mut swing, t).unwrap();
            method.restart(t, &x, keep);
        }
        assert!((method.state()[0] - 10f64.sin()).abs() < 1e-3);
        *effort = method.stats().evaluations;
    }
    assert!(efforts[1] < efforts[0], "{efforts:?}");
}

#[test]
fn one_step_implicit_methods_solve_stiff_problems() {
    fn check(make: impl Fn(&dyn Ode, f64, f64) -> Box<dyn Integrator>, bound: f64, effort: u64) {
        let mut method = make(&VanDerPol, 1e-6, 1e-9);
        method.restart(0.0, &VanDerPol::START, false);
        let end = run(method.as_mut(), &mut VanDerPol, VanDerPol::TIME).unwrap();
        assert!(error(&end, &VanDerPol::END) < bound, "{end:?}");
        assert!(method.stats().evaluations < effort, "{:?}", method.stats());
        let mut system = Plain(8, hires);
        let mut method = make(&system, 1e-6, 1e-10);
        method.restart(0.0, &HIRES_START, false);
        let end = run(method.as_mut(), &mut system, HIRES_TIME).unwrap();
        assert!(error(&end, &HIRES_END) < bound, "{:e}", error(&end, &HIRES_END));
        let mut brusselator = Brusselator::new(6);
        let start = brusselator.start();
        let ends: Vec<Vec<f64>> = [1e-5, 1e-8]
            .iter()
            .map(|&tolerance| {
                let mut method = make(&brusselator, tolerance, tolerance);
                method.restart(0.0, &start, false);
                run(method.as_mut(), &mut brusselator, 2.0).unwrap()
            })
            .collect();
        assert!(error(&ends[0], &ends[1]) < 1e-3);
    }
    let tolerance = |s: &dyn Ode, r, a| Tolerance::uniform(s.dimension(), r, a);
    check(|s, r, a| Box::new(Esdirk::new(s, tolerance(s, r, a), Options::default()).unwrap()), 1e-3, 12000);
    check(|s, r, a| Box::new(Radau::new(s, tolerance(s, r, a), Options::default()).unwrap()), 1e-3, 6000);
}

#[test]
fn implicit_one_step_methods_interpolate() {
    let mut swing = Plain(2, |_: f64, x: &[f64], dx: &mut [f64]| (dx[0], dx[1]) = (x[1], -x[0]));
    let tolerance = || Tolerance::uniform(2, 1e-7, 1e-7);
    let methods: Vec<Box<dyn Integrator>> = vec![
        Box::new(Esdirk::new(&swing, tolerance(), Options::default()).unwrap()),
        Box::new(Radau::new(&swing, tolerance(), Options::default()).unwrap()),
    ];
    for mut method in methods {
        method.restart(0.0, &[0.0, 1.0], false);
        let (mut x, mut dx) = ([0.0; 2], [0.0; 2]);
        let mut worst: f64 = 0.0;
        while method.time() < 10.0 {
            let from = method.time();
            let step = method.step(&mut swing, 10.0).unwrap();
            let t = 0.4 * from + 0.6 * step.to;
            method.interpolate(t, &mut x);
            method.interpolate_slope(t, &mut dx);
            worst = worst.max((x[0] - t.sin()).abs()).max((dx[0] - t.cos()).abs() * 0.01);
        }
        assert!(worst < 3e-5, "{worst:e} {:?}", method.stats());
    }
}

#[test]
fn what_lies_between_the_ends_of_explicit_steps_is_good() {
    // Something small is diluted fast at first: the ends of a long step can be right by chance.
    let exact = |t: f64| 1.0 - 1.0 / (1.0 + 9.0 * t);
    let mut dilution = Plain(1, |t: f64, _: &[f64], dx: &mut [f64]| dx[0] = 9.0 / (1.0 + 9.0 * t).powi(2));
    for start in (1..60).map(|k| 0.1 * f64::from(k)) {
        let options = Options { initial_step: Some(start), ..Options::default() };
        let tolerance = Tolerance::uniform(1, 1e-4, 1e-4);
        let mut method = DormandPrince::new(&dilution, tolerance, options).unwrap();
        method.restart(0.0, &[0.0], false);
        let mut x = [0.0];
        while method.time() < 6.0 {
            let from = method.time();
            let step = method.step(&mut dilution, 6.0).unwrap();
            for part in [0.25, 0.5, 0.75] {
                let t = from + part * (step.to - from);
                method.interpolate(t, &mut x);
                assert!((x[0] - exact(t)).abs() < 3e-3, "{start}: {} for {} at {t}", x[0], exact(t));
            }
        }
    }
}

#[test]
fn stiffness_is_noticed_at_rest() {
    // Nothing but round-off moves, and grows in steps that are too long.
    let mut rest = Plain(1, |t: f64, x: &[f64], dx: &mut [f64]| {
        dx[0] = -1e4 * (x[0] - 1.0) + 1e-10 * (1e6 * t).sin();
    });
    let mut method =
        DormandPrince::new(&rest, Tolerance::uniform(1, 1e-6, 1e-6), Options::default()).unwrap();
    method.restart(0.0, &[1.0], false);
    while method.stiffness() <= 3.25 {
        method.step(&mut rest, 100.0).unwrap();
        assert!(method.stats().steps < 100, "not noticed by {}", method.time());
    }
}

#[test]
fn bdf_does_not_chase_its_own_errors() {
    // A flow that grows with the root of what drives it: Newton's method has errors here that a prediction magnifies.
    let mut flow = Plain(1, |t: f64, x: &[f64], dx: &mut [f64]| {
        let drive = (0.01 * t).sin() - x[0];
        dx[0] = 1e6 * drive / (drive.abs() + 1e-7).sqrt();
    });
    let mut method = bdf(&flow, 1e-5, 1e-5);
    method.restart(0.0, &[0.0], false);
    run(&mut method, &mut flow, 1000.0).unwrap();
    assert!(method.stats().steps < 20_000, "{:?}", method.stats());
}

#[test]
fn implicit_methods_come_to_the_edge_of_a_root() {
    // A tank empties at 10 and has no values beyond: no accepted state may lie there, or no step leads on or back.
    for c in [0.2, 3.0, 40.0] {
        let mut tank = Plain(1, move |_: f64, x: &[f64], dx: &mut [f64]| dx[0] = -c * x[0].sqrt());
        let tolerance = || Tolerance::uniform(1, 1e-6, 1e-6);
        let methods: [Box<dyn Integrator>; 3] = [
            Box::new(Bdf::new(&tank, tolerance(), Options::default()).unwrap()),
            Box::new(Esdirk::new(&tank, tolerance(), Options::default()).unwrap()),
            Box::new(Radau::new(&tank, tolerance(), Options::default()).unwrap()),
        ];
        for mut method in methods {
            method.restart(0.0, &[1.0], false);
            while method.time() < 2.1 / c && method.step(&mut tank, 3.0 / c).is_ok() {
                assert!(method.state()[0] >= 0.0, "{c}: {} at {}", method.state()[0], method.time());
            }
            assert!((method.time() - 2.0 / c).abs() < 0.01 / c, "{c}: {}", method.time());
            assert!(method.state()[0] < 1e-5, "{c}: {}", method.state()[0]);
        }
    }
}
