//! The executable form of a causal model, and the machines that run it.

mod assemble;
mod bracket;
mod calls;
mod closed;
mod constancy;
mod describe;
mod diagnostics;
mod field;
mod fresh;
mod guards;
mod history;
mod interpreter;
mod leap;
mod lower;
pub mod machine;
mod modal;
mod modes;
pub mod native;
mod newton;
pub mod program;
pub mod reach;
pub mod routine;
pub mod run;
pub mod sequence;
mod settled;
pub mod slots;
mod space;
mod sparsity;
mod specialise;
pub mod state_sets;
pub mod structure;
mod tangent;
pub mod tape;
mod texts;
mod through;
mod transport;
mod whole;
mod writer;

pub use assemble::assemble;
pub use calls::{External, NoExternals};
pub use diagnostics::subscript_outside;
pub use field::Field;
pub use interpreter::Interpreter;
pub use machine::{
    Burst, Changes, Effects, Eval, EvalError, Fault, Leave, Machine, MachineInfo, PartInfo, Passage, Phase,
    Reached, RelationInfo, Restart, Source, Trigger, VarInfo,
};
pub use modal::{Maker, ModalMachine};
pub use native::{Attached, Codes, Makers, Native, Ran};
pub use program::Program;
