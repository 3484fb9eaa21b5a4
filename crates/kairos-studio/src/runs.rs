//! Runs: compiled and simulated beside the page, told as they go, changed and stopped when asked.
//!
//! A run goes on in slices of a few milliseconds, so that it needs no thread: the local server gives it one all the same, a
//! browser asks for slice after slice and answers the page between them. Slices end where the integration ends its own steps, so
//! that the numbers are those of the command line in all bits; only a run that keeps to a clock stops at the clock's instants.

use crate::answer::Asked;
use crate::results::{Kept, Taking};
use kairos::{
    Access, Diagnostic, Method, Model, Options, Request, Simulation, SourceMap, Stop, Trust, World,
};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Milliseconds since some moment.
pub type Clock = fn() -> f64;

/// A world that a run may keep.
pub type SharedWorld = Arc<dyn World + Send + Sync>;

/// A slice takes about so many milliseconds.
const SLICE: f64 = 25.0;
/// A run that keeps to a clock looks at it so often.
const TICK: f64 = 25.0;

/// A run and what became of it.
pub struct Run {
    pub class: String,
    stop: Arc<AtomicBool>,
    going: Mutex<Option<Going>>,
    state: Mutex<State>,
    kept: Arc<Mutex<Kept>>,
    /// Values for inputs and parameters that the run has not taken yet.
    live: Mutex<Vec<(String, String)>>,
}

/// What a page is told.
#[derive(Default)]
struct State {
    phase: &'static str,
    time: f64,
    start: f64,
    end: f64,
    events: u64,
    /// Nothing had to be compiled.
    again: bool,
    compiled: f64,
    simulated: f64,
    finished: bool,
    failed: bool,
    diagnostics: Vec<Value>,
}

/// A run in the middle of its way.
struct Going {
    simulation: Simulation,
    /// The length of a piece that is simulated before anybody looks at the clock.
    piece: f64,
    pace: Option<Pace>,
}

/// Simulated seconds in a second of the clock, from a moment on.
struct Pace {
    factor: f64,
    began: f64,
    from: f64,
}

/// Everything a run needs to know.
pub struct Job {
    pub request: Request,
    pub options: Options,
    pub settings: Vec<(String, String)>,
    pace: Option<f64>,
    intervals: f64,
}

/// The model that was compiled last: it runs again with other values.
pub type Shelf = Arc<Mutex<Option<Compiled>>>;

/// A model, and what it was compiled as.
pub struct Compiled {
    class: String,
    tunable: Vec<String>,
    model: Model,
}

impl Job {
    /// Reads the settings of a page.
    pub fn new(asked: Asked<'_>, request: Request) -> Self {
        let text = |value: &Value| match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let settings = asked.0.get("settings").and_then(Value::as_object);
        let settings = settings.map_or(Vec::new(), |s| s.iter().map(|(k, v)| (k.clone(), text(v))).collect());
        let mut options = Options::default()
            .method(asked.optional("method").and_then(Method::from_name).unwrap_or_default());
        if let Some(start) = asked.number("start") {
            options = options.start(start);
        }
        if let Some(stop) = asked.number("stop") {
            options = options.stop(stop);
        }
        if let Some(tolerance) = asked.number("tolerance") {
            options = options.tolerance(tolerance);
        }
        let intervals = asked.0.get("intervals").and_then(Value::as_u64);
        if let Some(count) = intervals {
            options = options.intervals(count);
        }
        if let Some(interval) = asked.number("interval") {
            options = options.interval(interval);
        }
        let pace = asked.number("pace").filter(|pace| *pace > 0.0);
        let intervals = intervals.unwrap_or(500).max(1) as f64;
        let tunable = asked.texts("live").into_iter().map(str::to_string).collect();
        let request = Request { access: Access::Run(Trust::default()), tunable, ..request };
        Job { request, options, settings, pace, intervals }
    }
}

impl Run {
    /// A run that has not begun.
    pub fn new(class: &str) -> Self {
        let state = State { phase: "compile", ..State::default() };
        Run {
            class: class.to_string(),
            stop: Arc::default(),
            going: Mutex::default(),
            state: Mutex::new(state),
            kept: Arc::default(),
            live: Mutex::default(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Compiles what is not compiled yet, and finds the point at which the run begins.
    pub fn begin(&self, job: Job, world: &SharedWorld, shelf: &Shelf, clock: Clock) {
        let begun = clock();
        let (model, again) = match self.model(&job, world, shelf) {
            Ok(found) => found,
            Err(error) => return self.end(Some(&error)),
        };
        {
            let mut state = self.state();
            (state.again, state.compiled, state.phase) = (again, clock() - begun, "simulate");
            state.diagnostics = diagnostics(model.warnings(), model.sources());
        }
        let begun = clock();
        let stop = self.stop.clone();
        let options = job.options.watch(move |_| !stop.load(Ordering::Relaxed));
        match model.record(&options, Box::new(Taking(self.kept.clone()))) {
            Ok(simulation) => {
                let (from, end) = (simulation.time(), simulation.stop());
                let pace = job.pace.map(|factor| Pace { factor, began: clock(), from });
                let piece = (end - from) / job.intervals;
                {
                    let mut state = self.state();
                    (state.start, state.time, state.end) = (from, from, end);
                    state.simulated = clock() - begun;
                }
                *self.going.lock().unwrap_or_else(PoisonError::into_inner) =
                    Some(Going { simulation, piece, pace });
            }
            Err(error) => self.end(Some(&error)),
        }
    }

    /// The compiled model with its values, and whether it was there already.
    fn model(&self, job: &Job, world: &SharedWorld, shelf: &Shelf) -> Result<(Model, bool), kairos::Error> {
        let mut shelf = shelf.lock().unwrap_or_else(PoisonError::into_inner);
        let tunable = &job.request.tunable;
        let fits = |known: &Compiled| known.class == self.class && known.tunable == *tunable;
        let known = shelf.take().filter(|known| fits(known) && is_current(&known.model, &**world));
        let again = known.is_some();
        let model = match known {
            Some(known) => known.model,
            None => Model::compile_in(world.clone(), job.request.clone())?,
        };
        *shelf = Some(Compiled { class: self.class.clone(), tunable: tunable.clone(), model: model.clone() });
        let model =
            if job.settings.is_empty() { model } else { model.set_all(job.settings.iter().cloned())? };
        Ok((model, again))
    }

    /// Goes on for a slice; how many milliseconds later the next one is due, or none if it was the last.
    pub fn advance(&self, clock: Clock) -> Option<f64> {
        let mut going = self.going.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(run) = &mut *going else { return None };
        let begun = clock();
        let went = self.slice(run, clock);
        let events = run.simulation.take_events();
        let warnings = run.simulation.take_warnings();
        let mut state = self.state();
        state.simulated += clock() - begun;
        state.time = run.simulation.time();
        state.events += events.len() as u64;
        state.diagnostics.extend(diagnostics(&warnings, run.simulation.sources()));
        let sources = run.simulation.sources();
        let told = events.iter().filter_map(|event| serde_json::from_str(&event.json(sources)).ok());
        self.kept().events.extend(told);
        drop(state);
        match went {
            Ok(Some(wait)) => return Some(wait),
            Ok(None) => self.end(None),
            Err(error) => self.end(Some(&error)),
        }
        *going = None;
        None
    }

    fn slice(&self, run: &mut Going, clock: Clock) -> Result<Option<f64>, kairos::Error> {
        let live = std::mem::take(&mut *self.live.lock().unwrap_or_else(PoisonError::into_inner));
        for (name, value) in live {
            if let Err(refused) = run.simulation.set(&name, value.as_str()) {
                self.state().diagnostics.extend(diagnostics(refused.diagnostics(), refused.sources()));
            }
        }
        let begun = clock();
        loop {
            let now = run.simulation.time();
            let stopped = match &run.pace {
                None => run.simulation.run_past(now + run.piece)?,
                Some(pace) => {
                    let due = pace.from + (clock() - pace.began) * 1e-3 * pace.factor;
                    if due <= now {
                        return self.go_on(Some(TICK));
                    }
                    run.simulation.run_to(due.min(now + run.piece))?
                }
            };
            if matches!(stopped, Stop::Ended | Stop::Terminated(_)) {
                return Ok(None);
            }
            if clock() - begun > SLICE {
                return self.go_on(Some(0.0));
            }
        }
    }

    /// A run that was stopped while it had nothing to do ends now.
    fn go_on(&self, wait: Option<f64>) -> Result<Option<f64>, kairos::Error> {
        Ok(wait.filter(|_| !self.stop.load(Ordering::Relaxed)))
    }

    /// The run is over.
    fn end(&self, error: Option<&kairos::Error>) {
        let mut state = self.state();
        if let Some(error) = error {
            state.diagnostics.extend(diagnostics(error.diagnostics(), error.sources()));
        }
        (state.finished, state.failed, state.phase) = (true, error.is_some(), "done");
    }

    /// Asks the run to end where it is.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Gives an input or a parameter another value from now on.
    pub fn tune(&self, name: &str, value: &str) {
        self.live.lock().unwrap_or_else(PoisonError::into_inner).push((name.into(), value.into()));
    }

    /// What a page shows of it.
    pub fn status(&self, id: u64) -> Value {
        let state = self.state();
        json!({
            "run": id,
            "class": self.class,
            "phase": state.phase,
            "time": state.time,
            "start": state.start,
            "stop": state.end,
            "events": state.events,
            "finished": state.finished,
            "failed": state.failed,
            "stopped": self.stop.load(Ordering::Relaxed),
            "again": state.again,
            "compiled": state.compiled,
            "simulated": state.simulated,
            "diagnostics": state.diagnostics,
        })
    }

    /// Its result, as far as it has come.
    pub fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends a run that a bug has ended.
    pub fn give_up(&self) {
        let mut state = self.state();
        let message = "the run ended because of a bug in Kairos: please report the model";
        state
            .diagnostics
            .push(json!({ "severity": "error", "code": "bug", "message": message, "labels": [] }));
        (state.finished, state.failed, state.phase) = (true, true, "done");
    }
}

/// Are the texts that a model was compiled from still the same?
fn is_current(model: &Model, world: &dyn World) -> bool {
    let (sources, world) = (model.sources(), kairos::WithCarried(world));
    sources.ids().all(|file| {
        let path = sources.path(file);
        path.starts_with(kairos::CARRIED) || world.read(path).is_ok_and(|now| *now == *sources.text(file))
    })
}

/// Messages as a page shows them.
pub fn diagnostics(list: &[Diagnostic], sources: &SourceMap) -> Vec<Value> {
    kairos::render_json(list, sources).lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}
