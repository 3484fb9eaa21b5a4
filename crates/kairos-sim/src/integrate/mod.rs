//! The integrators as the supervisor sees them: one step at a time, with dense output.

mod fixed;
mod pair;

use crate::{Method, SimError, SimOptions, Summary};
use kairos_code::{Eval, EvalError, Fault, Machine};

/// Why a step could not be made.
pub(crate) enum Trouble {
    /// The model failed in a way that no step size avoids.
    Model(EvalError),
    /// The step shrank to nothing: because of a failure of the model, or of the states named by index.
    TooSmall { step: f64, cause: Option<Fault>, culprits: Vec<usize> },
}

impl Trouble {
    pub fn error(self, time: f64, machine: &dyn Machine, x: &[f64]) -> SimError {
        match self {
            Trouble::Model(error) => SimError::evaluation(time, error),
            Trouble::TooSmall { step, cause, culprits } => {
                let names = &machine.info().state_names;
                let culprits = culprits.into_iter().map(|k| (names[k].clone(), x[k])).collect();
                SimError::step(time, step, cause, culprits)
            }
        }
    }
}

/// Relations and discrete variables of the machine stay as they are while an integrator works.
pub(crate) trait Integrator {
    /// Forgets the past; the solution goes on from here.
    fn restart(&mut self, machine: &mut dyn Machine, t: f64, x: &[f64]) -> Result<(), Trouble>;
    /// One step that does not pass `limit`.
    fn step(&mut self, machine: &mut dyn Machine, limit: f64) -> Result<(), Trouble>;
    /// The interval of the last step.
    fn span(&self) -> (f64, f64);
    /// The solution within the last step.
    fn at(&mut self, machine: &mut dyn Machine, t: f64, x: &mut [f64]) -> Eval;
    /// Adds up the effort spent so far.
    fn effort(&self, summary: &mut Summary);
}

/// The integrator that the options ask for.
pub(crate) fn choose(machine: &dyn Machine, options: &SimOptions, searching: bool) -> Box<dyn Integrator> {
    let info = machine.info();
    let n = info.states.len();
    let span = options.stop - options.start;
    let max_step = options.max_step.unwrap_or(f64::INFINITY);
    if n == 0 {
        let stride = if searching { max_step.min(span / 500.0) } else { f64::INFINITY };
        return Box::new(Stride { span: (options.start, options.start), stride });
    }
    if options.method.is_fixed_step() {
        let step =
            options.step.unwrap_or(if options.interval > 0.0 { options.interval } else { span / 500.0 });
        return Box::new(fixed::FixedStep::new(options.method, options.start, step, n));
    }
    Box::new(pair::Pair::new(options.tolerance, max_step, span, info.nominal.clone(), n))
}

/// A method's name was given that needs what it cannot have.
pub(crate) fn check(options: &SimOptions) -> Result<(), SimError> {
    let positive = |value: Option<f64>| value.is_none_or(|v| v > 0.0 && v.is_finite());
    let ok = |what: &str, valid: bool, help: &str| match valid {
        true => Ok(()),
        false => Err(SimError::option(format!("the {what} is not acceptable"), help)),
    };
    ok("step", positive(options.step), "give a positive step in seconds")?;
    ok("largest step", positive(options.max_step), "give a positive step in seconds")?;
    ok("tolerance", options.tolerance > 0.0 && options.tolerance < 1.0, "give a tolerance such as 1e-6")?;
    ok(
        "interval",
        options.interval >= 0.0 && options.interval.is_finite(),
        "give a positive interval in seconds",
    )?;
    let ordered = options.start.is_finite() && options.stop.is_finite() && options.stop >= options.start;
    ok("stop time", ordered, "the stop time must be finite and not before the start time")?;
    let _ = Method::NAMES;
    Ok(())
}

/// Time without states: steps only where crossing functions have to be watched.
struct Stride {
    span: (f64, f64),
    stride: f64,
}

impl Integrator for Stride {
    fn restart(&mut self, _machine: &mut dyn Machine, t: f64, _x: &[f64]) -> Result<(), Trouble> {
        self.span = (t, t);
        Ok(())
    }

    fn step(&mut self, _machine: &mut dyn Machine, limit: f64) -> Result<(), Trouble> {
        let t = self.span.1;
        self.span = (t, (t + self.stride).min(limit));
        Ok(())
    }

    fn span(&self) -> (f64, f64) {
        self.span
    }

    fn at(&mut self, _machine: &mut dyn Machine, _t: f64, _x: &mut [f64]) -> Eval {
        Ok(())
    }

    fn effort(&self, _summary: &mut Summary) {}
}

/// The derivatives at a point.
fn slope(machine: &mut dyn Machine, t: f64, x: &[f64], dx: &mut [f64]) -> Eval {
    machine.set_time(t);
    machine.set_states(x);
    machine.derivatives(dx)?;
    if dx.iter().all(|d| d.is_finite()) {
        return Ok(());
    }
    let info = machine.info();
    let wrong = (0..dx.len()).filter(|&k| !dx[k].is_finite());
    Err(EvalError::Recoverable(Fault {
        code: "not-a-number",
        message: "a derivative is not a finite number".into(),
        span: None,
        values: wrong.take(5).map(|k| (format!("der({})", info.state_names[k]), dx[k])).collect(),
        help: Vec::new(),
    }))
}
