//! An FMU behind the interface of our own machines.
//!
//! Model exchange: the FMU's states are the machine's, its event indicators are relations (`z > 0`), and its next time event
//! is an instant that is planned. An event of ours is one visit of event mode, which settles it as a whole. What has been set
//! is sent when something is asked.
//!
//! Co-simulation: a machine without states. Asked for its variables at a later time, it moves there in steps from one
//! communication point to the next; that a run asks in the order of time is what makes this right (`kairos-sim` looks
//! back only on the polynomials of states, and here there are none). Inputs are those of the beginning of a step.

use crate::archive::Archive;
use crate::description::Kind;
use crate::diagnostics;
use crate::instance::{Failure, Fmu, Instance, Setup};
use crate::layout::{Layout, lay_out};
use crate::library::Loaded;
use crate::shared::Share;
use crate::variables::is_settable;
use kairos_base::{Diagnostic, FileId, Span};
use kairos_machine::saved::{get, put};
use kairos_machine::shortcuts::{Delays, Guest, Motion, Shortcuts};
use kairos_machine::{
    Changes, Effects, Eval, EvalError, Given, Machine, MachineInfo, Plan, Source, Start, not_a_number,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A machine made of an FMU.
pub struct FmuMachine {
    fmu: Arc<Fmu>,
    layout: Arc<Layout>,
    info: Arc<MachineInfo>,
    setup: Setup,
    /// The distance of communication points; infinite: wherever a row is.
    interval: f64,
    values: Vec<f64>,
    texts: BTreeMap<u32, String>,
    /// Places that were set and not sent yet.
    pending: BTreeSet<u32>,
    live: Option<Share>,
    /// Events have a mode of their own.
    event_mode: bool,
    /// It was copied from a machine whose FMU does not allow that.
    orphan: bool,
    time: f64,
    /// Time and states that the FMU has.
    sent_time: f64,
    sent: Vec<f64>,
    held: Vec<bool>,
    pre: Vec<f64>,
    pre_held: Vec<bool>,
    /// The next planned event of the FMU.
    next: f64,
    /// The event of the present point is over.
    settled: bool,
    /// An event has been since the last comparison with left limits.
    acted: bool,
    /// The FMU wants an event after the last step.
    wanted: bool,
    /// When the FMU has ended the run.
    ended: Option<f64>,
    /// A step failed where nobody could be told.
    failure: Option<EvalError>,
    warnings: Vec<String>,
}

/// Opens an FMU for a kind, or for the one that serves best.
pub fn open(mut archive: Archive, kind: Option<Kind>) -> Result<FmuMachine, Diagnostic> {
    let path = archive.path().to_string();
    let description = archive.description.clone();
    let offered = [Kind::ModelExchange, Kind::CoSimulation];
    let names: Vec<&str> =
        offered.into_iter().filter(|kind| description.offer(*kind).is_some()).map(Kind::name).collect();
    let chosen = match kind {
        Some(kind) => Some(kind).filter(|kind| description.offer(*kind).is_some()),
        // Its own engine knows more of the model than the interface of model exchange shows.
        None => offered.into_iter().rev().find(|kind| description.offer(*kind).is_some()),
    };
    let missing = || diagnostics::no_kind(&path, kind.map_or("", Kind::name), &names);
    let kind = chosen.ok_or_else(missing)?;
    let offer = description.offer(kind).cloned().ok_or_else(missing)?;
    if let Some(clock) = description.variables.iter().find(|var| var.wants_ticks) {
        return Err(diagnostics::wants_ticks(&path, &clock.name));
    }
    let (layout, mut info) =
        lay_out(&description, kind).map_err(|why| diagnostics::bad_description(&path, &why))?;
    info.needs_history = kind == Kind::ModelExchange && offer.wants_steps;
    let files = archive.unpack(&offer.identifier)?;
    let loaded = Loaded::open(&files.library, description.version)
        .map_err(|why| diagnostics::not_loaded(&path, &why))?;
    let fmu = Arc::new(Fmu { description, kind, offer, loaded, files, path });
    Ok(FmuMachine::new(fmu, layout, info))
}

impl FmuMachine {
    fn new(fmu: Arc<Fmu>, layout: Layout, info: MachineInfo) -> Self {
        let relations = info.relations.len();
        Self {
            values: layout.values.clone(),
            texts: layout.texts.clone(),
            pre: layout.values.clone(),
            sent: vec![0.0; info.states.len()],
            layout: Arc::new(layout),
            info: Arc::new(info),
            fmu,
            setup: Setup::default(),
            interval: f64::INFINITY,
            pending: BTreeSet::new(),
            live: None,
            event_mode: false,
            orphan: false,
            time: 0.0,
            sent_time: f64::NEG_INFINITY,
            held: vec![false; relations],
            pre_held: vec![false; relations],
            next: f64::INFINITY,
            settled: false,
            acted: false,
            wanted: false,
            ended: None,
            failure: None,
            warnings: Vec::new(),
        }
    }

    /// What the FMU says of itself, and what it is used as.
    pub fn fmu(&self) -> (&crate::Description, Kind) {
        (&self.fmu.description, self.fmu.kind)
    }

    /// Gives a variable that is no parameter the value to begin with; false if the FMU determines it otherwise.
    pub fn set_start(&mut self, name: &str, given: Given<'_>) -> bool {
        let Some(slot) = self.info.vars.iter().find(|var| var.name == name).map(|var| var.slot) else {
            return false;
        };
        let place = &self.layout.places[self.layout.place_of[slot as usize] as usize];
        let var = self.fmu.description.variables.iter().filter(|var| var.reference == place.reference);
        if !var.into_iter().any(is_settable) {
            return false;
        }
        self.set(slot, given);
        true
    }

    /// Another machine with the same settings that has not begun.
    pub fn twin(&self) -> FmuMachine {
        FmuMachine { orphan: false, ..self.copied(None) }
    }

    fn copied(&self, live: Option<Share>) -> FmuMachine {
        FmuMachine {
            fmu: self.fmu.clone(),
            layout: self.layout.clone(),
            info: self.info.clone(),
            setup: self.setup.clone(),
            interval: self.interval,
            values: self.values.clone(),
            texts: self.texts.clone(),
            pending: self.pending.clone(),
            orphan: self.orphan || self.live.is_some() && live.is_none(),
            live,
            event_mode: self.event_mode,
            time: self.time,
            sent_time: self.sent_time,
            sent: self.sent.clone(),
            held: self.held.clone(),
            pre: self.pre.clone(),
            pre_held: self.pre_held.clone(),
            next: self.next,
            settled: self.settled,
            acted: self.acted,
            wanted: self.wanted,
            ended: self.ended,
            failure: self.failure.clone(),
            warnings: self.warnings.clone(),
        }
    }

    fn is_exchange(&self) -> bool {
        self.fmu.kind == Kind::ModelExchange
    }

    fn with<T>(&self, work: impl FnOnce(&mut Instance) -> Result<T, Failure>) -> Eval<T> {
        match &self.live {
            Some(share) => share.with(work),
            None => Err(diagnostics::no_copy()),
        }
    }

    /// Sends what was set: all of it, or only inputs that may change between events.
    fn send(&mut self, all: bool) -> Eval {
        if self.pending.is_empty() {
            return Ok(());
        }
        let layout = self.layout.clone();
        let ready: Vec<u32> =
            self.pending.iter().copied().filter(|k| all || layout.places[*k as usize].moves).collect();
        for k in ready {
            self.pending.remove(&k);
            let place = &layout.places[k as usize];
            if place.ty == crate::Type::String {
                let text = |slot: usize| self.texts.get(&(slot as u32)).cloned().unwrap_or_default();
                let texts: Vec<String> = place.slots().map(text).collect();
                self.with(|fmu| fmu.set_texts(&[place.reference], &texts))?;
            } else {
                let values = &self.values[place.slots()];
                self.with(|fmu| fmu.set(place.ty, &[place.reference], values))?;
            }
        }
        Ok(())
    }

    /// Model exchange: brings the FMU to the present point.
    fn go(&mut self) -> Eval {
        if self.time != self.sent_time {
            let time = self.time;
            self.with(|fmu| fmu.set_time(time))?;
            self.sent_time = time;
        }
        let states = self.info.states.iter();
        if states.zip(&self.sent).any(|(slot, sent)| self.values[*slot as usize].to_bits() != sent.to_bits())
        {
            let x: Vec<f64> = self.info.states.iter().map(|slot| self.values[*slot as usize]).collect();
            self.with(|fmu| fmu.set_states(&x))?;
            self.sent = x;
        }
        self.send(false)
    }

    /// Reads variables.
    fn read(&mut self, fixed: bool) -> Eval {
        let layout = self.layout.clone();
        for group in if fixed { &layout.fixed } else { &layout.varying } {
            if group.ty == crate::Type::String {
                let texts = self.with(|fmu| fmu.texts(&group.references, group.slots.len()))?;
                self.texts.extend(group.slots.iter().copied().zip(texts));
                continue;
            }
            let mut values = vec![0.0; group.slots.len()];
            self.with(|fmu| fmu.get(group.ty, &group.references, &mut values))?;
            for (slot, value) in group.slots.iter().zip(values) {
                self.values[*slot as usize] = value;
            }
        }
        let new = self.with(|fmu| Ok(fmu.warnings()))?;
        self.warnings.extend(new);
        Ok(())
    }

    /// Decides the relations at the present point of the FMU.
    fn decide(&mut self) -> Eval {
        let mut z = vec![0.0; self.layout.indicators];
        if !z.is_empty() {
            self.with(|fmu| fmu.indicators(&mut z))?;
        }
        self.held.iter_mut().zip(z).for_each(|(held, z)| *held = z > 0.0);
        Ok(())
    }

    /// The event of model exchange at the present point.
    fn exchange_event(&mut self, terminal: bool, effects: &mut Effects) -> Eval {
        let due = self.next <= self.time || self.wanted || !self.pending.is_empty();
        if !due && (self.settled || terminal) {
            return Ok(());
        }
        self.go()?;
        self.with(Instance::enter_events)?;
        self.send(true)?;
        let update = self.with(Instance::update)?;
        if self.next <= self.time
            && let Some(time_event) = self.held.last_mut()
        {
            *time_event = !*time_event;
        }
        self.next = update.next.unwrap_or(f64::INFINITY);
        if update.terminate {
            effects.terminate = Some("the FMU has asked for it".into());
        } else {
            self.with(Instance::leave_events)?;
        }
        let mut x = vec![0.0; self.sent.len()];
        if !x.is_empty() {
            self.with(|fmu| fmu.states(&mut x))?;
        }
        self.decide()?;
        self.read(false)?;
        for (k, (&slot, &value)) in self.info.states.clone().iter().zip(&x).enumerate() {
            if value != self.sent[k] {
                effects.reinits.push((k as u32, value));
                // The jump is the caller's to make.
                self.values[slot as usize] = self.sent[k];
            }
        }
        self.sent = x;
        (self.settled, self.acted, self.wanted) = (true, true, false);
        Ok(())
    }

    /// A machine that goes on from here as this one does; without the state of an FMU that cannot keep one.
    pub(crate) fn again(&self) -> FmuMachine {
        self.copied(self.live.as_ref().and_then(Share::another))
    }

    /// Can copies of the run go back to where it stood?
    pub(crate) fn keeps_state(&self) -> bool {
        self.fmu.offer.keeps_state
    }

    /// Are steps of any length possible, and does it stop at its events?
    pub(crate) fn abilities(&self) -> (bool, bool) {
        (self.is_exchange() || self.fmu.offer.any_step, self.is_exchange() || self.event_mode)
    }

    /// Co-simulation: goes on towards a time, but not beyond the first event on the way; says how far it came.
    pub(crate) fn go_to_event(&mut self, time: f64) -> Eval<f64> {
        self.set_time(time);
        self.step_on(true)?;
        self.time = self.time.min(self.sent_time);
        Ok(self.time)
    }

    /// Co-simulation: goes on to the present time, or to the first event on the way.
    fn step_on(&mut self, to_event: bool) -> Eval {
        let begun = self.sent_time;
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        loop {
            let from = self.sent_time;
            let slack = 1e-12 * self.time.abs().max(from.abs()).max(1e-3);
            let to = match self.fmu.offer.any_step {
                true => self.next_point().min(self.next).min(self.time),
                false => self.next_point(),
            };
            if self.time - from <= slack || to > self.time + slack {
                return Ok(());
            }
            if let Some(time) = self.ended {
                return Err(diagnostics::ended(time));
            }
            let stepped = self.with(|fmu| fmu.step(from, to - from, false))?;
            if stepped.terminate {
                self.ended = Some(stepped.time);
            }
            self.sent_time = if (stepped.time - to).abs() <= slack { to } else { stepped.time };
            if stepped.event || self.next <= self.sent_time + slack {
                self.with(Instance::enter_events)?;
                let update = self.with(Instance::update)?;
                self.next = update.next.unwrap_or(f64::INFINITY);
                self.with(Instance::leave_events)?;
                if update.terminate {
                    self.ended = Some(self.sent_time);
                }
                if to_event && self.sent_time - begun > slack {
                    return Ok(());
                }
            } else if stepped.time <= from && !stepped.terminate {
                let said = vec![format!("its step from {from} to {to} does not come forward")];
                return Err(Failure { call: "step", status: 3, said }.into());
            }
        }
    }

    /// Co-simulation: the present inputs, and what follows from them.
    fn exchange_values(&mut self) -> Eval {
        self.step_on(false)?;
        if self.event_mode && self.pending.iter().any(|k| self.layout.places[*k as usize].jumps) {
            self.with(Instance::enter_events)?;
            self.send(true)?;
            let update = self.with(Instance::update)?;
            self.next = update.next.unwrap_or(f64::INFINITY);
            self.with(Instance::leave_events)?;
        }
        self.send(true)?;
        self.read(false)
    }
}

impl Machine for FmuMachine {
    fn info(&self) -> &MachineInfo {
        &self.info
    }

    fn values(&self) -> &[f64] {
        &self.values
    }

    fn string(&self, slot: u32) -> &str {
        self.texts.get(&slot).map_or("", String::as_str)
    }

    fn set(&mut self, slot: u32, given: Given<'_>) {
        match given {
            Given::Number(number)
                if self.values[slot as usize].to_bits() == number.to_bits() && self.live.is_some() =>
            {
                return;
            }
            Given::Number(number) => self.values[slot as usize] = number,
            Given::Text(text) => drop(self.texts.insert(slot, text.to_string())),
        }
        let k = self.layout.place_of[slot as usize];
        let place = &self.layout.places[k as usize];
        // In a run only inputs are sent; other values are there to be shown, as those of a motion along a surface.
        if self.live.is_none() || place.moves || place.jumps {
            self.pending.insert(k);
        }
    }

    fn set_time(&mut self, time: f64) {
        self.settled &= time == self.time;
        self.time = time;
    }

    fn set_states(&mut self, x: &[f64]) {
        for (slot, x) in self.info.states.iter().zip(x) {
            self.values[*slot as usize] = *x;
        }
        self.settled &= self.sent.iter().zip(x).all(|(sent, x)| sent == x);
    }

    fn initialise(&mut self) -> Eval<Start> {
        self.live = None;
        self.setup.start = self.time;
        let setup = self.setup.clone();
        let name = self.fmu.description.name.clone();
        let instance = Instance::new(&self.fmu, &name)?;
        self.event_mode = self.is_exchange() || instance.event_mode;
        self.live = Some(Share::new(instance));
        let given: BTreeSet<u32> = self.pending.clone();
        self.send(true)?;
        self.with(|fmu| fmu.enter_initialisation(&setup))?;
        // Inputs hold in the initial problem, too.
        let places = self.layout.clone();
        let inputs = |k: &u32| places.places[*k as usize].moves || places.places[*k as usize].jumps;
        self.pending = given.iter().copied().filter(inputs).collect();
        self.send(true)?;
        self.with(Instance::exit_initialisation)?;
        // Another run of this machine begins with the same values.
        self.pending.clear();
        (self.sent_time, self.next, self.ended) = (self.time, f64::INFINITY, None);
        let mut start = Start::default();
        if self.event_mode {
            let update = self.with(Instance::update)?;
            self.next = update.next.unwrap_or(f64::INFINITY);
            match update.terminate {
                true => start.terminated = Some("the FMU has asked for it".into()),
                false => self.with(Instance::leave_events)?,
            }
        }
        if self.is_exchange() {
            let mut x = vec![0.0; self.sent.len()];
            let mut sizes = vec![1.0; self.sent.len()];
            if !x.is_empty() {
                self.with(|fmu| fmu.states(&mut x))?;
                self.with(|fmu| fmu.nominals(&mut sizes))?;
            }
            self.decide()?;
            let usable = |size: f64| if size.is_finite() && size > 0.0 { size } else { 1.0 };
            Arc::make_mut(&mut self.info).nominal = sizes.into_iter().map(usable).collect();
            self.sent = x;
        }
        self.read(true)?;
        self.read(false)?;
        self.settled = true;
        self.pre.clone_from(&self.values);
        self.pre_held.clone_from(&self.held);
        Ok(start)
    }

    fn derivatives(&mut self, dx: &mut [f64]) -> Eval {
        self.go()?;
        if dx.is_empty() {
            return Ok(());
        }
        self.with(|fmu| fmu.derivatives(dx))?;
        match dx.iter().zip(&self.info.state_names).find(|(dx, _)| !dx.is_finite()) {
            Some((dx, name)) => Err(EvalError::Recoverable(not_a_number(&format!("der({name})"), *dx))),
            None => Ok(()),
        }
    }

    fn crossings(&mut self, z: &mut [f64]) -> Eval {
        if self.layout.indicators == 0 {
            return Ok(());
        }
        self.go()?;
        let count = self.layout.indicators;
        self.with(|fmu| fmu.indicators(&mut z[..count]))
    }

    fn outputs(&mut self) -> Eval {
        match self.is_exchange() {
            true => {
                self.go()?;
                self.read(false)
            }
            false => self.exchange_values(),
        }
    }

    fn warnings(&mut self, warnings: &mut Vec<(String, Span)>) {
        let span = Span::new(FileId::new(0), 0, 0);
        warnings.extend(self.warnings.drain(..).map(|text| (format!("the FMU says: {text}"), span)));
    }

    fn event(&mut self, _samples: &[bool], terminal: bool, effects: &mut Effects) -> Eval {
        effects.clear();
        match self.is_exchange() {
            true => self.exchange_event(terminal, effects),
            false => {
                self.exchange_values()?;
                self.acted = true;
                Ok(())
            }
        }
    }

    fn advance_pre(&mut self, changes: &mut Changes) {
        changes.clear();
        let differ =
            |slot: &&u32| self.values[**slot as usize].to_bits() != self.pre[**slot as usize].to_bits();
        changes.discrete.extend(self.layout.discrete.iter().filter(differ));
        let flipped =
            self.held.iter().zip(&self.pre_held).enumerate().filter(|(_, (now, before))| now != before);
        changes.relations.extend(flipped.map(|(k, _)| k as u32));
        // What the FMU keeps to itself may have changed as well.
        changes.continuous_affected = std::mem::take(&mut self.acted);
        self.pre.clone_from(&self.values);
        self.pre_held.clone_from(&self.held);
    }

    fn relations(&self) -> &[bool] {
        &self.held
    }

    fn plan(&mut self, _source: Source) -> Eval<Plan> {
        Ok(Plan { first: self.next, interval: f64::INFINITY })
    }

    fn clone_machine(&self) -> Box<dyn Machine> {
        let live = self.live.as_ref().and_then(Share::another);
        Box::new(self.copied(live))
    }

    fn save(&self, to: &mut Vec<u8>) -> Result<(), String> {
        if !self.fmu.offer.writes_state {
            return Err("the FMU cannot write down its state".into());
        }
        let told = |error: EvalError| error.fault().message.clone();
        let state = self.with(|fmu| {
            let kept = fmu.keep()?;
            let bytes = fmu.write(&kept);
            fmu.forget(kept);
            bytes
        });
        let pending: Vec<u32> = self.pending.iter().copied().collect();
        let texts: Vec<(u32, String)> = self.texts.clone().into_iter().collect();
        put(to, &state.map_err(told)?)?;
        put(to, &(&self.values, texts, pending, self.time, self.sent_time, &self.sent))?;
        put(to, &(&self.held, &self.pre, &self.pre_held, self.next, &self.info.nominal))?;
        put(to, &(self.settled, self.acted, self.wanted, self.ended, self.interval))
    }

    fn restore(&mut self, mut from: &[u8]) -> Result<(), String> {
        let told = |error: EvalError| error.fault().message.clone();
        let state: Vec<u8> = get(&mut from)?;
        let (texts, pending): (Vec<(u32, String)>, Vec<u32>);
        (self.values, texts, pending, self.time, self.sent_time, self.sent) = get(&mut from)?;
        let nominal: Vec<f64>;
        (self.held, self.pre, self.pre_held, self.next, nominal) = get(&mut from)?;
        (self.settled, self.acted, self.wanted, self.ended, self.interval) = get(&mut from)?;
        self.texts = texts.into_iter().collect();
        self.pending = pending.into_iter().collect();
        if self.values.len() != self.layout.values.len() || self.sent.len() != self.info.states.len() {
            return Err(kairos_machine::saved::misfit());
        }
        Arc::make_mut(&mut self.info).nominal = nominal;
        self.live = None;
        let name = self.fmu.description.name.clone();
        let mut instance = Instance::new(&self.fmu, &name).map_err(|failure| told(failure.into()))?;
        let back = instance.read(&state).and_then(|kept| {
            let back = instance.go_back(&kept);
            instance.forget(kept);
            back
        });
        back.map_err(|failure| told(failure.into()))?;
        self.event_mode = self.is_exchange() || instance.event_mode;
        self.live = Some(Share::new(instance));
        Ok(())
    }

    fn shortcuts(&self) -> Option<&dyn Shortcuts> {
        Some(self)
    }

    fn shortcuts_mut(&mut self) -> Option<&mut dyn Shortcuts> {
        Some(self)
    }
}

impl Shortcuts for FmuMachine {
    fn delays(&self) -> Option<&dyn Delays> {
        Some(self)
    }

    fn delays_mut(&mut self) -> Option<&mut dyn Delays> {
        Some(self)
    }

    fn motion(&self) -> Option<&dyn Motion> {
        self.is_exchange().then_some(self)
    }

    fn motion_mut(&mut self) -> Option<&mut dyn Motion> {
        if self.is_exchange() { Some(self) } else { None }
    }

    fn guest(&self) -> Option<&dyn Guest> {
        Some(self)
    }

    fn guest_mut(&mut self) -> Option<&mut dyn Guest> {
        Some(self)
    }
}

impl Guest for FmuMachine {
    fn announce(&mut self, stop: f64, tolerance: f64, step: Option<f64>) {
        self.setup = Setup { start: 0.0, stop: Some(stop), tolerance: Some(tolerance) };
        let fixed = self.fmu.offer.step.filter(|_| !self.fmu.offer.any_step);
        let own = self.fmu.description.experiment.interval.filter(|own| *own > 0.0);
        self.interval = step.or(own).or(fixed).unwrap_or(f64::INFINITY);
    }

    fn next_point(&self) -> f64 {
        if self.is_exchange() || !self.interval.is_finite() {
            return f64::INFINITY;
        }
        let begun = self.setup.start;
        let passed = ((self.sent_time - begun) / self.interval + 1e-6).floor();
        begun + (passed + 1.0) * self.interval
    }

    fn ended(&self) -> Option<f64> {
        self.ended
    }
}

/// An FMU may want to hear of every step, and ask for an event after it.
impl Delays for FmuMachine {
    fn accept(&mut self, _continues: bool) -> bool {
        if !self.is_exchange() {
            return false;
        }
        let done = self.go().and_then(|()| self.with(Instance::complete_step));
        match done {
            Ok((event, end)) => {
                self.wanted |= event || end;
                false
            }
            Err(error) => {
                self.failure = Some(error);
                false
            }
        }
    }

    fn distance_of_jumps(&mut self) -> Eval<f64> {
        match self.failure.take() {
            Some(failure) => Err(failure),
            None => Ok(if self.wanted { -1.0 } else { 1.0 }),
        }
    }

    fn shortest_delay(&self) -> f64 {
        f64::INFINITY
    }
}

impl Motion for FmuMachine {
    fn jacobian(&mut self, values: &mut [Vec<f64>]) -> Eval<bool> {
        let layout = self.layout.clone();
        if !self.fmu.offer.directional || layout.states.is_empty() {
            return Ok(false);
        }
        self.go()?;
        let info = self.info.clone();
        let mut column = vec![0.0; layout.derivatives.len()];
        for ((state, rows), out) in layout.states.iter().zip(&info.jacobian_columns).zip(values) {
            self.with(|fmu| fmu.directional(&layout.derivatives, &[*state], &[1.0], &mut column))?;
            for (out, row) in out.iter_mut().zip(rows) {
                *out = column[*row as usize];
            }
        }
        Ok(true)
    }

    fn guesses(&self, _guesses: &mut Vec<f64>) {}

    fn set_guesses(&mut self, _guesses: &[f64]) {}
}
