//! A simulation from start to end: the experiment's defaults, the run, and what is left to say.

use crate::clock::Begun;
use crate::inputs::Inputs;
use crate::pipeline::{Compilation, Timing};
use crate::sink::{StreamSink, Streams};
use kairos_base::Diagnostic;
use kairos_machine::Machine;
use kairos_model::Experiment;
use kairos_sim::{Method, SimError, SimOptions, Simulation, Sink, SlidingAction, Summary, ZenoAction};

/// What the user asked for; the model's experiment fills in the rest.
#[derive(Clone, Debug, Default)]
pub struct RunRequest {
    pub start: Option<f64>,
    pub stop: Option<f64>,
    pub interval: Option<f64>,
    pub intervals: Option<u64>,
    pub at: Vec<f64>,
    pub tolerance: Option<f64>,
    pub method: Method,
    pub step: Option<f64>,
    pub max_step: Option<f64>,
    pub zeno: ZenoAction,
    pub sliding: SlidingAction,
    /// What the inputs of the model do.
    pub inputs: Inputs,
}

impl RunRequest {
    pub fn options(&self, experiment: &Experiment) -> SimOptions {
        let start = self.start.or(experiment.start).unwrap_or(0.0);
        let stop = self.stop.or(experiment.stop).unwrap_or(start + 1.0);
        let interval = match (self.interval, self.intervals) {
            (Some(interval), _) => interval,
            (None, Some(0)) => 0.0,
            (None, Some(count)) => (stop - start) / count as f64,
            // An experiment's interval is one for the experiment's own span.
            (None, None) => match experiment.interval {
                Some(interval) if interval > 0.0 && self.stop.is_none() => interval,
                _ => (stop - start) / 500.0,
            },
        };
        SimOptions {
            start,
            stop,
            interval,
            at: self.at.clone(),
            tolerance: self.tolerance.or(experiment.tolerance).unwrap_or(1e-6),
            method: self.method,
            step: self.step,
            max_step: self.max_step,
            zeno: self.zeno,
            sliding: self.sliding,
            span: None,
        }
    }
}

/// How a run ended.
pub struct Finished {
    pub options: SimOptions,
    pub outcome: Result<Summary, SimError>,
    /// Warnings on the way, and the error at the end if there is one.
    pub diagnostics: Vec<Diagnostic>,
    pub timing: Timing,
}

/// Where a run begins otherwise than at its start, and where it is written down on its way.
#[derive(Default)]
pub struct Checkpoints<'c> {
    /// The bytes of a run that goes on; its own options hold then, not those of the request.
    pub resume: Option<&'c [u8]>,
    /// Instants: the run is saved at the first point of its own at or after each.
    pub at: Vec<f64>,
    /// Takes the bytes with their time; an error text ends the run.
    pub keep: Option<&'c mut dyn FnMut(f64, Vec<u8>) -> Result<(), String>>,
}

/// Runs a compiled model. `None` if compilation gave no machine.
pub fn run(compiled: &Compilation, request: &RunRequest, streams: &mut Streams) -> Option<Finished> {
    run_between(compiled, request, streams, Checkpoints::default())
}

/// Runs a compiled model from one checkpoint to others; with none of them it is the same as `run`.
pub fn run_between(
    compiled: &Compilation,
    request: &RunRequest,
    streams: &mut Streams,
    checkpoints: Checkpoints,
) -> Option<Finished> {
    let mut options = request.options(&compiled.experiment);
    let machine = compiled.machine.as_deref()?.clone_machine();
    let begun = Begun::now();
    let mut diagnostics = Vec::new();
    let machine = request.inputs.attach(machine, options.start, &mut diagnostics);
    if let Some(wrong) = diagnostics.iter().find(|d| d.is_error()) {
        let outcome = Err(SimError::new(wrong.code, options.start, wrong.message.clone()));
        let timing = Timing { phase: "simulate", time: begun.elapsed() };
        return Some(Finished { options, outcome, diagnostics, timing });
    }
    let mut sink = StreamSink::new(streams, &compiled.sources, &mut diagnostics);
    let outcome = pass(machine, &mut options, &mut sink, checkpoints);
    if let Err(error) = &outcome {
        diagnostics.push(error.diagnostic());
    }
    let timing = Timing { phase: "simulate", time: begun.elapsed() };
    Some(Finished { options, outcome, diagnostics, timing })
}

fn pass(
    machine: Box<dyn Machine>,
    options: &mut SimOptions,
    sink: &mut dyn Sink,
    checkpoints: Checkpoints,
) -> Result<Summary, SimError> {
    let Checkpoints { resume, mut at, mut keep } = checkpoints;
    let mut simulation = match resume {
        Some(bytes) => Simulation::restore(machine, bytes, Box::new(sink))?,
        None => Simulation::start(machine, options.clone(), Box::new(sink))?,
    };
    options.clone_from(simulation.options());
    at.sort_by(f64::total_cmp);
    for time in at {
        simulation.advance_past(time)?;
        let bytes = simulation.save()?;
        if let Some(keep) = &mut keep {
            keep(simulation.time(), bytes).map_err(|text| SimError::sink(simulation.time(), text))?;
        }
    }
    simulation.advance_to(f64::INFINITY)?;
    Ok(simulation.summary().clone())
}
