//! The tape: straight numeric operations over one memory of numbers, with jumps.

use crate::routine::Part;
use kairos_base::Name;
use kairos_expr::{BinOp, Builtin, ExprId, FunctionId, Scalar, UnOp};

/// A place in the memory.
pub type Slot = u32;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    Copy {
        to: Slot,
        a: Slot,
    },
    Unary {
        op: UnOp,
        to: Slot,
        a: Slot,
    },
    /// Scalar arithmetic, comparison and logic; Booleans are 0 and 1.
    Binary {
        op: BinOp,
        to: Slot,
        a: Slot,
        b: Slot,
    },
    Function1 {
        f: Builtin,
        to: Slot,
        a: Slot,
    },
    Function2 {
        f: Builtin,
        to: Slot,
        a: Slot,
        b: Slot,
    },
    Jump {
        target: u32,
    },
    JumpUnless {
        condition: Slot,
        target: u32,
    },
    /// A number of a block, `index` after `base`; see `Slots::block_of`.
    Load {
        to: Slot,
        base: Slot,
        index: Slot,
    },
    Store {
        base: Slot,
        index: Slot,
        a: Slot,
    },
    /// Gives up unless `index` is one of 0, 1, … `size` - 1.
    Check {
        index: Slot,
        size: u32,
    },
    /// Gives up unless the condition holds.
    Require {
        condition: Slot,
    },
    /// What follows has no numeric code, or is an error: the call is made through values instead.
    GiveUp,
    /// A user function as numeric code; see `Routines::invocations`.
    Invoke {
        site: u32,
    },
    /// A user function, through values; see `Memory::calls`.
    Call {
        site: u32,
    },
    /// The directional derivative of a call.
    CallTangent {
        site: u32,
    },
    /// Anything without a tape form, through the interpreter of expressions; see `Memory::evaluations`.
    Evaluate {
        site: u32,
    },
    /// The value of an expression some time ago; see `Memory::delays`.
    Delay {
        to: Slot,
        delay: u32,
        value: Slot,
        time: Slot,
    },
    /// What comes out of a `spatialDistribution`, or no number if nothing is recorded yet; see `Memory::transports`.
    Transport {
        to: Slot,
        /// Twice the number of the site, and one more if the flow is from the end 0 to the end 1.
        site: u32,
        value: Slot,
        x: Slot,
    },
}

impl Op {
    /// The slot that a plain operation writes.
    pub fn target(&self) -> Option<Slot> {
        match *self {
            Op::Copy { to, .. }
            | Op::Unary { to, .. }
            | Op::Binary { to, .. }
            | Op::Function1 { to, .. }
            | Op::Function2 { to, .. }
            | Op::Load { to, .. }
            | Op::Delay { to, .. }
            | Op::Transport { to, .. } => Some(to),
            _ => None,
        }
    }

    /// Does it go through the machine, to the interpreter or to what is recorded of the past?
    pub fn calls_out(&self) -> bool {
        matches!(
            self,
            Op::Call { .. }
                | Op::CallTangent { .. }
                | Op::Evaluate { .. }
                | Op::Delay { .. }
                | Op::Transport { .. }
        )
    }
}

/// Operations in order; jump targets are positions in it.
#[derive(Clone, Debug, Default)]
pub struct Tape {
    pub ops: Vec<Op>,
    /// Its number among the tapes of its program, from 1; routines have none.
    pub id: u32,
}

impl Tape {
    pub fn new(ops: Vec<Op>) -> Tape {
        Tape { ops, id: 0 }
    }

    /// Adds the operations of a tape to others, with other slots; those of sites stay.
    /// Does an operation read or write the slot? Not what stands beside the tape, such as arguments of calls.
    pub fn mentions(&self, slot: Slot) -> bool {
        let mut found = false;
        for op in &self.ops {
            Tape::rename(&mut op.clone(), &mut |mentioned| {
                found |= mentioned == slot;
                mentioned
            });
        }
        found
    }

    pub fn append(&self, ops: &mut Vec<Op>, change: &mut dyn FnMut(Slot) -> Slot) {
        Tape::append_part(&self.ops, ops, change);
    }

    /// The same for the first operations of a tape, none of which jumps farther than to their end.
    pub fn append_part(part: &[Op], ops: &mut Vec<Op>, change: &mut dyn FnMut(Slot) -> Slot) {
        let first = ops.len() as u32;
        for op in part {
            let mut op = *op;
            Tape::rename(&mut op, change);
            if let Op::Jump { target } | Op::JumpUnless { target, .. } = &mut op {
                *target += first;
            }
            ops.push(op);
        }
    }

    /// Gives an operation other slots; those of sites stay.
    pub fn rename(op: &mut Op, change: &mut dyn FnMut(Slot) -> Slot) {
        match op {
            Op::Copy { to, a } | Op::Unary { to, a, .. } | Op::Function1 { to, a, .. } => {
                *a = change(*a);
                *to = change(*to);
            }
            Op::Binary { to, a, b, .. } | Op::Function2 { to, a, b, .. } => {
                *a = change(*a);
                *b = change(*b);
                *to = change(*to);
            }
            Op::JumpUnless { condition, .. } | Op::Require { condition } => *condition = change(*condition),
            Op::Check { index, .. } => *index = change(*index),
            Op::Load { to, base, index } => {
                *base = change(*base);
                *index = change(*index);
                *to = change(*to);
            }
            Op::Store { base, index, a } => {
                *base = change(*base);
                *index = change(*index);
                *a = change(*a);
            }
            Op::Delay { to, value, time, .. } => {
                *value = change(*value);
                *time = change(*time);
                *to = change(*to);
            }
            Op::Transport { to, value, x, .. } => {
                *value = change(*value);
                *x = change(*x);
                *to = change(*to);
            }
            Op::Jump { .. } | Op::GiveUp => {}
            Op::Invoke { .. } | Op::Call { .. } | Op::CallTangent { .. } | Op::Evaluate { .. } => {}
        }
    }
}

/// An argument of a call, put together from the memory.
#[derive(Clone, Debug)]
pub enum Argument {
    Number(Slot, Scalar),
    Array(Vec<usize>, Vec<Argument>),
    Record(kairos_expr::RecordId, Vec<Argument>),
    Text(Name),
    /// A String or an external object.
    Other(u32),
    /// The result of an earlier call.
    Result(u32),
    /// Evaluated by the interpreter of expressions.
    Expression(ExprId),
}

impl Argument {
    /// A value whose numbers stand in slots.
    pub fn of(part: &Part) -> Option<Argument> {
        let list = |items: &[Part]| items.iter().map(Argument::of).collect::<Option<Vec<_>>>();
        Some(match part {
            Part::Number(slot, scalar) => Argument::Number(*slot, *scalar),
            Part::Text(text) => Argument::Text((*text)?),
            Part::Array(dims, items) => Argument::Array(dims.clone(), list(items)?),
            Part::Record(r, items) => Argument::Record(*r, list(items)?),
            Part::Tuple(_) | Part::Function(..) => return None,
        })
    }
}

/// How to reach a number inside a result: output, field and element numbers from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Item(u32),
    Field(u32),
    Element(u32),
}

#[derive(Clone, Debug)]
pub struct CallSite {
    pub function: FunctionId,
    pub arguments: Vec<Argument>,
    pub outputs: Vec<(Vec<Step>, Slot)>,
    /// Where the whole result is kept for other calls.
    pub result: Option<u32>,
}

/// A call with the tangents of its arguments' numbers, in the order they occur.
#[derive(Clone, Debug)]
pub struct TangentSite {
    pub call: u32,
    pub inputs: Vec<(Slot, Slot)>,
    /// One for each output of the call.
    pub outputs: Vec<Slot>,
}

#[derive(Clone, Copy, Debug)]
pub enum Destination {
    Number(Slot),
    Other(u32),
}

#[derive(Clone, Copy, Debug)]
pub struct Evaluation {
    pub expr: ExprId,
    pub to: Destination,
}

/// A `spatialDistribution`: what is recorded at every accepted point, and where its values stand.
#[derive(Clone, Debug)]
pub struct TransportSite {
    /// Values at both ends, coordinate, direction, initial places and initial values.
    pub args: Vec<ExprId>,
    pub values: Vec<Slot>,
}

/// The first argument of a `delay`, which is recorded at every accepted point.
#[derive(Clone, Copy, Debug)]
pub struct DelaySite {
    pub expr: ExprId,
    pub value: Slot,
    /// The second argument, and where its value stands at recorded points.
    pub by: ExprId,
    pub time: Slot,
}
