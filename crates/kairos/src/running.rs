//! A run that a program advances: step, set inputs, look, fork.
#![deny(missing_docs)]

use crate::error::Error;
use crate::inputs;
use crate::model::Compiled;
use crate::setting::Setting;
use crate::settings;
use kairos_expr::Value;
use kairos_machine::Machine;
use kairos_sim::{EventRecord, SimError, SimOptions, Sink, Stopped, Summary};
use std::sync::{Arc, Mutex, PoisonError};

/// A model in the middle of a run.
///
/// ```
/// let model = kairos::Model::from_text(
///     "model Car
///        input Real force(unit = \"N\");
///        output Real v(start = 0, fixed = true, unit = \"m/s\");
///      equation
///        1000*der(v) = force - 20*v;
///      end Car;",
/// )?;
/// let mut sim = model.start(&kairos::Options::default().stop(100.0))?;
/// while sim.time() < 10.0 {
///     let slow = sim.get("v")? < 5.0;
///     sim.set("force", if slow { 2000.0 } else { 0.0 })?;
///     sim.step(0.1)?;
/// }
/// assert!((4.5..5.5).contains(&sim.get("v")?));
/// # Ok::<(), kairos::Error>(())
/// ```
pub struct Simulation {
    run: kairos_sim::Simulation<'static>,
    compiled: Arc<Compiled>,
    told: Arc<Mutex<Vec<EventRecord>>>,
    /// Events are told.
    wanted: bool,
    /// All variables are those of the present time.
    looked: bool,
}

/// Why a run stopped.
#[derive(Clone, Debug, PartialEq)]
pub enum Stop {
    /// It has come to the time that was asked for.
    Reached,
    /// An event happened at the present time.
    Event,
    /// The model asked for its end, with this text.
    Terminated(String),
    /// The stop time is reached.
    Ended,
}

impl std::convert::From<Stopped> for Stop {
    fn from(stopped: Stopped) -> Self {
        match stopped {
            Stopped::Reached => Stop::Reached,
            Stopped::Event => Stop::Event,
            Stopped::Terminated(text) => Stop::Terminated(text),
            Stopped::Ended => Stop::Ended,
        }
    }
}

/// Keeps the events of a run until somebody fetches them.
struct Listener {
    told: Arc<Mutex<Vec<EventRecord>>>,
    wanted: bool,
}

impl Sink for Listener {
    fn row(&mut self, _time: f64, _machine: &dyn Machine) -> Result<(), String> {
        Ok(())
    }

    fn event(&mut self, record: &EventRecord) -> Result<(), String> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).push(record.clone());
        Ok(())
    }

    fn wants_rows(&self) -> bool {
        false
    }

    fn wants_events(&self) -> bool {
        self.wanted
    }
}

impl Simulation {
    pub(crate) fn begin(
        compiled: Arc<Compiled>,
        machine: Box<dyn Machine>,
        options: SimOptions,
        events: bool,
    ) -> Result<Self, Error> {
        let told = Arc::default();
        let sink = Listener { told: Arc::clone(&told), wanted: events };
        let run = kairos_sim::Simulation::start(machine, options, Box::new(sink));
        match run {
            Ok(run) => Ok(Self { run, compiled, told, wanted: events, looked: false }),
            Err(error) => Err(failed(&compiled, &error)),
        }
    }

    /// The present time.
    pub fn time(&self) -> f64 {
        self.run.time()
    }

    /// Goes on by so much time, over all events on the way.
    pub fn step(&mut self, by: f64) -> Result<Stop, Error> {
        self.run_to(self.run.time() + by)
    }

    /// Goes on to a time, over all events on the way; not beyond the stop time.
    pub fn run_to(&mut self, time: f64) -> Result<Stop, Error> {
        self.looked = false;
        let stopped = self.run.advance_to(time);
        stopped.map(Stop::from).map_err(|error| failed(&self.compiled, &error))
    }

    /// Goes on to the next event, but not beyond a time.
    pub fn run_to_event(&mut self, limit: f64) -> Result<Stop, Error> {
        self.looked = false;
        let stopped = self.run.advance_event(limit);
        stopped.map(Stop::from).map_err(|error| failed(&self.compiled, &error))
    }

    /// Gives an input another value: an event at the present time, which happens when the run goes on or is looked at.
    pub fn set(&mut self, name: &str, value: impl Into<Setting>) -> Result<(), Error> {
        let (var, slot) = inputs::find(&self.compiled.info, name).map_err(|wrong| Error::plain(*wrong))?;
        let value = settings::value_of(var, &value.into().0).map_err(Error::plain)?;
        let value = match value {
            settings::Value::Number(number) => Value::Real(number),
            settings::Value::Text(text) => Value::str(&text),
        };
        self.give(slot, value);
        Ok(())
    }

    /// The same for a number, by the place of the input among `Model::variables`: for loops that count their nanoseconds.
    pub fn set_number(&mut self, place: usize, value: f64) -> Result<(), Error> {
        let var = self.compiled.info.vars.get(place);
        match var.and_then(|var| var.given) {
            Some(slot) => self.give(slot, Value::Real(value)),
            None => {
                let name = var.map_or("", |var| &var.name);
                inputs::find(&self.compiled.info, name).map_err(|wrong| Error::plain(*wrong))?;
            }
        }
        Ok(())
    }

    /// The present value of a variable; a truth value is 0 or 1, a literal of an enumeration its ordinal.
    pub fn get(&mut self, name: &str) -> Result<f64, Error> {
        let place = self.compiled.place(name)?;
        self.number(place)
    }

    /// The same by the place of the variable among `Model::variables`.
    pub fn number(&mut self, place: usize) -> Result<f64, Error> {
        let machine = self.look()?;
        let var = &machine.info().vars[place];
        let value = machine.values()[var.slot as usize];
        Ok(if var.negated { -value } else { value })
    }

    /// The present text of a String variable.
    pub fn text(&mut self, name: &str) -> Result<String, Error> {
        let place = self.compiled.place(name)?;
        let machine = self.look()?;
        Ok(machine.string(machine.info().vars[place].slot).to_string())
    }

    /// The machine at the present point, for those who want all of it.
    pub fn look(&mut self) -> Result<&dyn Machine, Error> {
        if !self.looked {
            self.run.look().map_err(|error| failed(&self.compiled, &error))?;
            self.looked = true;
        }
        Ok(self.run.machine())
    }

    fn give(&mut self, slot: u32, value: Value) {
        self.looked = false;
        self.run.give(slot, value);
    }

    /// The events since this was last asked; none if the options did not want them.
    pub fn take_events(&mut self) -> Vec<EventRecord> {
        std::mem::take(&mut *self.told.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// How much work it was so far.
    pub fn summary(&self) -> &Summary {
        self.run.summary()
    }

    /// Where the run ends at the latest.
    pub fn stop(&self) -> f64 {
        self.run.options().stop
    }

    /// A second run that goes on from here as this one does, bit for bit. Neither disturbs the other.
    pub fn fork(&self) -> Result<Self, Error> {
        let told = Arc::default();
        let sink = Listener { told: Arc::clone(&told), wanted: self.wanted };
        let run = self.run.fork(Box::new(sink));
        match run {
            Ok(run) => {
                Ok(Self { run, compiled: self.compiled.clone(), told, wanted: self.wanted, looked: false })
            }
            Err(error) => Err(failed(&self.compiled, &error)),
        }
    }
}

fn failed(compiled: &Compiled, error: &SimError) -> Error {
    Error::of_run(error, Vec::new(), compiled.sources.clone())
}
