//! A simulation from start to end: the experiment's defaults, the run, and what is left to say.

use crate::inputs::Inputs;
use crate::pipeline::{Compilation, Timing};
use crate::sink::{StreamSink, Streams};
use kairos_base::Diagnostic;
use kairos_model::Experiment;
use kairos_sim::{Method, SimError, SimOptions, SlidingAction, Summary, ZenoAction, simulate};
use std::time::Instant;

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

/// Runs a compiled model. `None` if compilation gave no machine.
pub fn run(compiled: &Compilation, request: &RunRequest, streams: &mut Streams) -> Option<Finished> {
    let options = request.options(&compiled.experiment);
    let machine = compiled.machine.as_deref()?.clone_machine();
    let begun = Instant::now();
    let mut diagnostics = Vec::new();
    let machine = request.inputs.attach(machine, options.start, &mut diagnostics);
    if let Some(wrong) = diagnostics.iter().find(|d| d.is_error()) {
        let outcome = Err(SimError::new(wrong.code, options.start, wrong.message.clone()));
        let timing = Timing { phase: "simulate", time: begun.elapsed() };
        return Some(Finished { options, outcome, diagnostics, timing });
    }
    let mut sink = StreamSink::new(streams, &compiled.sources, &mut diagnostics);
    let outcome = simulate(machine, &options, &mut sink);
    if let Err(error) = &outcome {
        diagnostics.push(error.diagnostic());
    }
    let timing = Timing { phase: "simulate", time: begun.elapsed() };
    Some(Finished { options, outcome, diagnostics, timing })
}
