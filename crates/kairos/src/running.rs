//! A run that a program advances: step, set inputs, look, fork.
#![deny(missing_docs)]

use crate::bounds;
use crate::error::Error;
use crate::inputs;
use crate::model::Compiled;
use crate::options::{Options, Watch};
use crate::setting::Setting;
use crate::settings;
use crate::sink::{Rows, Table, warn};
use kairos_base::{Diagnostic, SourceMap, Span};
use kairos_expr::Value;
use kairos_machine::Machine;
use kairos_sim::{EventRecord, SimError, SimOptions, Sink, Stopped, Summary};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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
    told: Arc<Mutex<Told>>,
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

/// What a run has told and nobody has fetched yet.
#[derive(Default)]
struct Told {
    events: Vec<EventRecord>,
    warnings: Vec<Diagnostic>,
}

/// Keeps what a run tells until somebody fetches it, and hands its rows to a table if there is one.
#[derive(Default)]
pub(crate) struct Listener {
    told: Arc<Mutex<Told>>,
    /// Events are told.
    wanted: bool,
    watch: Option<Watch>,
    table: Option<(Box<dyn Table>, Rows)>,
}

impl Listener {
    pub fn new(options: &Options, table: Option<Box<dyn Table>>) -> Self {
        let table = table.map(|table| (table, Rows::default()));
        Self { wanted: options.events, watch: options.watch.clone(), table, ..Self::default() }
    }

    fn told(&self) -> MutexGuard<'_, Told> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks whether to go on.
    fn ask(&self, time: f64) -> Result<(), String> {
        let on = self.watch.as_ref().is_none_or(|watch| watch(time));
        if on { Ok(()) } else { Err("ended from outside".into()) }
    }
}

impl Sink for Listener {
    fn begin(&mut self, machine: &dyn Machine) -> Result<(), String> {
        self.told().warnings.extend(bounds::before(machine).into_iter().chain(bounds::left_open(machine)));
        let Some((table, rows)) = &mut self.table else { return Ok(()) };
        rows.begin(machine, &[], &mut **table)
    }

    fn row(&mut self, time: f64, machine: &dyn Machine) -> Result<(), String> {
        self.ask(time)?;
        let Some((table, rows)) = &mut self.table else { return Ok(()) };
        rows.row(time, machine, &mut **table)
    }

    fn event(&mut self, record: &EventRecord) -> Result<(), String> {
        self.ask(record.time)?;
        self.told().events.push(record.clone());
        Ok(())
    }

    fn progress(&mut self, time: f64, _events: u64) -> Result<(), String> {
        self.ask(time)
    }

    fn warning(&mut self, time: f64, text: &str, span: Span) {
        warn(&mut self.told().warnings, time, text, span);
    }

    fn wants_rows(&self) -> bool {
        self.table.is_some()
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
        listener: Listener,
    ) -> Result<Self, Error> {
        let (told, wanted) = (Arc::clone(&listener.told), listener.wanted);
        let run = kairos_sim::Simulation::start(machine, options, Box::new(listener));
        match run {
            Ok(run) => Ok(Self { run, compiled, told, wanted, looked: false }),
            Err(error) => {
                let warnings =
                    std::mem::take(&mut told.lock().unwrap_or_else(PoisonError::into_inner).warnings);
                Err(Error::of_run(&error, warnings, compiled.sources.clone()))
            }
        }
    }

    fn told(&self) -> MutexGuard<'_, Told> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
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

    /// Goes on to the first point of its own at or after a time, the end of a step or an event: the numbers are those of a run
    /// that nobody stops, in all bits.
    pub fn run_past(&mut self, time: f64) -> Result<Stop, Error> {
        self.looked = false;
        let stopped = self.run.advance_past(time);
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

    /// The derivatives of variables with respect to states, inputs and parameters at the present point, discrete variables
    /// held: for each of `by` a row with one number for each of `of`. They are exact, but for models whose structure
    /// changes and for what only the interpreter of functions can compute, where they are differences.
    ///
    /// ```
    /// let model = kairos::Model::from_text(
    ///     "model M input Real u(start = 3); Real x(start = 2, fixed = true); equation der(x) = u*x^2; end M;",
    /// )?;
    /// let mut sim = model.start(&kairos::Options::default())?;
    /// assert_eq!(sim.derivatives(&["der(x)"], &["x", "u"])?, [[12.0], [4.0]]);
    /// # Ok::<(), kairos::Error>(())
    /// ```
    pub fn derivatives<S: AsRef<str>>(&mut self, of: &[S], by: &[S]) -> Result<Vec<Vec<f64>>, Error> {
        self.look()?;
        let vars = &self.compiled.info.vars;
        let place = |name: &S| self.compiled.place(name.as_ref()).map(|k| (vars[k].slot, vars[k].negated));
        let of = of.iter().map(place).collect::<Result<Vec<_>, _>>()?;
        let by = by.iter().map(place).collect::<Result<Vec<_>, _>>()?;
        let (unknowns, knowns): (Vec<u32>, Vec<u32>) =
            (of.iter().map(|(slot, _)| *slot).collect(), by.iter().map(|(slot, _)| *slot).collect());
        let mut rows = vec![0.0; unknowns.len() * knowns.len()];
        // On a copy: what is looked at must not change the way on.
        let mut machine = self.run.machine().clone_machine();
        let failed = |error| failed(&self.compiled, &SimError::evaluation(self.run.time(), error));
        machine.partials(&knowns, &unknowns, &mut rows).map_err(failed)?;
        let sign = |negated: bool| if negated { -1.0 } else { 1.0 };
        let row = |(k, (_, by)): (usize, &(u32, bool))| {
            let of = of.iter().zip(&rows[k * unknowns.len()..]);
            of.map(|((_, of), value)| sign(*of) * sign(*by) * value).collect()
        };
        Ok(by.iter().enumerate().map(row).collect())
    }

    /// The events since this was last asked; none if the options did not want them.
    pub fn take_events(&mut self) -> Vec<EventRecord> {
        std::mem::take(&mut self.told().events)
    }

    /// What the model has warned of since this was last asked.
    pub fn take_warnings(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.told().warnings)
    }

    /// The texts that messages and events point into.
    pub fn sources(&self) -> &SourceMap {
        &self.compiled.sources
    }

    /// How much work it was so far.
    pub fn summary(&self) -> &Summary {
        self.run.summary()
    }

    /// Where the run ends at the latest.
    pub fn stop(&self) -> f64 {
        self.run.options().stop
    }

    /// The whole run as bytes, from which `restore` goes on bit for bit, in this process or another one of the same build.
    pub fn save(&mut self) -> Result<Vec<u8>, Error> {
        self.run.save().map_err(|error| failed(&self.compiled, &error))
    }

    /// Goes back, or on, to where a run of the same model was saved.
    ///
    /// ```
    /// # let model = kairos::Model::from_text(
    /// #     "model Decay parameter Real k = 1; Real x(start = 1, fixed = true); equation der(x) = -k*x; end Decay;",
    /// # )?;
    /// let mut sim = model.start(&kairos::Options::default())?;
    /// sim.step(0.25)?;
    /// let state = sim.save()?;
    /// sim.step(0.5)?;
    /// let later = sim.get("x")?;
    /// sim.restore(&state)?;
    /// sim.step(0.5)?;
    /// assert_eq!(sim.get("x")?, later);
    /// # Ok::<(), kairos::Error>(())
    /// ```
    pub fn restore(&mut self, state: &[u8]) -> Result<(), Error> {
        let machine = self.run.machine().clone_machine();
        let sink = Listener { told: Arc::clone(&self.told), wanted: self.wanted, ..Listener::default() };
        let restored = kairos_sim::Simulation::restore(machine, state, Box::new(sink));
        self.run = restored.map_err(|error| failed(&self.compiled, &error))?;
        self.looked = false;
        Ok(())
    }

    /// A second run that goes on from here as this one does, bit for bit. Neither disturbs the other.
    pub fn fork(&self) -> Result<Self, Error> {
        let told = Arc::default();
        let sink = Listener { told: Arc::clone(&told), wanted: self.wanted, ..Listener::default() };
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
