//! The commands, one file each.

pub mod check;
pub mod compare;
pub mod compile;
pub mod completions;
pub mod doc;
pub mod draw;
mod experiment;
pub mod explain;
pub mod fit;
pub mod flat;
pub mod fmt;
pub mod fmu;
mod inputs;
pub mod install;
pub mod libraries;
pub mod linearize;
pub mod new;
mod params;
pub mod plot;
pub mod recompute;
pub mod results;
pub mod run;
pub mod sensitivity;
pub mod steady;
pub mod studio;
pub mod sweep;
mod target;
