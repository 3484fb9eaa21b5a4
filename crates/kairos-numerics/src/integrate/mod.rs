//! Integrators behind one trait; a step says where it ended and the event logic stays with the caller.

mod bdf;
mod esdirk;
mod explicit;
mod failure;
mod fixed;
mod iteration;
pub mod leap;
mod problem;
mod promise;
mod radau;
mod tolerance;
mod written;

pub use bdf::Bdf;
pub use esdirk::Esdirk;
pub use explicit::DormandPrince;
pub use failure::{Cause, Failure};
pub use fixed::{FixedMethod, FixedStep};
pub use problem::Ode;
pub use radau::Radau;
pub use tolerance::Tolerance;
pub use written::Written;

use crate::Eval;
use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// A step may be so many times as long as wanted if it then ends where it must: sizes are chosen with a margin.
pub(crate) const STRETCH: f64 = 1.1;

/// Advances a system step by step.
///
/// After `step` the solution is available anywhere in the step just taken through `interpolate`, until the next
/// `step` or `restart`. Where an event cuts the step short, interpolate there and `restart` from it.
pub trait Integrator: Send {
    /// Starts from new values; `keep_step` begins with what proved right after the last restart.
    fn restart(&mut self, t: f64, x: &[f64], keep_step: bool);

    /// Takes one step that does not pass `limit`.
    fn step(&mut self, system: &mut dyn Ode, limit: f64) -> Result<Step, Failure>;

    /// The solution inside the last step.
    fn interpolate(&self, t: f64, x: &mut [f64]);

    /// One component of the solution inside the last step, as `interpolate` gives it.
    fn component(&self, t: f64, index: usize) -> f64;

    /// The slope of the interpolant inside the last step.
    fn interpolate_slope(&self, t: f64, dx: &mut [f64]);

    fn time(&self) -> f64;

    fn state(&self) -> &[f64];

    fn stats(&self) -> &Stats;

    /// Another one that goes on from here in the same bits.
    fn clone_integrator(&self) -> Box<dyn Integrator>;

    /// The method by its name, to be written down; `None`: it cannot be.
    fn written(&self) -> Option<Written> {
        None
    }
}

impl Clone for Box<dyn Integrator> {
    fn clone(&self) -> Self {
        self.clone_integrator()
    }
}

/// One accepted step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    pub to: f64,
    /// The step ends exactly at the limit.
    pub at_limit: bool,
}

/// Settings that all integrators understand.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Options {
    /// Chosen by the integrator if not given.
    pub initial_step: Option<f64>,
    pub max_step: f64,
    pub max_order: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { initial_step: None, max_step: f64::INFINITY, max_order: 5 }
    }
}

/// Effort so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stats {
    pub steps: u64,
    /// Evaluations of the right-hand side or residual, without those for Jacobians.
    pub evaluations: u64,
    pub jacobian_evaluations: u64,
    /// Evaluations of the right-hand side spent on difference quotients.
    pub difference_evaluations: u64,
    pub factorisations: u64,
    pub iterations: u64,
    pub error_failures: u64,
    pub convergence_failures: u64,
    pub restarts: u64,
}

impl AddAssign<&Stats> for Stats {
    fn add_assign(&mut self, other: &Stats) {
        self.steps += other.steps;
        self.evaluations += other.evaluations;
        self.jacobian_evaluations += other.jacobian_evaluations;
        self.difference_evaluations += other.difference_evaluations;
        self.factorisations += other.factorisations;
        self.iterations += other.iterations;
        self.error_failures += other.error_failures;
        self.convergence_failures += other.convergence_failures;
        self.restarts += other.restarts;
    }
}

/// The smallest distance in time that can be told from none at `t`.
pub(crate) fn resolution(t: f64) -> f64 {
    4.0 * f64::EPSILON * t.abs().max(f64::MIN_POSITIVE / f64::EPSILON)
}

/// After a step that had no values so many are looked at once more: a value may be accepted that the last correction has led out of
/// the domain of a function, from where no step leads anywhere.
pub(crate) const WARY: u32 = 100;

/// Does a component change its sign? Zero is the edge of many domains.
pub(crate) fn crosses_zero(from: &[f64], to: &[f64]) -> bool {
    from.iter().zip(to).any(|(from, to)| from * to < 0.0)
}

/// Has the right-hand side values here? `slope` is for them.
pub(crate) fn is_inside(
    system: &mut dyn Ode,
    t: f64,
    x: &[f64],
    slope: &mut [f64],
) -> Result<Result<(), Cause>, Failure> {
    if let Err(cause) = recover(system.rhs(t, x, slope), t)? {
        return Ok(Err(cause));
    }
    Ok(match slope.iter().position(|v| !v.is_finite()) {
        Some(component) => Err(Cause::NotFinite { component }),
        None => Ok(()),
    })
}

/// Sorts a failed evaluation: fatal ones end the run, recoverable ones become a cause.
pub(crate) fn recover(result: Result<(), Eval>, t: f64) -> Result<Result<(), Cause>, Failure> {
    match result {
        Ok(()) => Ok(Ok(())),
        Err(Eval::Recoverable(reason)) => Ok(Err(Cause::Evaluation(reason))),
        Err(Eval::Fatal(reason)) => Err(Failure::Fatal { t, reason }),
    }
}
