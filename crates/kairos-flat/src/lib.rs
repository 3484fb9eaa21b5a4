//! From an instance to one flat, scalar hybrid system of equations.

pub mod scalar;

pub use scalar::{
    Action, Causality, ClockKind, ClockPartition, Equation, EquationKind, Experiment, Origin, ScalarModel,
    StateSelect, Variability, Variable,
};
