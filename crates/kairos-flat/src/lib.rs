//! From an instance to one flat, scalar hybrid system of equations.

mod connections;
mod equations;
mod expand;
mod flatten;
mod fold;
pub mod scalar;
mod tree;
mod variables;

pub use flatten::{Balance, balance, flatten};
pub use scalar::{
    Action, Causality, ClockKind, ClockPartition, Equation, EquationKind, Experiment, Origin, ScalarModel,
    StateSelect, Variability, Variable,
};
