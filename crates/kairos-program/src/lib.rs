//! What a program is, and how it is made of a causal model: plain data that any machine runs.
//!
//! A [`Program`] is tapes (operations over one memory of numbers, with jumps) and systems that a machine solves by
//! calling their residual and tangent tapes. Nothing here runs a model: the only execution is that of single
//! operations ([`operation`]), which folds constants and defines what machines compute.

mod assemble;
pub mod closed;
mod constancy;
mod dependence;
mod describe;
pub mod field;
mod guards;
pub mod info;
mod invariants;
mod leap;
pub mod linear;
mod lower;
pub mod operation;
pub mod program;
pub mod reach;
pub mod routine;
pub mod sequence;
mod settled;
pub mod slots;
pub mod sparsity;
mod specialise;
pub mod state_set;
pub mod structure;
mod tangent;
pub mod tape;
mod tapes;
pub mod through;
mod writer;

pub use assemble::assemble;
pub use dependence::dependences;
pub use field::Field;
pub use info::{Attribute, MachineInfo, PartInfo, RelationInfo, Source, VarInfo};
pub use kairos_expr::Variability;
pub use kairos_model::Causality;
pub use program::Program;
pub use state_set::SetCode;
