//! What runs a program: the interpreter, Newton's method on its systems, modes of different structure, histories of
//! delays, and events that evaluate only what they reach.

mod bracket;
mod calls;
mod cells;
mod diagnostics;
mod field;
mod fresh;
mod history;
mod interpreter;
pub mod machine;
mod modal;
mod modes;
pub mod native;
mod newton;
pub mod routines;
pub mod run;
mod sequence;
mod space;
mod state_sets;
mod texts;
mod transport;
mod whole;

pub use calls::{External, NoExternals};
pub use diagnostics::subscript_outside;
pub use interpreter::Interpreter;
pub use machine::{
    Burst, Changes, Effects, Eval, EvalError, Fault, Leave, Machine, MachineInfo, PartInfo, Passage, Phase,
    Reached, RelationInfo, Restart, Source, Trigger, VarInfo,
};
pub use modal::{Maker, ModalMachine};
pub use native::{Attached, Codes, Makers, Native, Ran};
