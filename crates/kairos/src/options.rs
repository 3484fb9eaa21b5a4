//! What a program asks of a run, in chained calls; the model's experiment fills in the rest.
#![deny(missing_docs)]

use crate::inputs::Inputs;
use crate::session::RunRequest;
use kairos_sim::{Method, SlidingAction, ZenoAction};
use std::fmt;
use std::sync::Arc;

/// Options of a run.
///
/// ```
/// let options = kairos::Options::default().stop(2.0).tolerance(1e-9).intervals(100);
/// ```
#[derive(Clone)]
pub struct Options {
    pub(crate) request: RunRequest,
    pub(crate) keep: Vec<String>,
    pub(crate) events: bool,
    pub(crate) watch: Option<Watch>,
}

/// Somebody who is told the time now and then and may end the run.
pub(crate) type Watch = Arc<dyn Fn(f64) -> bool + Send + Sync>;

impl Default for Options {
    fn default() -> Self {
        Self { request: RunRequest::default(), keep: Vec::new(), events: true, watch: None }
    }
}

impl Options {
    /// The run begins at this time.
    pub fn start(mut self, time: f64) -> Self {
        self.request.start = Some(time);
        self
    }

    /// The time that `start` has set.
    pub fn start_given(&self) -> Option<f64> {
        self.request.start
    }

    /// The run ends at this time.
    pub fn stop(mut self, time: f64) -> Self {
        self.request.stop = Some(time);
        self
    }

    /// The relative tolerance of the integration; 1e-6 without a word of the model.
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.request.tolerance = Some(tolerance);
        self
    }

    /// The relative tolerance that a run of a model with this experiment has.
    pub fn relative_tolerance(&self, experiment: &kairos_model::Experiment) -> f64 {
        self.request.options(experiment).tolerance
    }

    /// The number of output intervals of equal length; 500 without a word of the model.
    pub fn intervals(mut self, count: u64) -> Self {
        self.request.intervals = Some(count);
        self.request.interval = None;
        self
    }

    /// The distance of the output points.
    pub fn interval(mut self, distance: f64) -> Self {
        self.request.interval = Some(distance);
        self.request.intervals = None;
        self
    }

    /// Further exact output points.
    pub fn at(mut self, times: &[f64]) -> Self {
        self.request.at.extend_from_slice(times);
        self
    }

    /// The method of integration; by default the engine chooses.
    pub fn method(mut self, method: Method) -> Self {
        self.request.method = method;
        self
    }

    /// The step of a method with fixed steps.
    pub fn step(mut self, step: f64) -> Self {
        self.request.step = Some(step);
        self
    }

    /// No step is longer than this.
    pub fn max_step(mut self, step: f64) -> Self {
        self.request.max_step = Some(step);
        self
    }

    /// What happens where infinitely many events accumulate.
    pub fn zeno(mut self, action: ZenoAction) -> Self {
        self.request.zeno = action;
        self
    }

    /// What happens where both sides of a switching surface push towards it.
    pub fn sliding(mut self, action: SlidingAction) -> Self {
        self.request.sliding = action;
        self
    }

    /// What the inputs of the model do over time.
    pub fn inputs(mut self, inputs: Inputs) -> Self {
        self.request.inputs = inputs;
        self
    }

    /// The variables that the trajectory keeps, by names or patterns with `*` and `?`; all by default.
    pub fn keep<S: AsRef<str>>(mut self, patterns: &[S]) -> Self {
        self.keep.extend(patterns.iter().map(|pattern| pattern.as_ref().to_string()));
        self
    }

    /// Somebody who is told the simulated time now and then; where that gives `false`, the run ends with an error, as where
    /// Ctrl-C was pressed.
    pub fn watch(mut self, watch: impl Fn(f64) -> bool + Send + Sync + 'static) -> Self {
        self.watch = Some(Arc::new(watch));
        self
    }

    /// Asks who watches whether to go on, for studies that make many short runs of one.
    pub fn goes_on(&self, time: f64) -> bool {
        self.watch.as_ref().is_none_or(|watch| watch(time))
    }

    /// Whether the trajectory keeps the story of the events, which it does by default. Without it models with very many
    /// events run faster.
    pub fn events(mut self, wanted: bool) -> Self {
        self.events = wanted;
        self
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} keep {:?} events {}", self.request, self.keep, self.events)
    }
}

impl From<RunRequest> for Options {
    fn from(request: RunRequest) -> Self {
        Self { request, ..Self::default() }
    }
}
