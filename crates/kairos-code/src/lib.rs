//! The executable form of a causal model, and the machines that run it.

pub mod machine;

pub use machine::{
    Changes, Effects, Eval, EvalError, Fault, Machine, MachineInfo, Phase, RelationInfo, VarInfo,
};
