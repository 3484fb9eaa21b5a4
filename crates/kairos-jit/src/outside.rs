//! What native code refers to outside of itself, by names that hold in every process.

use crate::{math, native};
use cranelift_codegen::ir::{ExternalName, GlobalValueData, InstBuilder, UserExternalName, Value, types};
use cranelift_frontend::FunctionBuilder;
use kairos_expr::Builtin;
use kairos_program::Program;
use kairos_program::tape::Slot;

/// The spaces of names; routines have one each after the last.
const FUNCTIONS: u32 = 0;
const RUST: u32 = 1;
const TABLES: u32 = 2;
const CONSTANTS: u32 = 3;

/// A name in native code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outside {
    /// Another function of the same code.
    Function(u32),
    /// A function of this program.
    Rust(Callee),
    /// Where slots are in the rounds of a loop.
    Table(u32),
    /// A block of constants of a routine.
    Constants { routine: u32, first: Slot },
}

impl Outside {
    pub fn name(self) -> UserExternalName {
        let (namespace, index) = match self {
            Outside::Function(number) => (FUNCTIONS, number),
            Outside::Rust(callee) => (RUST, callee.number()),
            Outside::Table(number) => (TABLES, number),
            Outside::Constants { routine, first } => (CONSTANTS + routine, first),
        };
        UserExternalName { namespace, index }
    }

    pub fn of(name: &UserExternalName) -> Option<Outside> {
        let index = name.index;
        Some(match name.namespace {
            FUNCTIONS => Outside::Function(index),
            RUST => Outside::Rust(Callee::of(index)?),
            TABLES => Outside::Table(index),
            beyond => Outside::Constants { routine: beyond - CONSTANTS, first: index },
        })
    }

    /// Where it is in this process; a function of the code is nowhere yet.
    pub fn address(self, program: &Program, tables: &[Box<[i64]>]) -> Option<usize> {
        match self {
            Outside::Function(_) => None,
            Outside::Rust(callee) => callee.address(),
            Outside::Table(number) => Some(tables.get(number as usize)?.as_ptr() as usize),
            Outside::Constants { routine, first } => {
                let routine = program.memory.routines.list.get(routine as usize)?;
                Some(&raw const *routine.slots.image.get(first as usize)? as usize)
            }
        }
    }

    /// Its address as a value.
    pub fn emit(self, builder: &mut FunctionBuilder) -> Value {
        let name = builder.func.declare_imported_user_function(self.name());
        let symbol = GlobalValueData::Symbol {
            name: ExternalName::user(name),
            offset: 0.into(),
            colocated: false,
            tls: false,
        };
        let symbol = builder.func.create_global_value(symbol);
        builder.ins().symbol_value(types::I64, symbol)
    }
}

/// What native code calls in Rust.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee {
    Call,
    CallTangent,
    Evaluate,
    MakeUp,
    Outside,
    Delay,
    Transport,
    Interpret,
    Power,
    Atan2,
    Function(Builtin),
}

const CALLEES: [Callee; 10] = [
    Callee::Call,
    Callee::CallTangent,
    Callee::Evaluate,
    Callee::MakeUp,
    Callee::Outside,
    Callee::Delay,
    Callee::Transport,
    Callee::Interpret,
    Callee::Power,
    Callee::Atan2,
];

impl Callee {
    fn all() -> impl Iterator<Item = Callee> {
        CALLEES.into_iter().chain(math::UNARY.iter().map(|&(f, _)| Callee::Function(f)))
    }

    fn number(self) -> u32 {
        Callee::all().zip(0..).find(|&(callee, _)| callee == self).map_or(u32::MAX, |(_, number)| number)
    }

    fn of(number: u32) -> Option<Callee> {
        Callee::all().nth(number as usize)
    }

    fn address(self) -> Option<usize> {
        let function = match self {
            Callee::Call => native::call as *const (),
            Callee::CallTangent => native::call_tangent as *const (),
            Callee::Evaluate => native::evaluate as *const (),
            Callee::MakeUp => native::make_up as *const (),
            Callee::Outside => native::outside as *const (),
            Callee::Delay => native::delay as *const (),
            Callee::Transport => native::transport as *const (),
            Callee::Interpret => native::interpret as *const (),
            Callee::Power => math::power as *const (),
            Callee::Atan2 => math::atan2 as *const (),
            Callee::Function(f) => math::function1(f)? as *const (),
        };
        Some(function as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back() {
        let rust = Callee::all().map(Outside::Rust);
        let others = [
            Outside::Function(7),
            Outside::Table(0),
            Outside::Constants { routine: 0, first: 5 },
            Outside::Constants { routine: 9, first: 0 },
        ];
        for outside in rust.chain(others) {
            assert_eq!(Outside::of(&outside.name()), Some(outside));
        }
        assert!(Callee::all().all(|callee| callee.address().is_some()));
    }
}
