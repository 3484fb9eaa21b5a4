//! Linear models, modes and steady states against closed forms.

use kairos::{Error, Model, Options};
use kairos_analysis::{LinearRequest, TrimRequest, linearise, steady_state, trim};

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-9 * expected.abs().max(1.0), "{found}, expected {expected}");
}

#[test]
fn a_pendulum_has_the_modes_of_its_rest() -> Result<(), Error> {
    let model = Model::from_text(
        "model Pendulum parameter Real g = 9.81, l = 2, d = 0.1; input Real torque; output Real x = l*sin(phi);
           Real phi(start = 0, fixed = true), w(start = 0, fixed = true);
         equation der(phi) = w; der(w) = -g/l*sin(phi) - d*w + torque; end Pendulum;",
    )?;
    let linear = linearise(&model, &LinearRequest::default(), &Options::default())?;
    assert!(linear.is_exact);
    let names: Vec<&str> = linear.states.iter().map(|s| s.name.as_str()).collect();
    let (phi, w) = (usize::from(names[0] != "phi"), usize::from(names[0] == "phi"));
    near(linear.a[phi][w], 1.0);
    near(linear.a[w][phi], -9.81 / 2.0);
    near(linear.a[w][w], -0.1);
    near(linear.b[w][0], 1.0);
    near(linear.c[0][phi], 2.0);
    near(linear.d[0][0], 0.0);
    let natural = (9.81_f64 / 2.0).sqrt();
    for mode in &linear.modes {
        near(mode.real, -0.05);
        near(mode.imaginary.abs(), (natural * natural - 0.0025).sqrt());
        near(mode.damping, 0.05 / natural);
        near(mode.frequency, natural / (2.0 * std::f64::consts::PI));
        near(mode.participation.iter().sum(), 1.0);
        near(mode.participation[0], 0.5);
    }
    let by_length =
        LinearRequest { inputs: vec!["g".into()], outputs: vec!["w".into()], ..LinearRequest::default() };
    assert_eq!(linearise(&model, &by_length, &Options::default())?.b[w][0], 0.0);
    let wrong = LinearRequest { inputs: vec!["w".into()], ..LinearRequest::default() };
    assert_eq!(linearise(&model, &wrong, &Options::default()).expect_err("no input").code(), "wrong-input");
    Ok(())
}

#[test]
fn a_point_of_a_run_is_linearised_with_its_constraints() -> Result<(), Error> {
    // Two masses on a rod: one is a state, the other follows.
    let model = Model::from_text(
        "model Rod input Real f; Real x1(start = 1, fixed = true), v1(start = 0, fixed = true), x2, v2, tension;
         equation der(x1) = v1; der(x2) = v2; x2 = x1 + 1; der(v1) = -x1^3 + tension; 3*der(v2) = f - tension; end Rod;",
    )?;
    let request = LinearRequest { at: Some(0.5), ..LinearRequest::default() };
    let options = Options::default().tolerance(1e-10);
    let linear = linearise(&model, &request, &options)?;
    near(linear.time, 0.5);
    assert_eq!(linear.states.len(), 2);
    let position = linear.states.iter().position(|s| s.name.starts_with('x')).expect("a position");
    let speed = 1 - position;
    let x1 = linear.states[position].value - if linear.states[position].name == "x2" { 1.0 } else { 0.0 };
    near(linear.a[position][speed], 1.0);
    near(linear.a[speed][position], -3.0 * x1 * x1 / 4.0);
    near(linear.b[speed][0], 0.25);
    Ok(())
}

#[test]
fn steady_states_are_found_from_far_off() -> Result<(), Error> {
    // A reactor that ignites: dT/dt = 1 - T + exp(-1/T) k has one rest for k = 2, where it is hot.
    let model = Model::from_text(
        "model Reactor parameter Real k = 2; Real T(start = 30, fixed = true); Real c(start = 5, fixed = true); Boolean hot = T > 1;
         equation der(T) = 1 - T + k*exp(-1/T)*c; 1e-3*der(c) = 1 - c - (if hot then 0.5 else 0.1)*c*T; end Reactor;",
    )?;
    let steady = steady_state(&model, &Options::default())?;
    let value =
        |name: &str| steady.variables.iter().find(|(n, _)| n == name).map(|(_, v)| *v).expect("a variable");
    let (t, c) = (value("T"), value("c"));
    near(1.0 - t + 2.0 * (-1.0 / t).exp() * c, 0.0);
    near(1.0 - c - (if t > 1.0 { 0.5 } else { 0.1 }) * c * t, 0.0);
    assert_eq!(value("hot"), f64::from(u8::from(t > 1.0)));
    assert!(steady.steps < 200, "{} steps", steady.steps);
    // A free position: the speed comes to rest, the position stays.
    let model = Model::from_text(
        "model Car Real x(start = 3, fixed = true), v(start = 0, fixed = true); equation der(x) = v; der(v) = -v; end Car;",
    )?;
    near(steady_state(&model, &Options::default())?.states[0].1, 3.0);
    let model =
        Model::from_text("model Run Real x(start = 0, fixed = true); equation der(x) = 1 + x^2; end Run;")?;
    assert_eq!(steady_state(&model, &Options::default()).expect_err("none").code(), "no-steady-state");
    Ok(())
}

#[test]
fn a_model_is_trimmed_to_what_is_wanted() -> Result<(), Error> {
    let model = Model::from_text(
        "model Tanks parameter Real a = 0.01, b(min = 0) = 0.02; input Real inflow(start = 0.02);
           Real h1(start = 0.5, fixed = true), h2(start = 0.1, fixed = true);
         equation der(h1) = inflow - a*sqrt(h1); 2*der(h2) = a*sqrt(h1) - b*sqrt(h2); end Tanks;",
    )?;
    let open = (f64::NEG_INFINITY, f64::INFINITY);
    let value = |found: &kairos_analysis::Trimmed, name: &str| {
        found.values.iter().chain(&found.steady.states).find(|(n, _)| n == name).map_or(f64::NAN, |(_, v)| *v)
    };
    // At rest a sqrt(h1) = inflow = b sqrt(h2).
    let one = TrimRequest { free: vec![("inflow".into(), open)], wanted: vec![("h1".into(), 9.0)] };
    let found = trim(&model, &one, &Options::default())?;
    near(value(&found, "inflow"), 0.03);
    near(value(&found, "h2"), 2.25);
    let two = TrimRequest {
        free: vec![("inflow".into(), open), ("b".into(), (0.0, 1.0))],
        wanted: vec![("h1".into(), 16.0), ("h2".into(), 1.0)],
    };
    let found = trim(&model, &two, &Options::default())?;
    near(value(&found, "inflow"), 0.04);
    near(value(&found, "b"), 0.04);
    // Two may move for one: the one at its bound stays there.
    let bounded = TrimRequest {
        free: vec![("inflow".into(), (0.0, 0.02)), ("a".into(), (1e-4, 1.0))],
        wanted: vec![("h1".into(), 16.0)],
    };
    let found = trim(&model, &bounded, &Options::default())?;
    near((value(&found, "inflow") / value(&found, "a")).powi(2), 16.0);
    assert!(value(&found, "inflow") <= 0.02);
    let shut = TrimRequest { free: vec![("inflow".into(), (0.0, 0.02))], wanted: vec![("h1".into(), 9.0)] };
    assert_eq!(trim(&model, &shut, &Options::default()).expect_err("out of reach").code(), "no-trim");
    for (free, wanted) in [("h1", vec![("h2", 1.0)]), ("a", vec![("h1", 1.0), ("h2", 1.0)]), ("a", vec![])] {
        let wanted = wanted.into_iter().map(|(name, value)| (name.to_string(), value)).collect();
        let request = TrimRequest { free: vec![(free.into(), open)], wanted };
        assert_eq!(trim(&model, &request, &Options::default()).expect_err("wrong").code(), "wrong-trim");
    }
    Ok(())
}

#[test]
fn a_rest_that_motion_leaves_is_found_by_continuation() -> Result<(), Error> {
    // A magnet pulls a ball up, current and gap balance its weight: k (i/x)^2 = m g, which no motion comes to.
    let model = Model::from_text(
        "model Levitation parameter Real k = 1e-4, m = 0.1, g = 9.81, R = 2, L = 0.01, u = 12;
           Real x(start = 0.02, fixed = true), v(start = 0, fixed = true), i(start = 3, fixed = true);
         equation der(x) = v; m*der(v) = m*g - k*(i/x)^2; L*der(i) = u - R*i; end Levitation;",
    )?;
    let found = steady_state(&model, &Options::default())?;
    let value = |name: &str| {
        found.states.iter().find(|(known, _)| known == name).map_or(f64::NAN, |(_, value)| *value)
    };
    near(value("i"), 6.0);
    near(value("x"), 6.0 * (1e-4_f64 / 0.981).sqrt());
    near(value("v"), 0.0);
    Ok(())
}
