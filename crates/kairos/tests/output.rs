//! What is written does not change what happens: runs with all rows, few, none, with and without an event log end in the
//! same states, bit for bit, after the same effort.

mod common;

use common::{cases, suite, within};
use kairos::{Compilation, Disk, Engine, Goal, Method, Request};
use kairos_sim::{SimOptions, Simulation, Sink, Stopped, Summary};
use serde_json::Value;
use std::time::Duration;

/// A listener that wants rows or a log and keeps neither.
struct Listener {
    rows: bool,
    log: bool,
}

impl Sink for Listener {
    fn row(&mut self, _: f64, _: &dyn kairos::Machine) -> Result<(), String> {
        Ok(())
    }

    fn wants_rows(&self) -> bool {
        self.rows
    }

    fn wants_events(&self) -> bool {
        self.log
    }
}

/// How a run ended: in words, with its effort and the bits of its states and of what is discrete.
#[derive(PartialEq)]
struct End {
    how: String,
    effort: [u64; 7],
    states: Vec<(String, u64)>,
}

impl End {
    fn differs(&self, other: &End) -> String {
        if self.how != other.how {
            return format!("{} and {}", self.how, other.how);
        }
        match self.states.iter().zip(&other.states).find(|(a, b)| a != b) {
            Some(((name, a), (_, b))) => {
                format!("{name} is {} and {}", f64::from_bits(*a), f64::from_bits(*b))
            }
            None => format!("effort {:?} and {:?}", self.effort, other.effort),
        }
    }
}

fn effort(s: &Summary) -> [u64; 7] {
    [s.steps, s.rejected_steps, s.evaluations, s.time_events, s.state_events, s.event_iterations, s.restarts]
}

fn end(compiled: &Compilation, options: &SimOptions, rows: bool, log: bool) -> Option<End> {
    let machine = compiled.machine.as_deref()?.clone_machine();
    let told = |error: kairos_sim::SimError| format!("{} at {:e}", error.code, error.time);
    let mut simulation = match Simulation::start(machine, options.clone(), Box::new(Listener { rows, log })) {
        Ok(simulation) => simulation,
        Err(error) => return Some(End { how: told(error), effort: [0; 7], states: Vec::new() }),
    };
    let stopped = simulation.advance_to(f64::INFINITY);
    let effort = effort(simulation.summary());
    let how = match stopped {
        Ok(Stopped::Ended) => "ended".to_string(),
        Ok(Stopped::Terminated(text)) => format!("terminated at {:e}: {text}", simulation.time()),
        Ok(other) => format!("{other:?}"),
        // Where a run fails the states are those of a trial.
        Err(error) => return Some(End { how: told(error), effort: [0; 7], states: Vec::new() }),
    };
    let machine = simulation.into_machine();
    let info = machine.info();
    let kept = info.vars.iter().filter(|var| var.is_discrete || info.states.contains(&var.slot));
    let bits = |slot: u32| (machine.values()[slot as usize] + 0.0).to_bits();
    let states = kept.map(|var| (var.name.clone(), bits(var.slot))).collect();
    Some(End { how, effort, states })
}

fn judge(file: Option<String>, case: &Value, engine: Engine) -> Result<usize, String> {
    let model = case["model"].as_str().map(String::from);
    let request = Request { file, model, engine, ..Request::default() };
    let compiled = kairos::compile(&Disk, &request, Goal::Machine);
    let mut options = cases::wanted(case).options(&compiled.experiment);
    options.at.clear();
    let span = options.stop - options.start;
    let (mut count, mut faults) = (0, Vec::new());
    let methods = match case["solver"]["method"].is_null() {
        true => vec![Method::default(), Method::Bdf, Method::Esdirk],
        false => vec![options.method],
    };
    for method in methods {
        options.method = method;
        options.interval = span / 500.0;
        let Some(silent) = end(&compiled, &options, false, false) else { continue };
        for (name, count, rows, log) in [
            ("with a log", 500.0, false, true),
            ("with 500 rows", 500.0, true, false),
            ("with seven rows and a log", 7.0, true, true),
        ] {
            options.interval = span / count;
            let Some(other) = end(&compiled, &options, rows, log) else { continue };
            if other != silent {
                faults.push(format!("{method:?} silent and {name}: {}", silent.differs(&other)));
            }
        }
        count += 1;
    }
    if faults.is_empty() { Ok(count) } else { Err(faults.join("\n    ")) }
}

#[test]
fn what_is_written_does_not_change_what_happens() {
    let (mut count, mut faults, mut wrong) = (0, String::new(), 0);
    for folder in ["hybrid", "modes", "reach"] {
        for (file, case) in cases::cases(&suite().join(folder)) {
            let name = case["model"].to_string();
            match within(Duration::from_secs(120), move || judge(file, &case, Engine::Interpreter))
                .and_then(|result| result)
            {
                Ok(ran) => count += ran,
                Err(fault) => {
                    wrong += 1;
                    faults.push_str(&format!("  {folder}: {name}:\n    {fault}\n"));
                }
            }
        }
    }
    println!("{count} runs compared");
    assert!(faults.is_empty(), "{wrong} cases that depend on what is written:\n{faults}");
    assert!(count > 150, "only {count} runs were compared");
}
