//! Forward sensitivities: how the course of variables changes with parameters and start values.
//!
//! Between events the sensitivities `s` of the states follow the linear equations `s' = A s + b`, with the exact derivatives of the model
//! along the run (`walk.rs`, `step.rs`). At an event they jump, because the event comes earlier or later and because what it does
//! depends on the parameter (`jump.rs`). Outputs follow from the states by the exact derivatives again.
//!
//! Where that does not hold (structure that changes, sliding, accumulating events, delays, discrete numbers that depend on the
//! parameter) whole runs are compared instead, by central differences that are extrapolated (`differences.rs`); the result says so.
//!
//! Literature: Galán, Feehery and Barton, Parametric sensitivity functions for hybrid discrete/continuous systems, Applied Numerical
//! Mathematics 31 (1999).

mod differences;
mod jump;
mod step;
mod walk;

use kairos::{Error, Model, Options};
use kairos_base::Diagnostic;

/// What to differentiate, and by what.
#[derive(Clone, Debug, Default)]
pub struct SensitivityRequest {
    /// Variables to differentiate; without any the outputs of the model, and without those its states.
    pub of: Vec<String>,
    /// Parameters, or states for their start values.
    pub by: Vec<String>,
    /// How many intervals of equal length the times of the result have.
    pub intervals: usize,
    /// The times of the result instead, ascending.
    pub at: Vec<f64>,
}

impl SensitivityRequest {
    /// The times of the result after the start.
    fn times(&self, start: f64, stop: f64) -> Vec<f64> {
        if !self.at.is_empty() {
            return self.at.iter().copied().filter(|t| *t > start && *t <= stop).collect();
        }
        let count = self.intervals;
        let at = |k: usize| if k == count { stop } else { start + (stop - start) * k as f64 / count as f64 };
        (1..=count).map(at).collect()
    }
}

/// Sensitivities over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sensitivities {
    /// The times; at an event there are two rows, before and after it.
    pub time: Vec<f64>,
    /// Names of the variables.
    pub of: Vec<String>,
    /// Names of the parameters and start values.
    pub by: Vec<String>,
    /// The variables themselves: a course for each of `of`.
    pub values: Vec<Vec<f64>>,
    /// For each of `of` and each of `by` a course: `slopes[i][j]` is that of variable `i` by parameter `j`.
    pub slopes: Vec<Vec<Vec<f64>>>,
    /// The variational equations were integrated; otherwise whole runs were compared, for this reason.
    pub differences: Option<String>,
}

/// Simulates a model and finds the sensitivities.
pub fn sensitivities(
    model: &Model,
    request: &SensitivityRequest,
    options: &Options,
) -> Result<Sensitivities, Error> {
    let request = completed(model, request)?;
    match walk::walk(model, &request, options)? {
        walk::Walked::Whole(found) => Ok(found),
        walk::Walked::Refused(why) => {
            let found = differences::differences(model, &request, options)?;
            Ok(Sensitivities { differences: Some(why), ..found })
        }
    }
}

fn completed(model: &Model, request: &SensitivityRequest) -> Result<SensitivityRequest, Error> {
    let mut request = request.clone();
    if request.of.is_empty() {
        request.of = model.outputs().filter(|var| !var.is_discrete).map(|var| var.name.clone()).collect();
    }
    if request.of.is_empty() {
        request.of = model.machine().info().state_names.clone();
    }
    if request.by.is_empty() {
        let text = "no parameter is named to differentiate by";
        let help = "name parameters, or states for their start values";
        return Err(Error::from(Diagnostic::error("wrong-sensitivity", text).help(help)));
    }
    for name in &request.of {
        model.variable(name)?;
    }
    for name in &request.by {
        let var = model.variable(name)?;
        let state = model.machine().info().state_names.contains(name);
        if !(state || var.is_parameter() && !var.is_constant()) || var.ty != kairos::Scalar::Real {
            let text = format!(
                "nothing can be differentiated by `{name}`: it is neither a Real parameter nor a state"
            );
            let help = "name parameters, or states for their start values";
            return Err(Error::from(Diagnostic::error("wrong-sensitivity", text).help(help)));
        }
    }
    request.intervals = request.intervals.max(1);
    Ok(request)
}

/// The start of a run moved by a little: how the value of a parameter or start value is chosen for differences.
fn stride(value: f64, relative: f64) -> f64 {
    relative * if value == 0.0 { 1.0 } else { value.abs() }
}
