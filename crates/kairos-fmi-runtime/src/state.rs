//! What changes in an instance: copied to be kept, and written down.

use crate::clocks::Ticking;
use kairos_base::stored::{self, Kind as Stored};
use kairos_machine::Machine;
use kairos_sim::{BUILD, Hosted, SimError, SimOptions, Simulation, Sink};
use kairos_stored::Head;
use serde::{Deserialize, Serialize};

/// The head of a state as bytes.
const KIND: Stored = Stored { name: "state", build: BUILD };

/// How far an instance has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    Instantiated,
    Initialising,
    /// Between initialisation and the end.
    Running,
    Terminated,
}

/// What changes in an instance.
pub struct State {
    pub phase: Phase,
    pub options: SimOptions,
    /// The values set so far, then the machine of model exchange.
    pub machine: Box<dyn Machine>,
    /// The machine as it would be after initialisation, while values are still being set.
    pub probe: Option<Box<dyn Machine>>,
    pub hosted: Option<Hosted>,
    pub run: Option<Simulation<'static>>,
    pub time: f64,
    /// All variables are those of the present point.
    pub looked: bool,
    pub terminated: bool,
    /// Clocks that have been activated, and what their counts were when none was active.
    pub ticking: Ticking,
    /// Model exchange: event mode was entered, and nothing has been updated in it.
    pub in_event: bool,
}

/// A state that an importer keeps.
pub struct Kept(pub State);

/// The form in which a kept state is written down.
#[derive(Serialize, Deserialize)]
struct Written {
    pub phase: Phase,
    pub options: SimOptions,
    pub machine: Vec<u8>,
    pub hosted: Option<Hosted>,
    pub run: Option<Vec<u8>>,
    pub time: f64,
    pub terminated: bool,
    pub ticking: Ticking,
    pub in_event: bool,
}

/// Nobody listens to a run but its importer, who looks.
pub struct Nowhere;

impl Sink for Nowhere {
    fn row(&mut self, _: f64, _: &dyn Machine) -> Result<(), String> {
        Ok(())
    }

    fn wants_rows(&self) -> bool {
        false
    }

    fn wants_events(&self) -> bool {
        false
    }
}

impl State {
    /// Right after instantiation.
    pub fn new(machine: Box<dyn Machine>, head: &Head) -> Self {
        let start = head.experiment.start.unwrap_or(0.0);
        let stop = head.experiment.stop.unwrap_or(start + 1.0);
        let tolerance = head.experiment.tolerance.unwrap_or(1e-6);
        let span = if stop > start { stop - start } else { 1.0 };
        let options = SimOptions {
            start,
            stop: start + 2.0 * span,
            interval: 0.0,
            tolerance,
            span: Some(span),
            ..SimOptions::default()
        };
        Self {
            phase: Phase::Instantiated,
            options,
            machine,
            probe: None,
            hosted: None,
            run: None,
            time: start,
            looked: false,
            terminated: false,
            ticking: Ticking::default(),
            in_event: false,
        }
    }

    /// The machine whose values count.
    pub fn present(&self) -> &dyn Machine {
        match (&self.run, &self.probe) {
            (Some(run), _) => run.machine(),
            (None, Some(probe)) => &**probe,
            (None, None) => &*self.machine,
        }
    }

    /// Model exchange: makes the event at the present point on a copy, to look at what it leads to.
    pub fn peek(&mut self) -> Result<(), SimError> {
        let (Some(hosted), mut machine) = (&self.hosted, self.machine.clone_machine()) else { return Ok(()) };
        hosted.clone().update(&mut *machine, self.time)?;
        self.probe = Some(machine);
        Ok(())
    }

    /// Another one that goes on from here alike.
    pub fn copy(&self) -> Result<Self, SimError> {
        let run = self.run.as_ref().map(|run| run.fork(Box::new(Nowhere))).transpose()?;
        Ok(Self {
            phase: self.phase,
            options: self.options.clone(),
            machine: self.machine.clone_machine(),
            probe: None,
            hosted: self.hosted.clone(),
            run,
            time: self.time,
            looked: false,
            terminated: self.terminated,
            ticking: self.ticking.clone(),
            in_event: self.in_event,
        })
    }

    /// The state as bytes.
    pub fn write(mut self) -> Result<Vec<u8>, SimError> {
        let mut machine = Vec::new();
        let refused = |why: String| SimError::new("run-not-saved", self.time, why);
        self.machine.save(&mut machine).map_err(refused)?;
        let run = self.run.as_mut().map(Simulation::save).transpose()?;
        let (phase, time, terminated) = (self.phase, self.time, self.terminated);
        let (options, hosted, ticking, in_event) = (self.options, self.hosted, self.ticking, self.in_event);
        let written = Written { phase, options, machine, hosted, run, time, terminated, ticking, in_event };
        let body = postcard::to_stdvec(&written);
        let body = body.map_err(|error| SimError::new("run-not-saved", time, error.to_string()))?;
        Ok(stored::seal(&KIND, &body))
    }

    /// What `write` has made bytes of, for a machine like this one.
    pub fn read(bytes: &[u8], pristine: &dyn Machine) -> Result<Self, String> {
        let wrong = "the bytes are no state of this FMU";
        let body = stored::open(&KIND, bytes).map_err(|why| format!("{wrong}: {why}"))?;
        let written: Written = postcard::from_bytes(body).map_err(|_| wrong.to_string())?;
        let mut machine = pristine.clone_machine();
        machine.restore(&written.machine)?;
        let restore = |bytes: &Vec<u8>| {
            Simulation::restore(pristine.clone_machine(), bytes, Box::new(Nowhere))
                .map_err(|error| error.message)
        };
        Ok(Self {
            phase: written.phase,
            options: written.options,
            machine,
            probe: None,
            hosted: written.hosted,
            run: written.run.as_ref().map(restore).transpose()?,
            time: written.time,
            looked: false,
            terminated: written.terminated,
            ticking: written.ticking,
            in_event: written.in_event,
        })
    }
}
