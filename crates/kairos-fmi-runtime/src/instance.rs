//! An instance of an FMU as both versions of the standard see it: set, initialised, stepped or evaluated, saved.
//!
//! Co-simulation is a run of our own (`Simulation`), with all that it can: structure that changes, sliding, accumulating
//! events. Model exchange is the bare machine, whose events are updated when the importer asks for it (`Hosted`).

use crate::clocks::{self, Clock};
use crate::description::{ARRAYS, Described, Extra, MODEL, RESOURCES, describe, token};
use crate::state::{Kept, Nowhere, Phase, State};
use kairos_base::{Diagnostic, SourceMap, render_text};
use kairos_expr::{Permissions, Scalar, Value};
use kairos_machine::{EvalError, Given, Machine};
use kairos_sim::{Happened, Hosted, SimError, SimOptions, Simulation, Stopped};
use kairos_stored::Head;
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::path::Path;

/// What an FMU is used as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The importer integrates.
    ModelExchange,
    /// The FMU integrates.
    CoSimulation,
}

/// A message for whoever uses the instance.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    /// It is only a warning.
    pub warning: bool,
    /// Code, message, place and way out, as everywhere in Kairos.
    pub text: String,
}

/// An instance. Every function that fails leaves a message in `said`.
pub struct Instance {
    kind: Kind,
    head: Head,
    sources: SourceMap,
    described: Described,
    /// The elements of each array, by its reference, which is that of its first element.
    arrays: BTreeMap<u32, Vec<u32>>,
    pub(crate) clocks: Vec<Clock>,
    /// What the importer wants of the way through a step of co-simulation.
    pub steps: Steps,
    /// As it was made, for `reset`.
    pristine: Box<dyn Machine>,
    pub(crate) now: State,
    /// What there is to tell.
    pub said: Vec<Said>,
    /// Texts handed out last.
    pub texts: Vec<std::ffi::CString>,
}

/// A value that crosses the border.
#[derive(Clone, Debug, PartialEq)]
pub enum Crossing {
    /// Of a Real, an Integer, a Boolean or an enumeration.
    Number(f64),
    /// Of a String.
    Text(String),
}

/// What an event leads to, as event mode reports it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Update {
    /// The model has asked for the end.
    pub terminate: bool,
    /// States have jumped.
    pub states_changed: bool,
    /// The next planned instant, if there is one.
    pub next: Option<f64>,
}

/// How a step of co-simulation has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stepped {
    /// Where it was asked to.
    Reached,
    /// At an event, on its right side.
    Event,
    /// The model has asked for the end.
    Ended,
}

/// What an importer wants to know of the way through a step of co-simulation.
#[derive(Clone, Copy, Default)]
pub struct Steps {
    /// Steps end at events, which the importer then treats.
    pub end_at_events: bool,
    /// They may end before their time.
    pub may_end_early: bool,
    /// What is called at every event and at the end, with the importer's own pointer.
    pub intermediate: Option<(Intermediate, *mut c_void)>,
}

/// `fmi3IntermediateUpdateCallback`: the environment, the time, whether variables must be set, may be read, whether a step of
/// the solver is finished, whether it may end early; whether it shall, and when.
pub type Intermediate = unsafe extern "C" fn(*mut c_void, f64, bool, bool, bool, bool, *mut bool, *mut f64);

/// The importer is told why through `Instance::said`.
pub struct Failed;

pub(crate) type Done<T = ()> = Result<T, Failed>;

impl Instance {
    /// Reads the model from the resources of an FMU; the message says why not.
    pub fn new(kind: Kind, resources: &Path, expected: &str) -> Result<Self, String> {
        let bytes = std::fs::read(resources.join(MODEL))
            .map_err(|error| format!("the model cannot be read in {}: {error}", resources.display()))?;
        if token(&bytes) != expected {
            return Err("the description of the FMU and its model do not belong together".into());
        }
        let told = |wrong: Diagnostic| render_text(&[wrong], &SourceMap::default(), false);
        let (head, causal) = kairos_stored::read(&bytes).map_err(told)?;
        let homes = kairos_stored::resources(&head.homes, &[]);
        homes.add(RESOURCES, resources);
        for (name, file) in &head.files {
            homes.redirect(name, resources.join(file));
        }
        let modal = causal.modes.is_some();
        let machine = kairos_stored::machine(&head, causal, homes.clone(), Permissions::looking(homes));
        let sources = SourceMap::from_places(head.places.clone());
        let described = describe(machine.info());
        let info = machine.info();
        let fixed = !modal && described.states.len() == info.states.len() && !info.needs_history;
        if kind == Kind::ModelExchange && !fixed {
            return Err(
                "the structure of this model changes, so that it has no fixed states: use co-simulation"
                    .into(),
            );
        }
        let now = State::new(machine.clone_machine(), &head);
        Ok(Self {
            kind,
            head,
            sources,
            described,
            arrays: arrays(resources),
            clocks: clocks::read(resources),
            steps: Steps::default(),
            pristine: machine,
            now,
            said: Vec::new(),
            texts: Vec::new(),
        })
    }

    /// What the instance is used as.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// References with those of arrays replaced by the elements.
    pub fn elements(&self, references: &[u32]) -> Vec<u32> {
        let one = |reference: &u32| match self.arrays.get(reference) {
            Some(elements) => elements.clone(),
            None => vec![*reference],
        };
        references.iter().flat_map(one).collect()
    }

    /// The number of continuous states.
    pub fn state_count(&self) -> usize {
        self.now.machine.info().states.len()
    }

    /// The number of event indicators.
    pub fn indicator_count(&self) -> usize {
        self.described.indicators.len()
    }

    /// When the run begins and ends, and how exactly it is computed.
    pub fn set_up(&mut self, tolerance: Option<f64>, start: f64, stop: Option<f64>) -> Done {
        if self.now.phase != Phase::Instantiated {
            return self.fail("the experiment is set up before initialisation");
        }
        let experiment = &self.head.experiment;
        let usual = experiment.stop.unwrap_or(1.0) - experiment.start.unwrap_or(0.0);
        let range = stop.map_or(usual, |stop| stop - start);
        let range = if range > 0.0 && range.is_finite() { range } else { 1.0 };
        let tolerance = tolerance.or(experiment.tolerance).unwrap_or(1e-6);
        // A run of ours ends with an event; the importer says when that is.
        self.now.options = SimOptions {
            start,
            stop: start + 2.0 * range,
            interval: 0.0,
            tolerance,
            span: Some(range),
            ..SimOptions::default()
        };
        self.now.time = start;
        Ok(())
    }

    /// Values are set for the initial problem from here on.
    pub fn enter_initialisation(&mut self) -> Done {
        if self.now.phase != Phase::Instantiated {
            return self.fail("initialisation is entered once, right after instantiation or reset");
        }
        self.now.phase = Phase::Initialising;
        Ok(())
    }

    /// Solves the initial problem and makes the initial event.
    pub fn exit_initialisation(&mut self) -> Done<Update> {
        if self.now.phase != Phase::Initialising {
            return self.fail("initialisation is left after it was entered");
        }
        let options = self.now.options.clone();
        self.now.probe = None;
        self.now.looked = false;
        let mut update = Update::default();
        match self.kind {
            Kind::CoSimulation => {
                let machine = self.now.machine.clone_machine();
                let started = Simulation::start(machine, options, Box::new(Nowhere));
                self.now.run = Some(started.map_err(|error| self.tell(&error))?);
            }
            Kind::ModelExchange => {
                let started = Hosted::start(&mut *self.now.machine, &options);
                let (hosted, happened) = started.map_err(|error| self.tell(&error))?;
                self.now.hosted = Some(hosted);
                update = self.told(&happened);
            }
        }
        self.now.phase = Phase::Running;
        Ok(update)
    }

    /// The end of the run, with its last event.
    pub fn terminate(&mut self) -> Done {
        if std::mem::replace(&mut self.now.phase, Phase::Terminated) != Phase::Running {
            return Ok(());
        }
        let time = self.now.time;
        let ended = match (&mut self.now.run, &mut self.now.hosted) {
            (Some(run), _) => {
                run.set_stop(time);
                run.advance_to(time).map(|_| ())
            }
            (None, Some(hosted)) => hosted.finish(&mut *self.now.machine, time).map(|_| ()),
            _ => Ok(()),
        };
        ended.map_err(|error| self.tell(&error))
    }

    /// Everything is as right after instantiation.
    pub fn reset(&mut self) {
        self.now = State::new(self.pristine.clone_machine(), &self.head);
    }

    /// The present value of a variable.
    pub fn get(&mut self, reference: u32) -> Done<Crossing> {
        let start = self.described.starts.get(reference as usize).copied().flatten();
        let Some(var) = self.pristine.info().vars.get(reference as usize) else {
            return self.get_extra(reference);
        };
        let (slot, sign, text) = (var.slot, if var.negated { -1.0 } else { 1.0 }, var.ty == Scalar::Str);
        let begun = self.now.phase != Phase::Instantiated;
        self.look()?;
        let machine = self.now.present();
        Ok(match start.filter(|_| !begun) {
            Some(start) => Crossing::Number(machine.values()[start as usize]),
            None if text => Crossing::Text(machine.string(slot).to_string()),
            None => Crossing::Number(sign * machine.values()[slot as usize]),
        })
    }

    /// The time, or an event indicator.
    fn get_extra(&mut self, reference: u32) -> Done<Crossing> {
        let count = self.pristine.info().vars.len();
        if reference == Extra::time(count) {
            return Ok(Crossing::Number(self.now.time));
        }
        let k = (reference - Extra::indicator(count, 0)) as usize;
        let mut z = vec![0.0; self.indicator_count()];
        if k >= z.len() {
            return self.fail(&format!("there is no variable with the reference {reference}"));
        }
        self.indicators(&mut z)?;
        Ok(Crossing::Number(z[k]))
    }

    /// Brings all variables to the present point.
    fn look(&mut self) -> Done {
        let now = &mut self.now;
        if now.looked {
            return Ok(());
        }
        let (time, fail) = (now.time, |time, error: EvalError| error_of(time, &error));
        let looked = match now.phase {
            Phase::Instantiated => Ok(()),
            Phase::Initialising => {
                let mut probe = now.machine.clone_machine();
                probe.set_time(now.options.start);
                let done = probe.initialise().and_then(|_| probe.outputs());
                now.probe = Some(probe);
                done.map_err(|error| fail(time, error))
            }
            Phase::Running | Phase::Terminated => match &mut now.run {
                Some(run) => run.look().map(|_| ()).map_err(|error| error.diagnostic()),
                None if now.in_event => now.peek().map_err(|error| error.diagnostic()),
                None => now.machine.outputs().map_err(|error| fail(time, error)),
            },
        };
        now.looked = looked.is_ok();
        looked.map_err(|wrong| self.say(wrong))
    }

    /// Gives a variable another value: parameters and start values before the run, inputs at any time.
    pub fn set(&mut self, reference: u32, value: Crossing) -> Done {
        let start = self.described.starts.get(reference as usize).copied().flatten();
        let Some(var) = self.pristine.info().vars.get(reference as usize) else {
            return self.fail(&format!("there is no variable with the reference {reference}"));
        };
        let running = self.now.phase == Phase::Running;
        let value = match value {
            Crossing::Number(number) if var.negated && var.given.is_none() && start.is_none() => {
                Crossing::Number(-number)
            }
            value => value,
        };
        let settable = var.is_parameter() && var.settable && !var.is_final;
        let slot = match (var.given, start) {
            (Some(slot), _) => slot,
            (None, Some(slot)) if !running => slot,
            (None, None) if settable && !running => var.slot,
            _ => {
                let text = format!("`{}` cannot be set {}", var.name, if running { "in a run" } else { "" });
                return self.fail(text.trim_end());
            }
        };
        let moves = var.given.is_some() && !var.is_discrete;
        self.now.looked = false;
        match (&mut self.now.run, value) {
            (Some(run), Crossing::Number(number)) => run.give(slot, Value::Real(number)),
            (Some(run), Crossing::Text(text)) => run.give(slot, Value::str(&text)),
            (None, Crossing::Number(number)) if running && moves => {
                self.now.machine.set_inputs(&[(0, slot)], &[number]);
            }
            (None, Crossing::Number(number)) => self.now.machine.set(slot, Given::Number(number)),
            (None, Crossing::Text(text)) => self.now.machine.set(slot, Given::Text(&text)),
        }
        Ok(())
    }

    /// Goes on to a time, or with `to_event` to an event before it; the model may have asked for its end on the way.
    pub fn step(&mut self, from: f64, by: f64, to_event: bool) -> Done<Stepped> {
        let Some(run) = self.now.run.as_mut().filter(|_| self.now.phase == Phase::Running) else {
            return self.fail("a step is made after initialisation, in co-simulation");
        };
        let (here, to) = (run.time(), from + by);
        if (from - here).abs() > 1e-9 * self.now.options.range().max(here.abs())
            || !(by >= 0.0 && to.is_finite())
        {
            return self.fail(&format!("a step from {from} by {by} does not go on from the time {here}"));
        }
        if to >= run.options().stop {
            run.set_stop(to + self.now.options.range());
        }
        self.now.looked = false;
        if !self.clocks.is_empty() {
            self.deactivate()?;
            self.now.looked = false;
        }
        let Some(run) = &mut self.now.run else { return self.fail("there is no run") };
        let stopped = if to_event { run.advance_event(to) } else { run.advance_to(to) };
        self.now.time = run.time();
        match stopped.map_err(|error| self.tell(&error))? {
            Stopped::Terminated(text) => {
                self.now.terminated = true;
                self.said.push(Said { warning: true, text: format!("the model has ended the run: {text}") });
                Ok(Stepped::Ended)
            }
            Stopped::Event => Ok(Stepped::Event),
            _ => Ok(Stepped::Reached),
        }
    }

    /// The time that the run has come to.
    pub fn time(&self) -> f64 {
        self.now.time
    }

    /// Has the model asked for its end?
    pub fn has_terminated(&self) -> bool {
        self.now.terminated
    }

    /// Model exchange: another time.
    pub fn set_time(&mut self, time: f64) {
        self.now.time = time;
        self.now.looked = false;
        self.now.machine.set_time(time);
    }

    /// Model exchange: other states.
    pub fn set_states(&mut self, x: &[f64]) {
        self.now.looked = false;
        self.now.machine.set_states(x);
    }

    /// Model exchange: the states as they are.
    pub fn states(&self, x: &mut [f64]) {
        self.now.machine.get_states(x);
    }

    /// The size of each state.
    pub fn nominals(&self, sizes: &mut [f64]) {
        let known = &self.pristine.info().nominal;
        sizes.iter_mut().zip(known).for_each(|(size, known)| *size = *known);
    }

    /// Model exchange: the derivatives of the states.
    pub fn derivatives(&mut self, dx: &mut [f64]) -> Done {
        let time = self.now.time;
        let done = self.now.machine.derivatives(dx);
        done.map_err(|error| self.say(error_of(time, &error)))
    }

    /// Model exchange: the event indicators.
    pub fn indicators(&mut self, z: &mut [f64]) -> Done {
        let time = self.now.time;
        let machine = &mut self.now.machine;
        let mut all = vec![0.0; machine.info().relations.len()];
        if let Err(error) = machine.crossings(&mut all) {
            return Err(self.say(error_of(time, &error)));
        }
        let machine = &*self.now.machine;
        for (value, &r) in z.iter_mut().zip(&self.described.indicators) {
            let gap = all[r as usize];
            *value = self.now.hosted.as_ref().map_or(gap, |hosted| hosted.indicator(machine, r, gap));
        }
        Ok(())
    }

    /// Model exchange: an event begins at the present point. Until it is updated, values are those that it will lead to.
    pub fn enter_event(&mut self) {
        if self.now.hosted.is_some() {
            (self.now.in_event, self.now.looked) = (true, false);
        }
    }

    /// Model exchange: the event at the present point.
    pub fn update(&mut self) -> Done<Update> {
        let mut update = self.update_once()?;
        if self.release()? {
            let after = self.update_once()?;
            update = Update {
                terminate: update.terminate || after.terminate,
                states_changed: update.states_changed || after.states_changed,
                next: after.next,
            };
        }
        self.deactivate()?;
        Ok(update)
    }

    fn update_once(&mut self) -> Done<Update> {
        let Some(hosted) = &mut self.now.hosted else {
            return self.fail("an event is updated after initialisation, in model exchange");
        };
        (self.now.in_event, self.now.looked, self.now.probe) = (false, false, None);
        let happened = hosted.update(&mut *self.now.machine, self.now.time);
        let happened = happened.map_err(|error| self.tell(&error))?;
        Ok(self.told(&happened))
    }

    /// Co-simulation: the event at the present point, in which inputs were set and clocks activated.
    pub fn finish_event(&mut self) -> Done {
        if self.clocks.is_empty() {
            return Ok(());
        }
        self.look()?;
        if self.release()? {
            self.look()?;
        }
        self.deactivate()
    }

    /// Model exchange: a step of the importer is over. Is there an event?
    pub fn complete_step(&mut self) -> Done<bool> {
        let Some(hosted) = &mut self.now.hosted else { return Ok(false) };
        let accepted = hosted.accept(&mut *self.now.machine, self.now.time);
        let mut warnings = Vec::new();
        self.now.machine.warnings(&mut warnings);
        self.warn(&warnings);
        accepted.map_err(|error| self.tell(&error))
    }

    /// How unknowns change along a direction of knowns, at the present point with discrete variables held.
    pub fn directional(&mut self, unknown: &[u32], known: &[u32], seed: &[f64], out: &mut [f64]) -> Done {
        if self.now.phase != Phase::Running {
            return self.fail("directional derivatives are told after initialisation");
        }
        self.look()?;
        let info = self.pristine.info();
        let place = |reference: &u32| info.vars.get(*reference as usize);
        // Always all knowns: what is made for them serves every question.
        let mut slots = info.states.clone();
        slots.extend(info.vars.iter().filter(|var| !var.is_discrete).filter_map(|var| var.given));
        let mut direction = vec![0.0; slots.len()];
        let mut stranger = None;
        for (reference, seed) in known.iter().zip(seed) {
            let slot = place(reference)
                .map(|var| (var.given.unwrap_or(var.slot), var.negated && var.given.is_none()));
            let at = slot.and_then(|(slot, negated)| Some((slots.iter().position(|s| *s == slot)?, negated)));
            match at {
                Some((at, negated)) => direction[at] += if negated { -seed } else { *seed },
                None => stranger = Some(*reference),
            }
        }
        let unknowns: Option<Vec<(u32, f64)>> = unknown
            .iter()
            .map(|reference| place(reference).map(|var| (var.slot, if var.negated { -1.0 } else { 1.0 })))
            .collect();
        let (None, Some(unknowns)) = (stranger, unknowns) else {
            return self.fail("derivatives are told with respect to states and continuous inputs");
        };
        let targets: Vec<u32> = unknowns.iter().map(|(slot, _)| *slot).collect();
        let mut changes = vec![0.0; targets.len()];
        let time = self.now.time;
        let done = match &mut self.now.run {
            // On a copy: what is looked at must not change the way on.
            Some(run) => {
                run.machine().clone_machine().directional(&slots, &targets, &direction, &mut changes)
            }
            None => self.now.machine.directional(&slots, &targets, &direction, &mut changes),
        };
        done.map_err(|error| self.say(error_of(time, &error)))?;
        out.iter_mut()
            .zip(&unknowns)
            .zip(changes)
            .for_each(|((out, (_, sign)), change)| *out = sign * change);
        Ok(())
    }

    /// What a weighted sum of unknowns is to each known: the transposed question of `directional`, known by known.
    pub fn adjoint(&mut self, unknown: &[u32], known: &[u32], seed: &[f64], out: &mut [f64]) -> Done {
        let mut column = vec![0.0; unknown.len()];
        for (known, out) in known.iter().zip(out) {
            self.directional(unknown, &[*known], &[1.0], &mut column)?;
            *out = column.iter().zip(seed).map(|(slope, seed)| slope * seed).sum();
        }
        Ok(())
    }

    /// A copy of all that changes.
    pub fn keep(&mut self) -> Done<Kept> {
        match self.now.copy() {
            Ok(state) => Ok(Kept(state)),
            Err(error) => Err(self.tell(&error)),
        }
    }

    /// Goes back to a kept state.
    pub fn go_back(&mut self, kept: &Kept) -> Done {
        match kept.0.copy() {
            Ok(state) => {
                self.now = state;
                Ok(())
            }
            Err(error) => Err(self.tell(&error)),
        }
    }

    /// A kept state as bytes.
    pub fn write(&mut self, kept: &Kept) -> Done<Vec<u8>> {
        match kept.0.copy().and_then(State::write) {
            Ok(bytes) => Ok(bytes),
            Err(error) => Err(self.tell(&error)),
        }
    }

    /// The state that `write` has made bytes of.
    pub fn read(&mut self, bytes: &[u8]) -> Done<Kept> {
        match State::read(bytes, &*self.pristine) {
            Ok(state) => Ok(Kept(state)),
            Err(why) => self.fail(&why),
        }
    }

    fn told(&mut self, happened: &Happened) -> Update {
        self.warn(&happened.warnings);
        if let Some(text) = &happened.terminated {
            self.now.terminated = true;
            self.said.push(Said { warning: true, text: format!("the model has ended the run: {text}") });
        }
        Update {
            terminate: happened.terminated.is_some(),
            states_changed: happened.jumped,
            next: happened.next.is_finite().then_some(happened.next),
        }
    }

    fn warn(&mut self, warnings: &[(String, kairos_base::Span)]) {
        for (text, span) in warnings {
            let wrong = Diagnostic::warning("assertion-warning", text.clone()).at(*span);
            let text = render_text(&[wrong], &self.sources, false);
            self.said.push(Said { warning: true, text });
        }
    }

    fn tell(&mut self, error: &SimError) -> Failed {
        self.say(error.diagnostic())
    }

    fn say(&mut self, wrong: Diagnostic) -> Failed {
        let warning = !wrong.is_error();
        let text = render_text(&[wrong], &self.sources, false).trim_end().to_string();
        self.said.push(Said { warning, text });
        Failed
    }

    /// Leaves a message about the way in which the instance was used.
    pub fn fail<T>(&mut self, text: &str) -> Done<T> {
        self.said.push(Said { warning: false, text: text.to_string() });
        Err(Failed)
    }
}

/// The arrays that the resources of an FMU tell of.
fn arrays(resources: &Path) -> BTreeMap<u32, Vec<u32>> {
    let text = std::fs::read_to_string(resources.join(ARRAYS)).unwrap_or_default();
    let line = |line: &str| -> Option<(u32, Vec<u32>)> {
        let elements: Vec<u32> = line.split(' ').map(str::parse).collect::<Result<_, _>>().ok()?;
        Some((*elements.first()?, elements))
    };
    text.lines().filter_map(line).collect()
}

/// A failed evaluation in the user's terms.
fn error_of(time: f64, error: &EvalError) -> Diagnostic {
    let fault = error.fault();
    let mut wrong = Diagnostic::error(fault.code, format!("at time {time}: {}", fault.message));
    if let Some(span) = fault.span {
        wrong = wrong.at(span);
    }
    wrong.help.extend(fault.help.iter().cloned());
    wrong
}
