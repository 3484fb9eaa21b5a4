//! Kairos as a library: from Modelica text to a run, in a few calls.
//!
//! Files are seen only through a `World`; results leave only through the `Streams` that the caller gives.

mod carried;
mod compiled;
mod inputs;
mod picture;
mod pipeline;
mod recompute;
mod request;
mod session;
mod settings;
mod sink;
mod survey;
pub mod sweep;
mod tables;

pub use carried::{ROOT as CARRIED, WithCarried};
pub use compiled::{ENDING as COMPILED_ENDING, load, store};
pub use inputs::Inputs;
pub use kairos_base::{Diagnostic, Disk, Severity, SourceMap, World, render_json, render_text};
pub use kairos_draw::View;
pub use kairos_expr::Trust;
pub use kairos_jit::put_away;
pub use kairos_machine::{Machine, Samples, Signal};
pub use kairos_model::Experiment;
pub use kairos_program::{Attribute, Causality, MachineInfo, VarInfo, Variability};
pub use kairos_results as results;
pub use kairos_sema::versions::{Head as LibraryHead, head as library_head};
pub use kairos_sim::{
    EventKind, EventRecord, Method, Recorder, SimError, SimOptions, Simulation, SlidingAction, Stopped,
    Summary, ZenoAction, check_options, simulate,
};
pub use kairos_syntax::format;
pub use picture::{Drawn, draw, draw_each};
pub use pipeline::{Compilation, Timing, compile};
pub use recompute::{Recomputed, recompute, states_header};
pub use request::{Access, Engine, Goal, Request};
pub use session::{Checkpoints, Finished, RunRequest, run, run_between};
pub use settings::unknown as unknown_variable;
pub use sink::{Streams, Table, stands_for, strangers};
pub use survey::{Entry, check_each, survey};
pub use tables::{Format, ResultFile};
