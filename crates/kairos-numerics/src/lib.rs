//! Numerical methods: linear systems and integrators.
//!
//! Nothing here knows what an event or a model is. Every evaluation answers ok, recoverable or fatal; nothing
//! panics on singular matrices, NaN or infinity; steps and restarts do not allocate.
#![allow(clippy::needless_range_loop)] // Index arithmetic over several arrays at once is the subject here.

pub mod complementarity;
mod eval;
pub mod integrate;
pub mod linear;

pub use eval::{Eval, Reason};
