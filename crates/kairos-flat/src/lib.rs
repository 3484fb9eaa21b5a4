//! From an instance to one flat, scalar hybrid system of equations.

mod connections;
mod equations;
mod expand;
mod flatten;
mod fold;
mod print;
pub mod scalar;
mod tree;
mod variables;

pub use flatten::{Balance, balance, flatten};
pub use print::print;
pub use scalar::{
    Action, Causality, ClockKind, ClockPartition, Equation, EquationKind, Experiment, Origin, ScalarModel,
    StateSelect, Variability, Variable,
};
