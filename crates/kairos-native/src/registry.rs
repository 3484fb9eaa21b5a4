//! The table of native functions.

use crate::context::Context;
use crate::value::{Arg, Args};
use std::collections::HashMap;
use std::sync::OnceLock;

/// How a compiler may treat calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The result depends on the arguments only: it may be evaluated early, cached or dropped.
    Pure,
    /// Touches files, the clock, the console or remembered state: every call counts, in order.
    Impure,
    /// Makes an external object.
    Constructor,
    /// Ends the life of an external object.
    Destructor,
}

pub(crate) type Implementation = fn(&mut Context, &mut Args<'_>) -> Result<Option<Arg>, String>;

/// One native function.
#[derive(Clone, Copy, Debug)]
pub struct NativeFn {
    pub name: &'static str,
    pub kind: Kind,
    pub(crate) run: Implementation,
}

/// Finds a function by the name that the external clause calls.
pub fn lookup(c_name: &str) -> Option<NativeFn> {
    // Tables are asked for millions of times in a run.
    static NAMES: OnceLock<HashMap<&'static str, NativeFn>> = OnceLock::new();
    let names = NAMES.get_or_init(|| {
        let mut names = HashMap::new();
        for function in functions() {
            names.entry(function.name).or_insert(function);
        }
        names
    });
    names.get(c_name).copied()
}

/// All native functions, in the order of the tables.
pub fn functions() -> impl Iterator<Item = NativeFn> {
    TABLES.iter().chain(crate::lapack::FUNCTIONS).flat_map(|table| table.iter().copied())
}

impl NativeFn {
    /// Calls with the arguments in the order of the external call. Outputs are placeholders of the right
    /// type and size that are overwritten; what the C function returns is the result.
    pub fn call(&self, context: &mut Context, arguments: &mut [Arg]) -> Result<Option<Arg>, String> {
        (self.run)(context, &mut Args::new(self.name, arguments))
    }

    pub(crate) const fn new(name: &'static str, kind: Kind, run: Implementation) -> NativeFn {
        NativeFn { name, kind, run }
    }
}

const TABLES: &[&[NativeFn]] = &[
    crate::tables::FUNCTIONS,
    crate::random::FUNCTIONS,
    crate::strings::FUNCTIONS,
    crate::messages::FUNCTIONS,
    crate::streams::FUNCTIONS,
    crate::file_system::FUNCTIONS,
    crate::system::FUNCTIONS,
    crate::matrix_io::FUNCTIONS,
    crate::fft::FUNCTIONS,
    crate::mathematics::FUNCTIONS,
];
