//! The shared library that every exported FMU contains.
//!
//! It is the library of this package so that building the program builds it, too, from the same crates: the program then
//! carries its bytes (`build.rs`, `commands/fmu.rs`), and an FMU is made without any compiler.

pub use kairos_fmi_runtime::*;
