//! What runs a program: the interpreter, Newton's method on its systems, modes of different structure, histories of
//! delays, and events that evaluate only what they reach.

mod ask;
mod bracket;
mod calls;
mod cells;
mod diagnostics;
mod driven;
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
pub mod saved;
mod sequence;
pub mod shortcuts;
pub mod signal;
mod slopes;
mod space;
mod state_sets;
mod texts;
mod transport;
mod whole;

pub use ask::INTEGER_LIMIT;
pub use calls::{External, NoExternals};
pub use diagnostics::{integer_overflow, not_a_number, subscript_outside};
pub use driven::drive;
pub use interpreter::Interpreter;
pub use machine::{
    Changes, Effects, Eval, EvalError, Fault, Given, Machine, MachineInfo, PartInfo, Phase, Plan,
    RelationInfo, Restart, Source, Start, Trigger, VarInfo,
};
pub use modal::{Maker, ModalMachine};
pub use native::{Attached, Codes, Makers, Native, Ran};
pub use shortcuts::{Burst, Leave, Passage, Reached, Shortcuts};
pub use signal::{Samples, Signal};
