//! FMUs of others: read, described, loaded, and run behind the interface of our own machines.
//!
//! `archive.rs` unpacks, `description.rs` says what an FMU is, `library.rs` calls its functions (the only unsafe code here),
//! `instance.rs` is an instance as both versions of the standard have it, and `machine.rs` makes a `Machine` of it.
//! The states of model exchange are the machine's states, its event indicators are relations; an FMU of co-simulation is
//! a machine without states that moves on by itself.

mod archive;
mod component;
mod description;
mod diagnostics;
mod formatted;
mod instance;
mod interface;
mod layout;
mod library;
mod machine;
mod shared;
mod ssp;
mod system;
mod together;
mod variables;
mod wrapper;
mod xml;

pub use archive::{Archive, Unpacked};
pub use component::Components;
pub use description::{
    Causality, Description, Dimension, Initial, Kind, Offer, Type, Unknown, Variability, Variable, Version,
};
pub use instance::{Failure, Instance, Setup, Update};
pub use machine::{FmuMachine, open};
pub use ssp::Package;
pub use system::{SystemMachine, open_system};
pub use variables::{Element, elements, state_count};
pub use wrapper::component;

/// How the name of an FMU ends.
pub const ENDING: &str = ".fmu";
/// How the name of a system of FMUs ends.
pub const SYSTEM_ENDING: &str = ".ssp";
