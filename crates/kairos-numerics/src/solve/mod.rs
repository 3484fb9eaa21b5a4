//! Solvers for nonlinear and complementarity problems.

mod complementarity;
mod continuation;
mod modes;
mod newton;

pub use complementarity::{Complementarity, NoSolution, solve_complementarity, solve_mixed};
pub use continuation::{Continuation, ContinuationFailure, continuation};
pub use modes::{ModeSearch, search_modes};
pub use newton::{Newton, NewtonFailure, NewtonOptions, NewtonReport, Nonlinear};
