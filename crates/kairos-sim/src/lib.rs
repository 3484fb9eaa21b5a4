//! The supervisor of a run: events, calendar, integration, results.
//!
//! Stands on the `Machine` trait alone; whether a machine interprets or runs native code is not visible here.

mod calendar;
mod carried;
mod crossing;
mod error;
mod hosted;
mod integrate;
mod iterate;
mod log;
mod modes;
mod options;
mod pinned;
mod recurrence;
mod schedule;
mod separate;
mod side;
mod simulation;
mod sink;
mod sliding;
mod supervisor;
mod surface;
mod system;

pub use error::SimError;
pub use hosted::{Happened, Hosted};
pub use integrate::check as check_options;
pub use log::{Cause, Change, EventKind, EventRecord, Pulse};
pub use options::{LargestResidual, Method, SimOptions, SlidingAction, Summary, ZenoAction};
pub use simulation::{Simulation, Stopped, simulate};
pub use sink::{Nowhere, Recorder, Sink};

/// This program as stored models and runs name it: only what the same sources have stored can be read.
pub const BUILD: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("KAIROS_SOURCES"), ")");
