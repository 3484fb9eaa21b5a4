//! Events of a model that somebody else integrates: what FMI calls event mode.
//!
//! The host brings the machine to a time and to states, looks at its crossing functions, and asks for an update where
//! one of them has changed its sign or a planned instant is reached. An update is the whole event: what is due ticks, and
//! the equations are evaluated until nothing changes any more, exactly as in a run of our own.

mod departure;

use crate::iterate::{Iteration, Outcome};
use crate::supervisor::Sources;
use crate::{SimError, SimOptions};
use departure::Departures;
use kairos_base::Span;
use kairos_machine::{Machine, Start};
use serde::{Deserialize, Serialize};

/// What events need to know of a run that is not ours.
#[derive(Clone, Serialize, Deserialize)]
pub struct Hosted {
    sources: Sources,
    iteration: Iteration,
    outcome: Outcome,
    departures: Departures,
    /// Some operator reads the past.
    has_past: bool,
    /// The last point that was told to such operators lies on the same smooth piece.
    continues: bool,
}

/// What an event did.
#[derive(Clone, Debug, Default)]
pub struct Happened {
    /// States have other values.
    pub jumped: bool,
    /// Discrete variables or relations have.
    pub changed: bool,
    /// The model asked for its end, with this text.
    pub terminated: Option<String>,
    /// What asserts of level warning say, with their places.
    pub warnings: Vec<(String, Span)>,
    /// The next planned instant; infinite if there is none.
    pub next: f64,
}

impl Hosted {
    /// Finds the initial values at the start of the options, and makes the initial event.
    pub fn start(machine: &mut dyn Machine, options: &SimOptions) -> Result<(Self, Happened), SimError> {
        let fail = |error| SimError::evaluation(options.start, error);
        machine.set_time(options.start);
        let Start { terminated, .. } = machine.initialise().map_err(fail)?;
        let sources = Sources::new(machine, options)?;
        machine.check_parameters().map_err(fail)?;
        let has_past = machine.info().needs_history;
        let iteration = Iteration::new(machine);
        let mut hosted = Self {
            sources,
            iteration,
            outcome: Outcome::default(),
            departures: Departures::new(options.range(), options.tolerance),
            has_past,
            continues: false,
        };
        let mut happened = hosted.update(machine, options.start)?;
        happened.terminated = terminated.or(happened.terminated);
        Ok((hosted, happened))
    }

    /// The event at the machine's present point, whose time this is. Inputs may have been set since the last one.
    pub fn update(&mut self, machine: &mut dyn Machine, time: f64) -> Result<Happened, SimError> {
        self.happen(machine, time, false)
    }

    /// The last event of a run.
    pub fn finish(&mut self, machine: &mut dyn Machine, time: f64) -> Result<Happened, SimError> {
        self.happen(machine, time, true)
    }

    fn happen(&mut self, machine: &mut dyn Machine, time: f64, last: bool) -> Result<Happened, SimError> {
        let fail = |error| SimError::evaluation(time, error);
        // What is planned for the same instant up to rounding happens together, at the last of them.
        let time = self.sources.collect(time);
        machine.set_time(time);
        if self.has_past {
            machine.outputs().map_err(fail)?;
            machine.accept(std::mem::take(&mut self.continues));
        } else {
            machine.left_limit().map_err(fail)?;
        }
        self.departures.before(machine).map_err(fail)?;
        self.outcome = Outcome::default();
        let Self { sources, iteration, outcome, departures, .. } = self;
        iteration.run(machine, time, sources, last, false, &[], outcome)?;
        sources.replan(machine, time, true)?;
        sources.clear();
        let mut settle = |machine: &mut dyn Machine, outcome: &mut Outcome| {
            iteration.run(machine, time, sources, false, false, &[], outcome)
        };
        if !last && departures.depart(machine, time, |trial| settle(trial, &mut Outcome::default()))? {
            settle(machine, outcome)?;
            sources.replan(machine, time, true)?;
        }
        if self.has_past {
            machine.outputs().map_err(fail)?;
            machine.accept(false);
            self.continues = true;
        }
        let outcome = std::mem::take(&mut self.outcome);
        Ok(Happened {
            jumped: outcome.jumped,
            changed: outcome.changed,
            terminated: outcome.terminate,
            warnings: outcome.warnings,
            next: self.next(),
        })
    }

    /// What a host looks at to find events of a relation: its crossing function `gap`, pushed to the side on which the
    /// relation is.
    pub fn indicator(&self, machine: &dyn Machine, relation: u32, gap: f64) -> f64 {
        let side = f64::from(machine.info().relations[relation as usize].true_side);
        // Where a relation is true at a point only, its function may go to either side.
        let side = if machine.relations()[relation as usize] { side } else { -side };
        gap + side * self.departures.push(relation, gap)
    }

    /// The next planned instant; infinite if there is none.
    pub fn next(&self) -> f64 {
        self.sources.next().min(self.sources.next_quiet())
    }

    /// Tells an accepted point to operators that read the past; an event is due if this says so.
    pub fn accept(&mut self, machine: &mut dyn Machine, time: f64) -> Result<bool, SimError> {
        if !self.has_past {
            return Ok(false);
        }
        machine.outputs().map_err(|error| SimError::evaluation(time, error))?;
        let released = machine.accept(std::mem::replace(&mut self.continues, true));
        Ok(released)
    }
}
