//! Runs of small hand-written machines against closed forms.

mod support;

use kairos_sim::{EventKind, Method, Recorder, SimOptions, simulate};
use std::sync::Arc;
use support::{Hand, Instant, machine};

fn run(hand: Hand, options: &SimOptions) -> (Recorder, kairos_sim::Summary) {
    let mut recorder = Recorder::default();
    let machine = machine(hand);
    let summary = simulate(Box::new(machine), options, &mut recorder).unwrap_or_else(|e| panic!("{e:?}"));
    (recorder, summary)
}

fn options(stop: f64) -> SimOptions {
    SimOptions { tolerance: 1e-9, ..SimOptions::over(0.0, stop) }
}

fn ball(restitution: f64) -> Hand {
    Hand {
        states: vec![("h", 1.0), ("v", 0.0)],
        discrete: vec![("n", 0.0)],
        relations: vec!["h <= 0"],
        derivatives: |_, x, _, dx| (dx[0], dx[1]) = (x[1], -9.81),
        crossings: |_, x, _, z| z[0] = x[0],
        decide: |_, x, _, m| m[0] = x[0] <= 0.0,
        event: Arc::new(move |at: &mut Instant| {
            if at.relations[0] && !at.pre_relations[0] {
                at.d[0] = at.pre_d[0] + 1.0;
                at.effects.reinits.push((1, -restitution * at.pre_x[1]));
            }
        }),
        ..Hand::default()
    }
}

#[test]
fn ball_bounces_at_the_right_times() {
    let (result, _) = run(ball(0.8), &options(3.0));
    let mut t = (2.0f64 / 9.81).sqrt();
    let mut v = 9.81 * t;
    for k in 0..5 {
        let near = result.events.iter().filter(|e| (e.time - t).abs() < 1e-7).count();
        assert!(near >= 1, "bounce {k} at {t}: {:?}", result.event_times());
        v *= 0.8;
        t += 2.0 * v / 9.81;
    }
    let lowest = result.rows.iter().map(|row| row[1]).fold(0.0, f64::min);
    assert!(lowest > -1e-12, "{lowest}");
}

#[test]
fn sixty_bounces_are_all_right() {
    let e: f64 = 0.8;
    let (result, _) = run(ball(e), &options(4.05));
    let t1 = (2.0f64 / 9.81).sqrt();
    let n = result.value("n", 4.05).expect("n at the end");
    let expected =
        (1..).take_while(|k| t1 * (1.0 + 2.0 * (1..*k).map(|j| e.powi(j)).sum::<f64>()) < 4.05).count();
    assert_eq!(n, expected as f64);
}

#[test]
fn sampler_ticks_once_per_instant() {
    let hand = Hand {
        discrete: vec![("a", 0.0), ("b", 0.0), ("both", 0.0)],
        samplers: vec![(0.0, 0.1), (0.0, 0.3)],
        event: Arc::new(|at: &mut Instant| {
            at.d[0] = at.pre_d[0] + f64::from(u8::from(at.samples[0]));
            at.d[1] = at.pre_d[1] + f64::from(u8::from(at.samples[1]));
            at.d[2] = at.pre_d[2] + f64::from(u8::from(at.samples[0] && at.samples[1]));
        }),
        ..Hand::default()
    };
    let (result, summary) = run(hand, &options(100.0));
    assert_eq!(result.value("a", 100.0), Some(1001.0));
    assert_eq!(result.value("b", 100.0), Some(334.0));
    assert_eq!(result.value("both", 100.0), Some(334.0));
    assert_eq!(summary.time_events, 999, "the first and the last belong to the start and the end");
    assert_eq!(summary.steps, 0);
}

fn oscillator() -> Hand {
    Hand {
        states: vec![("x", 1.0), ("v", 0.0)],
        discrete: vec![("up", 0.0), ("down", 0.0)],
        relations: vec!["x > 0.5", "x < 0.5"],
        derivatives: |_, x, _, dx| (dx[0], dx[1]) = (x[1], -x[0]),
        crossings: |_, x, _, z| z.fill(x[0] - 0.5),
        decide: |_, x, _, m| (m[0], m[1]) = (x[0] > 0.5, x[0] < 0.5),
        event: Arc::new(|at: &mut Instant| {
            at.d[0] = at.pre_d[0] + f64::from(u8::from(at.relations[0] && !at.pre_relations[0]));
            at.d[1] = at.pre_d[1] + f64::from(u8::from(at.relations[1] && !at.pre_relations[1]));
        }),
        ..Hand::default()
    }
}

#[test]
fn oscillator_counts_crossings_without_restarts() {
    let (result, summary) = run(oscillator(), &options(20.0));
    assert_eq!(result.value("down", 20.0), Some(4.0));
    assert_eq!(result.value("up", 20.0), Some(3.0));
    assert!((result.value("x", 20.0).expect("x") - 20f64.cos()).abs() < 2e-6);
    assert_eq!(summary.state_events, 7);
    assert_eq!(summary.restarts, 1, "only the start");
    let third = std::f64::consts::FRAC_PI_3;
    assert!((result.event_times()[0] - third).abs() < 1e-8);
}

#[test]
fn fixed_steps_reproduce_the_recursion() {
    let mut options = options(2.0);
    (options.method, options.step, options.at) = (Method::Euler, Some(0.1), vec![0.1, 1.0]);
    let hand = Hand { relations: vec![], decide: |_, _, _, _| {}, ..oscillator() };
    let (result, summary) = run(Hand { event: Arc::new(|_| {}), ..hand }, &options);
    let (mut x, mut v) = (1.0, 0.0);
    for _ in 0..10 {
        (x, v) = (x + 0.1 * v, v - 0.1 * x);
    }
    assert!((result.value("x", 1.0).expect("x") - x).abs() < 1e-14);
    assert_eq!(summary.steps, 20);
}

#[test]
fn leaving_zero_is_an_event_and_staying_is_not() {
    let hand = Hand {
        states: vec![("a", 0.0), ("b", 0.0)],
        discrete: vec![("pa", 0.0), ("pb", 0.0)],
        relations: vec!["a > 0", "b > 0"],
        derivatives: |_, _, _, dx| (dx[0], dx[1]) = (1.0, 0.0),
        crossings: |_, x, _, z| z.copy_from_slice(x),
        decide: |_, x, _, m| (m[0], m[1]) = (x[0] > 0.0, x[1] > 0.0),
        event: Arc::new(|at: &mut Instant| {
            at.d[0] = f64::from(u8::from(at.relations[0]));
            at.d[1] = f64::from(u8::from(at.relations[1]));
        }),
        ..Hand::default()
    };
    let (result, _) = run(hand, &options(3.0));
    assert_eq!(result.value("pa", 0.006), Some(1.0));
    assert_eq!(result.value("pb", 3.0), Some(0.0));
    assert!(result.event_times().is_empty(), "leaving zero at once belongs to the start");
}

#[test]
fn a_loop_in_zero_time_is_reported() {
    let hand = Hand {
        states: vec![("x", 0.0)],
        discrete: vec![("mode", 1.0)],
        relations: vec!["x >= 1"],
        derivatives: |_, _, d, dx| dx[0] = if d[0] == 1.0 { 1.0 } else { -1.0 },
        crossings: |_, x, _, z| z[0] = x[0] - 1.0,
        decide: |_, x, _, m| m[0] = x[0] >= 1.0,
        event: Arc::new(|at: &mut Instant| {
            at.d[0] = match (at.pre_d[0] as i32, at.relations[0]) {
                (1, true) => 2.0,
                (2, _) => 1.0,
                _ => at.pre_d[0],
            }
        }),
        ..Hand::default()
    };
    let machine = machine(hand);
    let error = simulate(Box::new(machine), &options(2.0), &mut Recorder::default()).expect_err("a loop");
    assert_eq!(error.code, "zero-time-loop");
    assert!((error.time - 1.0).abs() < 1e-9);
    assert!(
        error.places.iter().any(|(_, told)| told.starts_with("mode: ") && told.contains("1 -> 2")),
        "{error:?}"
    );
}

#[test]
fn a_million_time_events_take_no_integrator() {
    let hand = Hand {
        discrete: vec![("k", 0.0), ("next", 0.5)],
        time_relations: vec![("time >= next", |d| d[1])],
        event: Arc::new(|at: &mut Instant| {
            if at.time_relation(0) {
                at.d[0] = at.pre_d[0] + 1.0;
                at.d[1] = at.pre_d[1] + 0.25 + (at.pre_d[0] * 0.618).fract();
            }
        }),
        ..Hand::default()
    };
    let machine = machine(hand);
    let options = SimOptions { interval: 0.0, ..options(7e4) };
    let started = std::time::Instant::now();
    let summary = simulate(Box::new(machine), &options, &mut kairos_sim::Nowhere).expect("runs");
    eprintln!("{} events in {:?}", summary.time_events, started.elapsed());
    assert!(summary.time_events > 90_000);
    assert_eq!(summary.steps, 0);
}

#[test]
fn first_and_last_events_are_told() {
    let (result, _) = run(oscillator(), &options(1.0));
    assert_eq!(result.events.first().map(|e| e.kind), Some(EventKind::Initial));
    assert_eq!(result.events.last().map(|e| e.kind), Some(EventKind::Terminal));
}

#[test]
fn a_ball_comes_to_rest_past_its_zeno_point() {
    let (result, _) = run(ball(0.5), &SimOptions { at: vec![1.8], ..options(2.5) });
    let t1 = (2.0f64 / 9.81).sqrt();
    let zeno = result.events.iter().find(|e| e.kind == EventKind::Zeno).expect("a Zeno point");
    assert!((zeno.time - 3.0 * t1).abs() < 1e-6, "{}", zeno.time);
    assert!(result.value("h", 1.8).expect("h").abs() < 1e-7);
    assert!(result.value("v", 2.5).expect("v").abs() < 1e-7);
    let lowest = result.rows.iter().map(|row| row[1]).fold(0.0, f64::min);
    assert!(lowest > -1e-7, "{lowest}");
}

#[test]
fn a_zeno_point_can_stop_the_run() {
    let options = SimOptions { zeno: kairos_sim::ZenoAction::Stop, ..options(2.5) };
    let error =
        simulate(Box::new(machine(ball(0.5))), &options, &mut Recorder::default()).expect_err("stops");
    assert_eq!(error.code, "zeno");
    assert!(error.message.contains("h <= 0"));
}

#[test]
fn a_ball_at_rest_can_be_thrown_again() {
    // Gravity turns upwards at time 3.
    let hand = Hand {
        derivatives: |t, x, _, dx| (dx[0], dx[1]) = (x[1], if t < 3.0 { -9.81 } else { 2.0 * (t - 3.0) }),
        ..ball(0.5)
    };
    let (result, _) = run(hand, &options(5.0));
    let h = result.value("h", 5.0).expect("h");
    assert!((h - 8.0 / 3.0).abs() < 1e-2, "{h}");
    assert!(result.events.iter().any(|e| e.kind == EventKind::ZenoExit));
}

#[test]
fn a_relay_slides_instead_of_chattering() {
    let hand = Hand {
        states: vec![("x", 0.8)],
        discrete: vec![("up", 1.0)],
        relations: vec!["x > 0"],
        derivatives: |t, _, d, dx| dx[0] = if d[0] > 0.0 { -1.0 } else { 1.0 } + 1.6 * t.sin(),
        crossings: |_, x, _, z| z[0] = x[0],
        decide: |_, x, _, m| m[0] = x[0] > 0.0,
        event: Arc::new(|at: &mut Instant| at.d[0] = f64::from(u8::from(at.relations[0]))),
        discrete_matters: true,
        ..Hand::default()
    };
    let (result, summary) = run(hand, &SimOptions { at: vec![3.775], ..options(5.0) });
    let kinds: Vec<EventKind> = result.events.iter().map(|e| e.kind).collect();
    let times: Vec<f64> = result.events.iter().map(|e| e.time).collect();
    assert!(kinds.contains(&EventKind::SlidingEnter), "{kinds:?}");
    assert!(kinds.contains(&EventKind::SlidingExit), "{kinds:?} {times:?}");
    assert!(result.value("x", 3.775).expect("x").abs() < 1e-8);
    assert!(summary.state_events < 20, "{}", summary.state_events);
}
