//! Parameters that are changed while a run goes on.

use kairos::{Files, Model, Options, Request};

const CHARGE: &str = "model Charge
  parameter Real R = 1;
  parameter Real C = 1;
  final parameter Real tau = R*C;
  parameter Real v0 = 0.5;
  Real v(start = v0, fixed = true);
  Boolean high = v > 0.9;
equation
  tau*der(v) = 1 - v;
end Charge;";

fn charge(tunable: &[&str]) -> Model {
    let request = Request {
        file: Some("Charge.mo".into()),
        tunable: tunable.iter().map(|name| name.to_string()).collect(),
        ..Request::default()
    };
    Model::compile(Files::default().with("Charge.mo", CHARGE), request).expect("it compiles")
}

#[test]
fn what_follows_from_a_tunable_parameter_changes_with_it() {
    let model = charge(&["R"]);
    assert!(model.warnings().is_empty(), "{:?}", model.warnings());
    let mut run = model.start(&Options::default().stop(10.0).tolerance(1e-9)).expect("it starts");
    run.run_to(1.0).expect("it runs");
    let before = run.get("v").expect("there is v");
    assert!((before - (1.0 - 0.5 * (-1.0_f64).exp())).abs() < 1e-7, "{before}");
    run.set("R", 4.0).expect("it can be changed");
    run.run_to(3.0).expect("it runs");
    // The rest to the final value decays with a time constant of 4 from then on.
    let expected = 1.0 - (1.0 - before) * (-0.5_f64).exp();
    assert!((run.get("v").expect("there is v") - expected).abs() < 1e-7);
    assert_eq!(run.get("tau").expect("there is tau"), 4.0);
    let events = run.take_events();
    assert!(events.iter().any(|event| event.time == 1.0 && event.causes.iter().any(|c| c.text == "R")));
}

#[test]
fn settings_before_the_run_still_count() {
    let model = charge(&["R"]).set("R", 2.0).expect("it can be set");
    let mut run = model.start(&Options::default().stop(10.0).tolerance(1e-9)).expect("it starts");
    run.run_to(2.0).expect("it runs");
    assert!((run.get("v").expect("there is v") - (1.0 - 0.5 * (-1.0_f64).exp())).abs() < 1e-7);
}

#[test]
fn what_only_counts_before_the_run_stays_a_parameter() {
    let model = charge(&["v0"]);
    assert_eq!(model.warnings().iter().map(|w| w.code).collect::<Vec<_>>(), ["not-tunable"]);
    let mut run = model.start(&Options::default()).expect("it starts");
    assert!(run.set("v0", 0.1).is_err());
}
