//! One arithmetic: a run gives the same bits on the interpreter and in native code.

mod common;

use common::{cases, suite, within};
use kairos::{Disk, Engine, Files, Goal, Machine, Request, World, simulate};
use kairos_sim::{SimOptions, Sink};
use std::time::Duration;

/// All rows in bits.
#[derive(Default)]
struct Bits(Vec<u64>);

impl Sink for Bits {
    fn row(&mut self, time: f64, machine: &dyn Machine) -> Result<(), String> {
        let info = machine.info();
        let numbers = info.vars.iter().map(|var| machine.values()[var.slot as usize].to_bits());
        self.0.push(time.to_bits());
        self.0.extend(numbers);
        Ok(())
    }
}

/// The rows of a run, and how it ended.
fn rows(world: &dyn World, request: &Request, options: &SimOptions) -> Option<(Vec<u64>, bool)> {
    let compiled = kairos::compile(world, request, Goal::Machine);
    let mut bits = Bits::default();
    let ended = simulate(compiled.machine?, options, &mut bits);
    Some((bits.0, ended.is_ok()))
}

/// The number of the first row that differs.
fn difference(world: &dyn World, request: &Request, options: &SimOptions) -> Result<(), String> {
    let on = |engine: Engine| rows(world, &Request { engine, ..request.clone() }, options);
    let (Some(slow), Some(fast)) = (on(Engine::Interpreter), on(Engine::Jit)) else { return Ok(()) };
    match slow == fast {
        true => Ok(()),
        false => Err(match slow.0.iter().zip(&fast.0).position(|(a, b)| a != b) {
            Some(at) => format!("number {at} of {} differs", slow.0.len()),
            None => format!("{} numbers and {}", slow.0.len(), fast.0.len()),
        }),
    }
}

#[test]
fn systems_keep_no_memory_of_who_evaluated_them() {
    // A system that is iterated beside relations that the search for events asks for.
    let text = "model V Real y(start=1), z(start=0, fixed=true), q; equation y*y + 0.5*y = 2 + time;
      q = if q > 2 then 0.5*q else 0.25*q + 1; der(z) = y - z; end V;";
    let world = Files::default().with("v.mo", text);
    let request = Request { file: Some("v.mo".into()), ..Request::default() };
    let options = SimOptions { interval: 1e-4, ..SimOptions::default() };
    assert_eq!(difference(&world, &request, &options), Ok(()));
}

#[test]
fn both_machines_compute_the_same_bits() {
    let (mut count, mut faults) = (0, String::new());
    for folder in ["hybrid", "modes", "reach", "systems"] {
        if !suite().join(folder).is_dir() {
            continue;
        }
        for (file, case) in cases::cases(&suite().join(folder)) {
            let judged = case.clone();
            let work = move || {
                let model = judged["model"].as_str().map(String::from);
                let request = Request { file, model, ..Request::default() };
                let compiled = kairos::compile(&Disk, &request, Goal::Causal);
                difference(&Disk, &request, &cases::wanted(&judged).options(&compiled.experiment))
            };
            match within(Duration::from_secs(120), work).and_then(|result| result) {
                Ok(()) => count += 1,
                Err(fault) => faults.push_str(&format!("  {folder}: {}: {fault}\n", case["model"])),
            }
        }
    }
    println!("{count} cases the same on both machines");
    assert!(faults.is_empty(), "cases that differ:\n{faults}");
    assert!(count > 100, "only {count} cases were run");
}
