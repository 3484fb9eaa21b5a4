//! The executable form of a causal model, and the machines that run it.

mod assemble;
mod calls;
mod describe;
mod diagnostics;
mod interpreter;
mod lower;
pub mod machine;
mod modes;
mod newton;
pub mod program;
pub mod routine;
mod run;
pub mod slots;
pub mod state_sets;
mod structure;
mod tangent;
pub mod tape;

pub use assemble::assemble;
pub use calls::{External, NoExternals};
pub use interpreter::Interpreter;
pub use machine::{
    Changes, Effects, Eval, EvalError, Fault, Machine, MachineInfo, Phase, RelationInfo, VarInfo,
};
pub use program::Program;
