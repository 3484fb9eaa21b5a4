//! Runs that are saved on the way and go on in machines made from the bytes of the compiled model: they end in the same
//! bits as the run that was never interrupted.

mod common;

use common::{cases, suite, within};
use kairos::{Compilation, Disk, Engine, Goal, Request};
use kairos_sim::{SimOptions, Simulation, Sink};
use serde_json::Value;
use std::time::Duration;

/// The parts of its time after which a run is saved.
const PAUSES: [f64; 3] = [0.0, 0.37, 0.81];

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

/// Goes to the end; how that went, the effort and all variables at the end.
fn go_on(mut simulation: Simulation<'_>) -> String {
    let ended = simulation.advance_to(f64::INFINITY);
    // Other numbers are scratch paper of whoever computes: interpreter or native code.
    let last: Result<Vec<u64>, _> = simulation.look().map(|machine| {
        let slots = machine.info().vars.iter().map(|var| var.slot);
        slots.map(|slot| machine.values()[slot as usize].to_bits()).collect()
    });
    format!("{ended:?} {:?} {last:?}", simulation.summary())
}

fn start<'s>(compiled: &Compilation, options: &SimOptions, sink: &'s mut Bits) -> Option<Simulation<'s>> {
    let machine = compiled.machine.as_deref()?.clone_machine();
    Simulation::start(machine, options.clone(), Box::new(sink)).ok()
}

/// How a run is stopped to be saved.
#[derive(Clone, Copy, PartialEq)]
enum Stop {
    /// At points of its own, which it has in any case.
    OnItsWay,
    /// Exactly at an instant: there the search for events ends for a while, which changes it by round-off.
    Anywhere,
}

impl Stop {
    fn advance(self, simulation: &mut Simulation<'_>, time: f64) -> Option<()> {
        match self {
            Stop::OnItsWay => simulation.advance_past(time).ok()?,
            Stop::Anywhere => simulation.advance_to(time).ok()?,
        };
        Some(())
    }

    /// Goes over the instants after one, as far as it can; a run that is stopped only where it is anyway does not care.
    fn pass(self, simulation: &mut Simulation<'_>, after: f64, times: &[f64]) {
        if self == Stop::Anywhere {
            let mut later = times.iter().filter(|time| **time > after);
            let _ = later.try_for_each(|&time| self.advance(simulation, time));
        }
    }
}

/// A run that is saved on its way compared with one that is not, and with those that go on from its bytes. Gives the
/// number of the latter.
fn compare(
    compiled: &Compilation,
    again: &Compilation,
    options: &SimOptions,
    stop: Stop,
) -> Result<usize, String> {
    let times = PAUSES.map(|part| options.start + part * (options.stop - options.start));
    let mut plain = Bits::default();
    let Some(mut simulation) = start(compiled, options, &mut plain) else { return Ok(0) };
    stop.pass(&mut simulation, f64::NEG_INFINITY, &times);
    let told = go_on(simulation);
    let mut saved = Vec::new();
    let mut disturbed = Bits::default();
    let Some(mut simulation) = start(compiled, options, &mut disturbed) else { return Ok(0) };
    for time in times {
        if stop.advance(&mut simulation, time).is_none() {
            break;
        }
        saved.push((time, simulation.save().map_err(|error| error.message)?));
    }
    // A run that has failed is not asked to go on.
    let failed = saved.len() < times.len();
    if !failed && (go_on(simulation) != told || disturbed.0 != plain.0) {
        return Err("saving a run disturbs it".into());
    }
    for (time, bytes) in &saved {
        let mut rest = Bits::default();
        let machine = again.machine.as_deref().ok_or("no machine")?.clone_machine();
        let mut simulation =
            Simulation::restore(machine, bytes, Box::new(&mut rest)).map_err(|error| error.message)?;
        stop.pass(&mut simulation, *time, &times);
        let restored = go_on(simulation);
        let from = plain.0.len().checked_sub(rest.0.len()).ok_or(format!("more rows from {time} on"))?;
        if let Some(at) = plain.0[from..].iter().zip(&rest.0).position(|(a, b)| a != b) {
            return Err(format!("from {time} on number {at} of {} differs", rest.0.len()));
        }
        if restored != told {
            let at = restored.bytes().zip(told.bytes()).take_while(|(a, b)| a == b).count();
            let part = |text: &str| text.chars().skip(at.saturating_sub(60)).take(120).collect::<String>();
            return Err(format!("from {time} on it ends otherwise: {} not {}", part(&restored), part(&told)));
        }
    }
    Ok(saved.len())
}

fn judge(file: Option<String>, case: &Value, engine: Engine) -> Result<usize, String> {
    let model = case["model"].as_str().map(String::from);
    let needs = case["requires"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let projection = needs.into_iter().any(|need| need == "projected-init");
    let request = Request { file, model, engine, projection, portable: true, ..Request::default() };
    let compiled = kairos::compile(&Disk, &request, Goal::Machine);
    let options = cases::wanted(case).options(&compiled.experiment);
    if compiled.machine.is_none() {
        return Ok(0);
    }
    let bytes = kairos::store(&compiled).map_err(|wrong| wrong.message)?;
    let again = kairos::load(&bytes, &Request { engine, ..Request::default() });
    if let Some(wrong) = again.diagnostics.first() {
        return Err(wrong.message.clone());
    }
    let stops = [Stop::OnItsWay, Stop::Anywhere];
    let stops = if engine == Engine::Interpreter { &stops[..] } else { &stops[..1] };
    stops.iter().map(|stop| compare(&compiled, &again, &options, *stop)).sum()
}

#[test]
fn saved_runs_go_on_in_the_same_bits() {
    let (mut count, mut faults) = (0, String::new());
    for folder in ["hybrid", "modes", "reach"] {
        for (file, case) in cases::cases(&suite().join(folder)) {
            for engine in [Engine::Interpreter, Engine::Jit] {
                let (file, judged) = (file.clone(), case.clone());
                let work = move || judge(file, &judged, engine);
                match within(Duration::from_secs(120), work).and_then(|result| result) {
                    Ok(runs) => count += runs,
                    Err(fault) => {
                        faults.push_str(&format!("  {folder}: {} ({engine:?}): {fault}\n", case["model"]))
                    }
                }
            }
        }
    }
    println!("{count} runs restored");
    assert!(faults.is_empty(), "runs that go on otherwise:\n{faults}");
    assert!(count > 1000, "only {count} runs were restored");
}

/// A model with a random generator of hidden state.
const RANDOM: &str = "package Random
  impure function begin
    input Real t;
    output Integer id = 7;
    external \"C\" ModelicaRandom_setInternalState_xorshift1024star(1:33, 33, id);
  end begin;
  impure function draw
    input Integer id;
    input Real t;
    output Real y;
    external \"C\" y = ModelicaRandom_impureRandom_xorshift1024star(id);
  end draw;
  model M
    Integer id(start = 0, fixed = true);
    Real r(start = 0, fixed = true), x(start = 0, fixed = true);
  equation
    der(x) = r;
    when {time > 0.05} then
      id = begin(time);
    end when;
    when sample(0.1, 0.1) then
      r = draw(id, time);
    end when;
  end M;
end Random;
";

#[test]
fn tables_and_random_numbers_go_on() {
    let tables = suite().join("tables");
    let file = |name: &str| Some(tables.join(name).to_string_lossy().into_owned());
    let models = [(file("TableFound.mo"), "TableFound.M"), (file("TableRead.mo"), "TableRead.M")];
    let text = Some(common::Text::NAME.to_string());
    for (file, model) in models.into_iter().chain([(text, "Random.M")]) {
        let trusted = || kairos::Access::Run(kairos::Trust::Everybody);
        let from = Request {
            file,
            model: Some(model.into()),
            portable: true,
            access: trusted(),
            ..Request::default()
        };
        let compiled = match model {
            "Random.M" => kairos::compile(&common::Text(RANDOM.into()), &from, Goal::Machine),
            _ => kairos::compile(&Disk, &from, Goal::Machine),
        };
        assert!(!compiled.has_errors(), "{model}: {:?}", compiled.diagnostics);
        let bytes = kairos::store(&compiled).expect("bytes");
        let options = SimOptions { stop: 1.0, interval: 0.01, ..SimOptions::default() };
        // A second loading, since functions that remember share what they remember with the clones of a machine.
        let again = kairos::load(&bytes, &Request { access: trusted(), ..Request::default() });
        let first = kairos::load(&bytes, &Request { access: trusted(), ..Request::default() });
        let ran = compare(&first, &again, &options, Stop::OnItsWay);
        assert_eq!(ran, Ok(PAUSES.len()), "{model}");
    }
}

#[test]
fn foreign_objects_are_refused_with_a_reason() {
    if !common::c_compiler() {
        return;
    }
    let file = Some(suite().join("external/Objects.mo").to_string_lossy().into_owned());
    let access = kairos::Access::Run(kairos::Trust::Everybody);
    let request = Request { file, model: Some("Objects.M".into()), access, ..Request::default() };
    let machine = kairos::compile(&Disk, &request, Goal::Machine).machine.expect("a machine");
    let options = SimOptions { stop: 1.0, ..SimOptions::default() };
    let mut simulation = Simulation::start(machine, options, Box::new(Bits::default())).expect("a run");
    let refused = simulation.save().expect_err("a reason");
    assert!(refused.code == "run-not-saved" && refused.message.contains("foreign library"), "{refused:?}");
}

/// A model with parameters, a text and a reset: small enough to be damaged in every place.
const MODEL: &str = "model M \"größe\"
  parameter Real e = 0.5 \"höhe\";
  parameter Integer n = 2;
  parameter String s = \"text\";
  Real h(start = 1, fixed = true), v(start = 0, fixed = true), z[n];
equation
  der(h) = v;
  der(v) = -9.81;
  z = fill(h, n);
  when h < 0 then
    reinit(v, -e*pre(v));
  end when;
  assert(e < 1, \"e is too large\");
end M;
";

fn compiled(settings: &[(&str, &str)]) -> Vec<u8> {
    let settings = settings.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let file = Some(common::Text::NAME.to_string());
    let request = Request { file, settings, portable: true, ..Request::default() };
    let compiled = kairos::compile(&common::Text(MODEL.into()), &request, Goal::Machine);
    assert!(!compiled.has_errors(), "{:?}", compiled.diagnostics);
    kairos::store(&compiled).expect("a model that can be stored")
}

fn loaded(bytes: &[u8], settings: &[(&str, &str)]) -> Compilation {
    let settings = settings.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    kairos::load(bytes, &Request { engine: Engine::Interpreter, settings, ..Request::default() })
}

fn value(compiled: &Compilation, name: &str) -> f64 {
    let machine = compiled.machine.as_deref().expect("a machine");
    let var = machine.info().vars.iter().find(|var| var.name == name).expect("a variable");
    machine.values()[var.slot as usize]
}

#[test]
fn a_damaged_model_is_refused() {
    let bytes = compiled(&[]);
    assert!(!loaded(&bytes, &[]).has_errors());
    for at in (0..bytes.len()).step_by(7) {
        let mut changed = bytes.clone();
        changed[at] ^= 0x10;
        for damaged in [&changed[..], &bytes[..at]] {
            let refused = loaded(damaged, &[]);
            let known = ["not-a-compiled-model", "other-version"];
            assert!(refused.machine.is_none() && known.contains(&refused.diagnostics[0].code), "byte {at}");
        }
    }
}

#[test]
fn a_stored_model_has_no_sources_but_their_places() {
    let bytes = compiled(&[]);
    let text = String::from_utf8_lossy(&bytes);
    assert!(!text.contains("reinit") && !text.contains("equation"), "sources travel");
    let compiled = loaded(&bytes, &[("e", "2")]);
    let machine = compiled.machine.as_deref().expect("a machine").clone_machine();
    let options = SimOptions { stop: 1.0, ..SimOptions::default() };
    let failed =
        Simulation::start(machine, options, Box::new(Bits::default())).err().expect("a failed assert");
    let said = kairos::render_text(&[failed.diagnostic()], &compiled.sources, false);
    assert!(said.contains("e is too large") && said.contains("text.mo:13:3"), "{said}");
}

#[test]
fn settings_travel_and_others_can_be_given() {
    let bytes = compiled(&[("e", "0.25"), ("n", "3")]);
    let same = loaded(&bytes, &[]);
    assert_eq!((value(&same, "e"), value(&same, "n")), (0.25, 3.0));
    assert_eq!(value(&loaded(&bytes, &[("e", "0.75")]), "e"), 0.75);
    for (setting, code) in
        [("n", "setting-is-built-in"), ("h", "setting-is-built-in"), ("q", "unknown-variable")]
    {
        let refused = loaded(&bytes, &[(setting, "4")]);
        assert!(refused.diagnostics.iter().any(|d| d.code == code), "{setting}: {:?}", refused.diagnostics);
    }
}

#[test]
fn a_run_does_not_go_on_in_another_model() {
    let start = |bytes: &[u8]| {
        let machine = loaded(bytes, &[]).machine.expect("a machine");
        let options = SimOptions { stop: 1.0, ..SimOptions::default() };
        let mut simulation = Simulation::start(machine, options, Box::new(Bits::default())).expect("a run");
        simulation.advance_to(0.5).expect("half of it");
        simulation.save().expect("bytes")
    };
    let (two, three) = (compiled(&[]), compiled(&[("n", "3")]));
    let saved = start(&two);
    let restore = |model: &[u8], run: &[u8]| {
        let machine = loaded(model, &[]).machine.expect("a machine");
        Simulation::restore(machine, run, Box::new(Bits::default())).map(|run| run.time())
    };
    assert_eq!(restore(&two, &saved).ok(), Some(0.5));
    assert_eq!(restore(&three, &saved).err().map(|error| error.code), Some("run-not-restored"));
    assert_eq!(restore(&two, &two).err().map(|error| error.code), Some("run-not-restored"));
    for at in (0..saved.len()).step_by(11) {
        let mut changed = saved.clone();
        changed[at] ^= 1;
        assert!(restore(&two, &changed).is_err() && restore(&two, &saved[..at]).is_err(), "byte {at}");
    }
}

#[test]
fn inputs_go_on_along_their_signals() {
    let text = "model M\n  input Real u(start = 0);\n  input Boolean b(start = false);\n  Real x(start = 0, fixed = true);\n\
                equation\n  der(x) = u + (if b then x else 1);\nend M;\n";
    let request = Request { file: Some(common::Text::NAME.into()), portable: true, ..Request::default() };
    let compiled = kairos::compile(&common::Text(text.into()), &request, Goal::Machine);
    let driven = || {
        let bytes = kairos::store(&compiled).expect("bytes");
        let mut loaded = kairos::load(&bytes, &Request::default());
        let inputs = kairos::Inputs::default()
            .function("u", |t| if t < 0.5 { (9.0 * t).sin() } else { 2.0 - t }, &[0.5])
            .function("b", |t| f64::from(u8::from(t > 0.3)), &[0.3]);
        let machine = loaded.machine.take().expect("a machine");
        loaded.machine = Some(inputs.attach(machine, 0.0, &mut loaded.diagnostics));
        assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
        loaded
    };
    let options = SimOptions { stop: 1.0, interval: 0.01, ..SimOptions::default() };
    for stop in [Stop::OnItsWay, Stop::Anywhere] {
        assert_eq!(compare(&driven(), &driven(), &options, stop), Ok(PAUSES.len()));
    }
}
