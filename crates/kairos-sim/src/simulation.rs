//! A run that its owner advances: to a time, to the next event, or to its end.
//!
//! A pause changes nothing: the solver's step goes on over it, and the present point is read off its polynomial.

use crate::supervisor::Run;
use crate::{SimError, SimOptions, Sink, Summary};
use kairos_expr::Value;
use kairos_machine::Machine;

/// A model in the middle of a run.
///
/// Rows and events go to the sink as they happen, so that after a failure everything up to it has been told.
pub struct Simulation<'s> {
    run: Run<'s>,
    finished: bool,
    /// Somebody looks: unknowns stand where they are shown, not where the way on finds them.
    looked: bool,
}

/// Why a run stopped.
#[derive(Clone, Debug, PartialEq)]
pub enum Stopped {
    /// It has come to the time that was asked for.
    Reached,
    /// An event happened at the present time; both its sides have been told to the sink.
    Event,
    /// The model asked for its end, with this text.
    Terminated(String),
    /// The stop time is reached, and the terminal event is over.
    Ended,
}

impl<'s> Simulation<'s> {
    /// Finds the initial values and makes the initial event.
    pub fn start(
        machine: Box<dyn Machine>,
        options: SimOptions,
        sink: Box<dyn Sink + 's>,
    ) -> Result<Self, SimError> {
        Ok(Self { run: Run::start(machine, options, sink)?, finished: false, looked: false })
    }

    /// A second run that goes on from here as this one does, bit for bit, and tells another sink: `begin`, and what comes
    /// after the present point. Neither disturbs the other, so that a fork that is kept is a state to go back to.
    /// External objects of the model are shared.
    pub fn fork(&self, sink: Box<dyn Sink + 's>) -> Result<Self, SimError> {
        Ok(Self { run: self.run.fork(sink)?, finished: self.finished, looked: self.looked })
    }

    /// The whole run as bytes, from which `restore` goes on bit for bit, in this process or in another one of the same build.
    /// Refused where the model has external objects of foreign libraries.
    pub fn save(&mut self) -> Result<Vec<u8>, SimError> {
        let time = self.run.t;
        self.end_look();
        self.run.save(self.finished).map_err(|why| SimError::not_saved(time, &why))
    }

    /// The run that `save` has made bytes of, with a machine of the same model. The sink is told `begin`, and what comes
    /// after the present point.
    pub fn restore(
        machine: Box<dyn Machine>,
        bytes: &[u8],
        sink: Box<dyn Sink + 's>,
    ) -> Result<Self, SimError> {
        let restored = Run::restore(machine, bytes, sink);
        let (run, finished) = restored.map_err(|why| SimError::not_restored(&why))?;
        Ok(Self { run, finished, looked: false })
    }

    /// The present time.
    pub fn time(&self) -> f64 {
        self.run.t
    }

    /// How much work it was so far.
    pub fn summary(&self) -> &Summary {
        &self.run.summary
    }

    pub fn options(&self) -> &SimOptions {
        &self.run.options
    }

    /// Gives an input another value, by the slot that takes it (`VarInfo::given`): an event at the present time. It happens
    /// when the run goes on or is looked at, together with what else is given until then.
    pub fn give(&mut self, slot: u32, value: Value) {
        if !self.finished {
            self.run.give(slot, value);
        }
    }

    /// Goes on to this time, over all events on the way.
    pub fn advance_to(&mut self, time: f64) -> Result<Stopped, SimError> {
        self.end_look();
        self.run.take_given()?;
        while self.run.t < time.min(self.run.options.stop) && self.run.summary.terminated.is_none() {
            self.run.advance(time)?;
        }
        self.stopped()
    }

    /// The run ends at another time: for those who do not know it beforehand (`SimOptions::span`).
    pub fn set_stop(&mut self, stop: f64) {
        self.run.options.stop = stop.max(self.run.t);
    }

    /// Goes on to the first point of its own at or after this time: the end of a step, or an event. The way is the one of a
    /// run that nobody stops, in all bits, which a pause in the middle of a step would change by round-off.
    pub fn advance_past(&mut self, time: f64) -> Result<Stopped, SimError> {
        self.end_look();
        self.run.take_given()?;
        while self.run.t < time.min(self.run.options.stop) && self.run.summary.terminated.is_none() {
            self.run.advance(f64::INFINITY)?;
        }
        self.stopped()
    }

    /// Goes on to the next event, but not beyond `limit`. That is the instant itself, also where only discrete variables see it.
    pub fn advance_event(&mut self, limit: f64) -> Result<Stopped, SimError> {
        let events = |summary: &Summary| summary.state_events + summary.time_events;
        self.end_look();
        self.run.take_given()?;
        let before = events(&self.run.summary);
        while self.run.t < limit.min(self.run.options.stop) && self.run.summary.terminated.is_none() {
            let pause = limit.min(self.run.sources.next_quiet());
            self.run.advance(if pause > self.run.t { pause } else { limit })?;
            if events(&self.run.summary) > before {
                let stopped = self.stopped()?;
                return Ok(if stopped == Stopped::Reached { Stopped::Event } else { stopped });
            }
        }
        self.stopped()
    }

    /// All variables at the present time.
    pub fn look(&mut self) -> Result<&dyn Machine, SimError> {
        if !self.finished {
            self.end_look();
            self.run.take_given()?;
            self.looked = true;
            self.run.look()?;
        }
        Ok(&*self.run.machine)
    }

    /// What was only to be looked at has no part in the way on.
    fn end_look(&mut self) {
        if std::mem::take(&mut self.looked) {
            self.run.end_look();
        }
    }

    /// The machine as the last look has left it; after an advance its values belong to no particular point.
    pub fn machine(&self) -> &dyn Machine {
        &*self.run.machine
    }

    fn stopped(&mut self) -> Result<Stopped, SimError> {
        let over = self.run.t >= self.run.options.stop || self.run.summary.terminated.is_some();
        if over && !std::mem::replace(&mut self.finished, true) {
            self.run.finish()?;
        }
        Ok(match &self.run.summary.terminated {
            Some(text) => Stopped::Terminated(text.clone()),
            None if over => Stopped::Ended,
            None => Stopped::Reached,
        })
    }

    /// The machine as the run has left it.
    pub fn into_machine(self) -> Box<dyn Machine> {
        self.run.machine
    }
}

/// Runs a machine from start to stop.
pub fn simulate(
    machine: Box<dyn Machine>,
    options: &SimOptions,
    sink: &mut dyn Sink,
) -> Result<Summary, SimError> {
    let mut simulation = Simulation::start(machine, options.clone(), Box::new(sink))?;
    simulation.advance_to(f64::INFINITY)?;
    Ok(simulation.run.summary)
}
