//! Functions of numbers as tapes over a frame of their own, one for each structure of the arguments.

mod arrays;
mod body;
mod build;
mod expression;
mod part;
mod select;
mod splice;
mod tangent;

use crate::slots::Slots;
use crate::tape::{Op, Slot, Tape};
pub use build::Builder;
use kairos_base::hash::HashMap;
use kairos_expr::{FunctionId, Store};
pub use part::{Part, Shape, of_type};

/// Why something has no numeric code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// A size or a position that only a run knows.
    Size,
    /// Texts, external functions and other things that are not numbers.
    Foreign,
    /// It would be too long.
    Length,
}

pub type Lowered<T = Part> = Result<T, Refusal>;

/// A function for one structure of its arguments.
#[derive(Clone, Debug)]
pub struct Routine {
    pub function: FunctionId,
    pub tape: Tape,
    pub slots: Slots,
    pub inputs: Vec<Slot>,
    pub outputs: Vec<Slot>,
    /// The structure of arguments and result, in the routine's own slots.
    pub arguments: Vec<Part>,
    pub result: Option<Part>,
    /// Of one with tangents: how many of its inputs and of its outputs come before them.
    pub before_tangents: Option<(usize, usize)>,
}

impl Routine {
    /// How many inputs and outputs are values, not tangents.
    pub fn plain(&self) -> (usize, usize) {
        self.before_tangents.unwrap_or((self.inputs.len(), self.outputs.len()))
    }
}

/// One place that calls a routine.
#[derive(Clone, Debug)]
pub struct Invocation {
    pub routine: u32,
    pub arguments: Vec<Slot>,
    pub outputs: Vec<Slot>,
    /// What to do instead where the routine gives up; in routines their caller decides.
    pub fallback: Option<Fallback>,
}

/// The same call through values, and its tangent.
#[derive(Clone, Copy, Debug)]
pub struct Fallback {
    pub call: u32,
    pub tangent: Option<u32>,
}

/// All routines of a program.
#[derive(Clone, Default)]
pub struct Routines {
    pub list: Vec<Routine>,
    pub invocations: Vec<Invocation>,
    known: HashMap<(FunctionId, Vec<Shape>), Lowered<u32>>,
    tangents: HashMap<(u32, Vec<bool>), u32>,
}

impl Routines {
    /// The routine for a call with arguments of this structure.
    pub fn compile(
        &mut self,
        store: &Store,
        f: FunctionId,
        arguments: &[Part],
        slots: &Slots,
    ) -> Lowered<u32> {
        let shapes = |values| {
            let list = arguments.iter().map(|a| a.shape(slots, values)).collect::<Option<Vec<_>>>();
            list.ok_or(Refusal::Foreign)
        };
        let general = self.specialise(store, f, shapes(false)?);
        match general {
            // The sizes may follow from numbers that are known here.
            Err(Refusal::Size) => self.specialise(store, f, shapes(true)?),
            other => other,
        }
    }

    fn specialise(&mut self, store: &Store, f: FunctionId, shapes: Vec<Shape>) -> Lowered<u32> {
        let key = (f, shapes);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let id = self.reserve(f);
        self.known.insert(key.clone(), Ok(id));
        let built = body::build(store, self, f, &key.1, id);
        let outcome = built.map(|()| id);
        if outcome.is_err() {
            // Calls of it that were made meanwhile give up when they are reached.
            self.list[id as usize].tape = Tape::new(vec![Op::GiveUp]);
            self.known.insert(key, outcome);
        }
        outcome
    }

    fn reserve(&mut self, function: FunctionId) -> u32 {
        self.list.push(Routine {
            function,
            tape: Tape::default(),
            slots: Slots::default(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            arguments: Vec::new(),
            result: None,
            before_tangents: None,
        });
        self.list.len() as u32 - 1
    }

    pub fn invocation(&mut self, invocation: Invocation) -> u32 {
        self.invocations.push(invocation);
        self.invocations.len() as u32 - 1
    }
}
