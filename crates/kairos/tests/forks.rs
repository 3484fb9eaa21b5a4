//! Runs that are forked on the way: the fork and the run itself end in the same bits as a run that was only paused.

mod common;

use common::{cases, suite, within};
use kairos::{Compilation, Disk, Engine, Goal, Request};
use kairos_sim::{SimOptions, Simulation, Sink};
use serde_json::Value;
use std::time::Duration;

/// The part of its time after which a run is paused.
const PAUSE: f64 = 0.37;

/// All rows in bits.
#[derive(Default)]
struct Bits(Vec<u64>);

impl Sink for Bits {
    fn row(&mut self, time: f64, machine: &dyn kairos::Machine) -> Result<(), String> {
        let info = machine.info();
        let numbers = info.vars.iter().map(|var| machine.values()[var.slot as usize].to_bits());
        self.0.push(time.to_bits());
        self.0.extend(numbers);
        Ok(())
    }
}

/// What comes after the pause: in bits, and in words if the run fails.
type Rest = (Vec<u64>, String);

fn go_on(mut simulation: Simulation<'_>) -> String {
    let ended = simulation.advance_to(f64::INFINITY);
    // Other numbers are scratch paper of whoever computes: interpreter or native code.
    let last: Result<Vec<u64>, _> = simulation.look().map(|machine| {
        let slots = machine.info().vars.iter().map(|var| var.slot);
        slots.map(|slot| machine.values()[slot as usize].to_bits()).collect()
    });
    format!("{ended:?} {:?} {last:?}", simulation.summary())
}

/// The rest of a run that is paused only, and the rests of the run and of its fork where it is forked.
fn rests(compiled: &Compilation, options: &SimOptions) -> Option<[Rest; 3]> {
    let pause = options.start + PAUSE * (options.stop - options.start);
    let start = |sink| {
        let machine = compiled.machine.as_deref()?.clone_machine();
        let mut simulation = Simulation::start(machine, options.clone(), sink).ok()?;
        simulation.advance_to(pause).ok()?;
        Some(simulation)
    };
    let (mut plain, mut first, mut second) = (Bits::default(), Bits::default(), Bits::default());
    let told = go_on(start(Box::new(&mut plain))?);
    let forked = start(Box::new(&mut first))?;
    let fork = forked.fork(Box::new(&mut second)).ok()?;
    // The fork goes first: nothing that it does may show in the run it came from.
    let (fork, forked) = (go_on(fork), go_on(forked));
    let from = plain.0.len() - second.0.len();
    assert_eq!(plain.0[..from], first.0[..from]);
    let rest = |bits: Bits| bits.0[from..].to_vec();
    Some([(rest(plain), told), (rest(first), forked), (second.0, fork)])
}

fn judge(file: Option<String>, case: &Value, engine: Engine) -> Result<bool, String> {
    let model = case["model"].as_str().map(String::from);
    let request = Request { file, model, engine, ..Request::default() };
    let compiled = kairos::compile(&Disk, &request, Goal::Machine);
    let options = cases::wanted(case).options(&compiled.experiment);
    let Some([paused, forked, fork]) = rests(&compiled, &options) else { return Ok(false) };
    let differs = |a: &Rest, b: &Rest, name: &str| {
        (a != b).then(|| match a.0.iter().zip(&b.0).position(|(a, b)| a != b) {
            Some(at) => format!("{name}: number {at} of {} differs", a.0.len()),
            None => format!("{name}: {} numbers, not {}; {} {}", b.0.len(), a.0.len(), a.1, b.1),
        })
    };
    match differs(&paused, &forked, "the run").or_else(|| differs(&paused, &fork, "the fork")) {
        Some(fault) => Err(fault),
        None => Ok(true),
    }
}

#[test]
fn a_fork_goes_on_as_the_run_does() {
    let (mut count, mut faults) = (0, String::new());
    for folder in ["hybrid", "modes", "reach"] {
        for (file, case) in cases::cases(&suite().join(folder)) {
            for engine in [Engine::Interpreter, Engine::Jit] {
                let (file, judged) = (file.clone(), case.clone());
                let work = move || judge(file, &judged, engine);
                match within(Duration::from_secs(120), work).and_then(|result| result) {
                    Ok(ran) => count += usize::from(ran),
                    Err(fault) => {
                        faults.push_str(&format!("  {folder}: {} ({engine:?}): {fault}\n", case["model"]))
                    }
                }
            }
        }
    }
    println!("{count} runs forked");
    assert!(faults.is_empty(), "forks that differ:\n{faults}");
    assert!(count > 150, "only {count} runs came to their pause");
}
