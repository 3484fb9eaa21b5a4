//! The shared library inside of every FMU that Kairos exports: the functions of FMI 2.0 and 3.0 over a compiled model.
//!
//! The library is the same for all models; the model is a file in the FMU's resources. `instance.rs` is an FMU as both
//! versions of the standard see it, in safe Rust; `fmi2.rs` and `fmi3.rs` are the C functions around it.

mod clocks;
mod description;
mod fmi2;
mod fmi3;
mod instance;
mod pointers;
mod state;

pub use description::{ARRAYS, CLOCKS, Described, Extra, MODEL, RESOURCES, describe, token};
pub use instance::{Instance, Kind, Said, Stepped};
