//! How the evaluation of a user's function can fail.

/// What the caller attached to a failure, such as the number of an assertion or an equation.
pub type Reason = u32;

/// A failed evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eval {
    /// These arguments are not acceptable, others nearby may be: shorten the step.
    Recoverable(Reason),
    /// Stop.
    Fatal(Reason),
}
