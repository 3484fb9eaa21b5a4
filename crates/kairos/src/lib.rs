//! Kairos as a library: from Modelica text to a run, in a few calls.
//!
//! ```
//! let model = kairos::Model::from_text(
//!     "model Decay
//!        parameter Real k = 1;
//!        Real x(start = 1, fixed = true);
//!      equation
//!        der(x) = -k*x;
//!      end Decay;",
//! )?;
//! let options = kairos::Options::default().stop(1.0).tolerance(1e-9);
//! let result = model.set("k", 2.0)?.simulate(&options)?;
//! println!("{}", result.at("x", 0.5)?);
//! # Ok::<(), kairos::Error>(())
//! ```
//!
//! - A [`Model`] is compiled once; it is immutable, cheap to clone, and may be used by many threads.
//! - [`Model::simulate`] gives a [`Trajectory`]; [`Model::start`] gives a [`Simulation`], which the program advances, whose
//!   inputs it sets, and which it may fork.
//! - Everything that goes wrong is an [`Error`] with a code, a place and a way out.
//!
//! Below that are the stages themselves ([`compile`], [`run`], [`sweep`]), as the command line uses them: files are seen only
//! through a [`World`] ([`Disk`], or [`Files`] in memory), results leave only through the [`Streams`] that the caller gives.

mod arithmetic;
mod balance;
mod bounds;
mod carried;
mod clock;
mod compiled;
mod error;
mod files;
mod fmu;
mod inputs;
mod model;
mod native_code;
mod options;
mod picture;
mod pipeline;
mod recompute;
mod request;
mod running;
mod session;
mod setting;
mod settings;
mod sink;
mod survey;
pub mod sweep;
mod tables;
mod ticks;
mod trajectory;
mod tunable;

pub use balance::variable as balance_of;
pub use carried::{ROOT as CARRIED, WithCarried};
pub use compiled::{ENDING as COMPILED_ENDING, equations, load, store, store_with};
pub use error::{Error, Place};
pub use files::Files;
pub use fmu::{ENDING as FMU_ENDING, SYSTEM_ENDING};
pub use inputs::Inputs;
pub use kairos_base::{
    Diagnostic, Disk, STANDARD_INPUT, Severity, SourceMap, World, render_json, render_text,
};
pub use kairos_causal::CausalModel;
pub use kairos_draw::View;
pub use kairos_expr::{Scalar, Trust};
#[cfg(feature = "jit")]
pub use kairos_jit::put_away;
pub use kairos_machine::{Machine, Samples, Signal};
pub use kairos_model::Experiment;
pub use kairos_program::{Attribute, Causality, MachineInfo, VarInfo, Variability};
pub use kairos_results as results;
pub use kairos_sema::versions::{
    Conversion as LibraryConversion, ConversionRules, Head as LibraryHead, head as library_head,
};
pub use kairos_sim::{
    Cause as EventCause, EventKind, EventRecord, Method, Recorder, SimError, SimOptions, SlidingAction,
    Stopped, Summary, ZenoAction, check_options, simulate,
};
pub use kairos_syntax::format;
pub use model::Model;
pub use options::Options;
pub use picture::{Drawn, draw, draw_each};
pub use pipeline::{Compilation, Timing, compile};
pub use recompute::{Recomputed, recompute, states_header};
pub use request::{Access, Engine, FmuKind, Goal, Request};
pub use running::{Simulation, Stop};
pub use session::{Checkpoints, Finished, RunRequest, run, run_between};
pub use setting::Setting;
pub use settings::unknown as unknown_variable;
pub use sink::{Streams, Table, kind_of, stands_for, strangers};
pub use survey::{Entry, check_each, survey, top_class};
pub use tables::{Format, ResultFile};
pub use ticks::{CountedClock, Ticking};
pub use trajectory::{Series, Trajectory};
