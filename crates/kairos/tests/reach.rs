//! Events that evaluate only what they reach do what evaluations of everything do.

mod common;

use common::{cases, run, suite, within};
use kairos::{Disk, Engine, Goal, Method, Request, RunRequest, Streams, Summary};
use kairos_expr::Scalar;
use serde_json::Value;
use std::path::Path;
use std::time::Duration;

/// Runs every case with an evaluation of the whole model beside each of a part; and without rows and log, where events
/// that concern nobody else are not stopped for, on interpreter and native code.
#[test]
fn parts_do_what_the_whole_does() {
    let mut faults = String::new();
    let mut count = 0;
    for folder in ["hybrid", "library", "modes", "reach"] {
        for (file, case) in cases::cases(&suite().join(folder)) {
            count += 1;
            let name = case["model"].as_str().unwrap_or_default().to_string();
            let limit = Duration::from_secs_f64(case["max_wall_seconds"].as_f64().unwrap_or(60.0));
            let found = within(limit, move || differences(file, &case));
            if let Err(fault) | Ok(Some(fault)) = found {
                faults.push_str(&format!("  {name}: {fault}\n"));
            }
        }
    }
    println!("{count} cases");
    assert!(faults.is_empty(), "cases in which a part does otherwise:\n{faults}");
}

fn differences(file: Option<String>, case: &Value) -> Option<String> {
    let model = case["model"].as_str().map(String::from);
    let request = |engine| Request { file: file.clone(), model: model.clone(), engine, ..Request::default() };
    let wanted = RunRequest {
        stop: case["stop"].as_f64(),
        tolerance: Some(1e-9),
        method: case["solver"]["method"].as_str().and_then(Method::from_name).unwrap_or_default(),
        step: case["solver"]["step"].as_f64(),
        ..RunRequest::default()
    };
    // Differences break it down.
    run(&request(Engine::Verified), &wanted);
    let ran = run(&request(Engine::Interpreter), &wanted);
    let told = ran.finished.and_then(|finished| finished.outcome.ok())?;
    let (summary, values) = silent(&request(Engine::Interpreter), &wanted)?;
    let counts = |s: &Summary| (s.time_events, s.state_events, s.event_iterations, s.restarts);
    if counts(&told) != counts(&summary) {
        return Some(format!("events {:?} with rows, {:?} without", counts(&told), counts(&summary)));
    }
    let machine = ran.compiled.machine.as_ref()?;
    for (var, (name, value)) in machine.info().vars.iter().zip(&values) {
        let with_log = machine.values()[var.slot as usize];
        if var.ty != Scalar::Real && with_log.to_bits() != value.to_bits() {
            return Some(format!("{name} is {with_log} at the end with a log, {value} without"));
        }
    }
    let (native, same) = silent(&request(Engine::Jit), &wanted)?;
    if counts(&summary) != counts(&native) {
        return Some(format!("events {:?} interpreted, {:?} native", counts(&summary), counts(&native)));
    }
    // Whole steps in native code are the stages that the interpreter makes one by one.
    let effort = |s: &Summary| (s.steps, s.rejected_steps, s.evaluations, s.crossing_evaluations);
    if effort(&summary) != effort(&native) {
        return Some(format!("steps {:?} interpreted, {:?} native", effort(&summary), effort(&native)));
    }
    let differs = values.iter().zip(&same).find(|((_, a), (_, b))| a.to_bits() != b.to_bits());
    differs.map(|((name, a), (_, b))| format!("{name} is {a} interpreted and {b} native"))
}

/// A run that nobody listens to, and the values at its end.
fn silent(request: &Request, wanted: &RunRequest) -> Option<(Summary, Vec<(String, f64)>)> {
    let compiled = kairos::compile(&Disk, request, Goal::Machine);
    let finished = kairos::run(&compiled, wanted, &mut Streams::default())?;
    let machine = compiled.machine.as_ref()?;
    let values = machine.info().vars.iter().map(|v| (v.name.clone(), machine.values()[v.slot as usize]));
    Some((finished.outcome.ok()?, values.collect()))
}

/// What an event costs does not depend on parts that have nothing to do with it.
#[test]
fn effort_stays_with_what_is_reached() {
    let file = suite().join("reach/Crowd.mo");
    let steps = |model: &str| effort(&file, model);
    let (alone, beside) = (steps("Crowd.Plant"), steps("Crowd.PlantBesideSampler"));
    assert_eq!(alone.steps, beside.steps, "the sampler stops the plant");
    assert_eq!(alone.evaluations, beside.evaluations);
    assert_eq!(beside.time_events, 1000);
    assert_eq!(beside.restarts, alone.restarts);
}

fn effort(file: &Path, model: &str) -> Summary {
    let request = Request {
        file: Some(file.to_string_lossy().into_owned()),
        model: Some(model.to_string()),
        engine: Engine::Interpreter,
        ..Request::default()
    };
    let wanted = RunRequest { stop: Some(1.0005), ..RunRequest::default() };
    let ran = run(&request, &wanted);
    assert!(!ran.failed(), "{}", ran.said());
    ran.finished.and_then(|finished| finished.outcome.ok()).expect("a run")
}
