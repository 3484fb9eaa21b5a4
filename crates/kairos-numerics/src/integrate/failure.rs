//! Why an integration cannot go on.

use crate::Reason;

/// The end of an integration; the integrator still holds the last accepted state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Failure {
    /// The step would have to shrink below the resolution of time.
    StepTooSmall { t: f64, h: f64, cause: Cause },
    /// An evaluation said stop.
    Fatal { t: f64, reason: Reason },
    /// The system has a form that the method cannot handle.
    Unsupported,
}

/// What made the last attempt fail.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cause {
    /// The estimated error is too large, most of all in this component.
    Error { component: usize },
    /// The corrector iteration does not converge, least of all in this component.
    Convergence { component: usize },
    /// The iteration matrix is singular at this column.
    Singular { column: usize },
    /// An evaluation failed recoverably.
    Evaluation(Reason),
    /// A value is infinite or not a number.
    NotFinite { component: usize },
}
