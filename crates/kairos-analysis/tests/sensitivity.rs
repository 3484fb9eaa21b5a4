//! Sensitivities against closed forms, and estimates from noisy measurements.

use kairos::results::{Signal, Source, Table};
use kairos::{Model, Options};
use kairos_analysis::{
    FitExperiment, FitRequest, Free, Sensitivities, SensitivityRequest, fit, sensitivities,
};

fn study(text: &str, of: &[&str], by: &[&str], stop: f64) -> Sensitivities {
    let model = Model::from_text(text).expect("model");
    let names = |list: &[&str]| list.iter().map(|name| name.to_string()).collect();
    let request = SensitivityRequest { of: names(of), by: names(by), intervals: 10, at: Vec::new() };
    sensitivities(&model, &request, &Options::default().stop(stop).tolerance(1e-9)).expect("sensitivities")
}

fn close(got: f64, wanted: f64) {
    assert!((got - wanted).abs() <= 1e-6 * wanted.abs().max(1e-3), "{got} instead of {wanted}");
}

#[test]
fn a_decay_follows_its_rate_and_its_start() {
    let text = "model M parameter Real k = 2; parameter Real twice = 2*k; Real x(start = 1, fixed = true); Real y = twice*x;
        equation der(x) = -k*x; end M;";
    let found = study(text, &["x", "y"], &["k", "x"], 1.0);
    assert_eq!(found.differences, None);
    let last = found.time.len() - 1;
    let e = (-2.0_f64).exp();
    close(found.slopes[0][0][last], -e);
    close(found.slopes[0][1][last], e);
    close(found.slopes[1][0][last], 2.0 * e - 4.0 * e);
}

#[test]
fn a_ball_bounces_earlier_with_more_gravity() {
    // Two bounces: values of the closed form, differentiated with forty digits.
    let text = "model M parameter Real g = 9.81, e = 0.7, h0 = 1; Real h(start = h0, fixed = true), v(start = 0, fixed = true);
        equation der(h) = v; der(v) = -g; when h < 0 then reinit(v, -e*pre(v)); end when; end M;";
    let found = study(text, &["h", "v"], &["g", "e", "h0"], 1.5);
    assert_eq!(found.differences, None);
    let last = found.time.len() - 1;
    for (i, wanted) in [
        [-0.146_322_508_163, 4.310_179_282_16, 1.488_826_194_92],
        [-0.847_548_338_776, 15.060_119_521_4, 6.400_550_796_61],
    ]
    .into_iter()
    .enumerate()
    {
        for (j, wanted) in wanted.into_iter().enumerate() {
            close(found.slopes[i][j][last], wanted);
        }
    }
}

#[test]
fn switches_by_time_and_by_state_move_with_their_limits() {
    // i' = u - R i, twice the resistance above the limit; closed form differentiated with thirty digits.
    let text = "model M parameter Real R = 2, T = 0.3, U = 5, lim = 1.2; Real i(start = 0, fixed = true); Boolean high = i > lim;
        equation der(i) = (if time > T then U else 0) - R*i*(if high then 2 else 1); end M;";
    let found = study(text, &["i"], &["R", "T", "U", "lim"], 1.0);
    assert_eq!(found.differences, None);
    let last = found.time.len() - 1;
    let wanted = [-0.479_081_452_48, -0.044_977_856_971_3, 0.197_929_480_968, 0.207_590_109_098];
    for (j, wanted) in wanted.into_iter().enumerate() {
        close(found.slopes[0][j][last], wanted);
    }
}

#[test]
fn sampled_controllers_are_left_to_differences() {
    let text = "model M parameter Real K = 0.5; Real x(start = 1, fixed = true); discrete Real u(start = 0, fixed = true);
        equation when sample(0, 0.1) then u = -K*x; end when; der(x) = u; end M;";
    let found = study(text, &["x"], &["K"], 1.0);
    assert!(found.differences.is_some());
    close(*found.slopes[0][0].last().expect("rows"), -0.95_f64.powi(9));
}

/// A generator of normal noise that is the same everywhere.
struct Noise(u64);

impl Noise {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        (-2.0 * self.unit().ln()).sqrt() * (2.0 * std::f64::consts::PI * self.unit()).cos()
    }
}

/// Twelve models with other values than those they begin with; each must come back within its own confidence interval, widened to
/// what is missed once in ten thousand.
#[test]
fn parameters_come_back_from_noisy_measurements() {
    let cases: [(&str, &[(&str, f64)], &str, f64); 12] = [
        (
            "parameter Real k = 1; Real x(start = 2, fixed = true); equation der(x) = -k*x;",
            &[("k", 2.3)],
            "x",
            2.0,
        ),
        (
            "parameter Real k = 1, c = 0.3; Real x(start = 1, fixed = true), v(start = 0, fixed = true); equation der(x) = v; der(v) = -k*x - c*v;",
            &[("k", 4.0), ("c", 0.5)],
            "x",
            6.0,
        ),
        (
            "parameter Real R = 1, C = 1; Real v(start = 0, fixed = true); equation R*C*der(v) = sin(3*time) - v;",
            &[("R", 0.4)],
            "v",
            5.0,
        ),
        (
            "parameter Real g = 9, e = 0.5; Real h(start = 1, fixed = true), v(start = 0, fixed = true); equation der(h) = v; der(v) = -g; when h < 0 then reinit(v, -e*pre(v)); end when;",
            &[("g", 9.81), ("e", 0.8)],
            "h",
            1.2,
        ),
        (
            "parameter Real T = 0.5, a = 1; Real x(start = 0, fixed = true); equation der(x) = (if time > T then a else 0) - x;",
            &[("T", 0.8), ("a", 2.0)],
            "x",
            3.0,
        ),
        (
            "parameter Real r = 1, K = 5; Real n(start = 0.1, fixed = true); equation der(n) = r*n*(1 - n/K);",
            &[("r", 1.5), ("K", 8.0)],
            "n",
            6.0,
        ),
        ("parameter Real a = 1, b = 1; Real y = a*exp(-b*time);", &[("a", 3.0), ("b", 0.7)], "y", 4.0),
        (
            "parameter Real k1 = 1, k2 = 1; Real a(start = 1, fixed = true), b(start = 0, fixed = true); equation der(a) = -k1*a; der(b) = k1*a - k2*b;",
            &[("k1", 2.0), ("k2", 0.5)],
            "b",
            5.0,
        ),
        (
            "parameter Real c = 1; Real h(start = 1, fixed = true); equation der(h) = -c*sqrt(h + 0.01);",
            &[("c", 0.6)],
            "h",
            1.5,
        ),
        (
            "parameter Real mu = 0.5; Real x(start = 2, fixed = true), v(start = 0, fixed = true); equation der(x) = v; der(v) = mu*(1 - x^2)*v - x;",
            &[("mu", 1.2)],
            "x",
            6.0,
        ),
        (
            "parameter Real low = 0.5; Real x(start = 1, fixed = true); Boolean on(start = false, fixed = true); equation on = if pre(on) then x < 1 else x < low; der(x) = if on then 1 else -1;",
            &[("low", 0.3)],
            "x",
            3.0,
        ),
        (
            "parameter Real w = 2, d = 0.1; Real x(start = 0, fixed = true), v(start = 0, fixed = true); equation der(x) = v; der(v) = w^2*(sin(time) - x) - 2*d*w*v;",
            &[("w", 3.0), ("d", 0.3)],
            "x",
            6.0,
        ),
    ];
    for (number, (body, truth, of, stop)) in cases.into_iter().enumerate() {
        let model = Model::from_text(&format!("model M {body} end M;")).expect("model");
        let mut noise = Noise(17 + number as u64);
        let options = Options::default().stop(stop).tolerance(1e-8);
        let real = model.set_all(truth.iter().map(|(name, value)| (*name, *value))).expect("set");
        let run = real.simulate(&options).expect("run");
        let time: Vec<f64> = (0..=80).map(|k| stop * f64::from(k) / 80.0).collect();
        let clean: Vec<f64> = time.iter().map(|t| run.at(of, *t).expect("value")).collect();
        let range = clean.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        let measured = clean.iter().map(|v| v + 0.01 * range * noise.normal()).collect();
        let signal = Signal::new(of, Source::Series { index: 0, negated: false });
        let data = Table { time, signals: vec![signal], series: vec![measured] };
        let free = |(name, _): &(&str, f64)| Free {
            name: (*name).into(),
            bounds: (f64::NEG_INFINITY, f64::INFINITY),
        };
        let request = FitRequest {
            free: truth.iter().map(free).collect(),
            experiments: vec![FitExperiment { data, settings: Vec::new() }],
            deviations: Vec::new(),
        };
        let found = fit(&model, &request, &options).expect("fit");
        for (k, (name, wanted)) in truth.iter().enumerate() {
            let off = (found.values[k] - wanted).abs();
            assert!(
                off <= 2.0 * found.confidence[k] && found.confidence[k] < wanted.abs(),
                "model {number}: {name} is {} ± {}, not {wanted}",
                found.values[k],
                found.confidence[k]
            );
        }
    }
}

#[test]
fn parameters_that_follow_from_others_do_not_hide_them() {
    // x = a b exp(-c t) with b = 2 a and c = b + a = 3 a: by a alone d/da = (4 a - 6 a^2 t) exp(-3 a t).
    let text = "model M parameter Real a = 0.5, b = 2*a, c = b + a; Real x(start = a*b, fixed = true); equation der(x) = -c*x; end M;";
    let alone = study(text, &["x"], &["a"], 1.0);
    let all = study(text, &["x"], &["c", "a", "b"], 1.0);
    let last = all.time.len() - 1;
    let decay = (-1.5_f64).exp();
    close(alone.slopes[0][0][last], (2.0 - 1.5) * decay);
    close(all.slopes[0][1][last], (2.0 - 1.5) * decay);
    // Given by itself, b moves the start and c, and c only itself.
    close(all.slopes[0][2][last], (0.5 - 0.5) * decay);
    close(all.slopes[0][0][last], -0.5 * decay);
}

/// What the start finds moves with what it is found from, all the way and over an event.
#[test]
fn parameters_that_the_start_finds_carry_what_they_are_found_from() {
    let text = "model M function f input Real p; output Real r[2]; algorithm r := {p*p, p}; end f;
        parameter Real p = 2; parameter Real q[2](each fixed = false); parameter Real twice = 2*q[1]; Real a = 3*p;
        Real x(start = 0, fixed = true), y = twice*x + a; Boolean high = x > q[2];
        initial algorithm q := f(p);
        equation der(x) = q[1]*(if high then 2 else 1); end M;";
    let found = study(text, &["x", "y"], &["p"], 1.0);
    assert_eq!(found.differences, None);
    // x = p^2 t up to p at t = 1/p, then x = p + 2 p^2 (t - 1/p); y = 2 p^2 x + 3 p.
    let last = found.time.len() - 1;
    let (p, t) = (2.0, 1.0);
    let (x, slope) = (p + 2.0 * p * p * (t - 1.0 / p), -1.0 + 4.0 * p * t);
    close(found.values[0][last], x);
    close(found.slopes[0][0][last], slope);
    close(found.slopes[1][0][last], 4.0 * p * x + 2.0 * p * p * slope + 3.0);
    // By the start of a state that a found parameter remembers.
    let text =
        "model M parameter Real q(fixed = false); Real x(start = 3, fixed = true); initial equation q = x^2;
        equation der(x) = -q*x; end M;";
    let found = study(text, &["x"], &["x"], 0.1);
    assert_eq!(found.differences, None);
    // x = s exp(-s^2 t)
    let last = found.time.len() - 1;
    close(found.slopes[0][0][last], (1.0 - 2.0 * 9.0 * 0.1) * (-0.9_f64).exp());
}

/// A number that an event at the start keeps is left to differences.
#[test]
fn numbers_that_the_start_keeps_are_no_constants() {
    let text = "model M parameter Real p = 2; discrete Real d(start = 0); Real x(start = 0, fixed = true);
        initial equation d = p^2; equation when x > 100 then d = pre(d) + 1; end when; der(x) = d; end M;";
    let found = study(text, &["x"], &["p"], 1.0);
    close(found.slopes[0][0][found.time.len() - 1], 4.0);
}

/// Two bodies that stop at the same instant by chance: only one of them by the mass that is differentiated by.
#[test]
fn events_that_only_chance_brings_together_are_told_apart() {
    let text = "model M parameter Real m = 2, k = 2; Real v(start = 1, fixed = true), w(start = 1, fixed = true);
        Boolean stopped(start = false, fixed = true), halted(start = false, fixed = true);
        equation m*der(v) = if stopped then 0 else -2; k*der(w) = if halted then 0 else -2;
        when v <= 0 then stopped = true; reinit(v, 0); end when; when w <= 0 then halted = true; reinit(w, 0); end when; end M;";
    let found = study(text, &["v", "w"], &["m", "k"], 1.5);
    let last = found.time.len() - 1;
    for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        assert!(found.slopes[i][j][last].abs() < 1e-6, "{i} by {j}: {}", found.slopes[i][j][last]);
    }
}
