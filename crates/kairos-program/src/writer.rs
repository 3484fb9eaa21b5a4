//! Writing a tape operation by operation, with parts of other tapes in it.

use crate::program::Memory;
use crate::tape::{Op, Slot, Tape};
use kairos_expr::{BinOp, UnOp};
use std::collections::HashMap;

pub(crate) struct Writer<'a> {
    pub memory: &'a mut Memory,
    pub ops: Vec<Op>,
    /// What the tape carries round by itself, in slots of its own.
    pub local: HashMap<Slot, Slot>,
}

impl<'a> Writer<'a> {
    pub fn new(memory: &'a mut Memory) -> Self {
        Self { memory, ops: Vec::new(), local: HashMap::new() }
    }

    /// A slot of the tape's own for another one.
    pub fn local_for(&mut self, slot: Slot) -> Slot {
        let local = self.memory.slots.scratch();
        self.local.insert(slot, local);
        local
    }

    pub fn here(&self) -> u32 {
        self.ops.len() as u32
    }

    pub fn copy(&mut self, to: Slot, a: Slot) {
        self.ops.push(Op::Copy { to, a });
    }

    /// Gives a slot a value that is known now.
    pub fn set(&mut self, to: Slot, value: f64) {
        let a = self.memory.constant(value);
        self.copy(to, a);
    }

    pub fn binary(&mut self, op: BinOp, to: Slot, a: Slot, b: Slot) {
        self.ops.push(Op::Binary { op, to, a, b });
    }

    pub fn unary(&mut self, op: UnOp, to: Slot, a: Slot) {
        self.ops.push(Op::Unary { op, to, a });
    }

    pub fn not(&mut self, to: Slot, a: Slot) {
        self.unary(UnOp::Not, to, a);
    }

    /// Sets `flag` where two numbers differ.
    pub fn differ(&mut self, flag: Slot, a: Slot, b: Slot) {
        let other = self.memory.slots.scratch();
        self.binary(BinOp::Ne, other, a, b);
        self.binary(BinOp::Or, flag, flag, other);
    }

    /// Are all of them finite? Anything that is not differs from itself when taken from itself.
    pub fn finite(&mut self, flag: Slot, slots: impl Iterator<Item = Slot>) {
        let test = self.memory.slots.scratch();
        self.set(test, 0.0);
        slots.for_each(|slot| self.gather_finite(test, &[slot]));
        let zero = self.memory.constant(0.0);
        self.binary(BinOp::Eq, flag, test, zero);
    }

    /// Keeps zero in `test` as long as all of them are finite.
    pub fn gather_finite(&mut self, test: Slot, slots: &[Slot]) {
        let part = self.memory.slots.scratch();
        for &slot in slots {
            self.binary(BinOp::Sub, part, slot, slot);
            self.binary(BinOp::Add, test, test, part);
        }
    }

    /// A jump forward, to be landed.
    pub fn jump_unless(&mut self, condition: Slot) -> usize {
        self.ops.push(Op::JumpUnless { condition, target: 0 });
        self.ops.len() - 1
    }

    pub fn jump(&mut self) -> usize {
        self.ops.push(Op::Jump { target: 0 });
        self.ops.len() - 1
    }

    pub fn land(&mut self, jump: usize) {
        let here = self.here();
        if let Op::JumpUnless { target, .. } | Op::Jump { target } = &mut self.ops[jump] {
            *target = here;
        }
    }

    /// Operations of another tape, with other slots for what is carried round and for what is given.
    pub fn append(&mut self, tape: &Tape, given: &[(Slot, Slot)]) {
        self.append_part(&tape.ops, given);
    }

    /// The same for the first operations of a tape, none of which jumps farther than to their end.
    pub fn append_part(&mut self, part: &[Op], given: &[(Slot, Slot)]) {
        let Self { ops, local, .. } = self;
        Tape::append_part(part, ops, &mut |slot| {
            let given = given.iter().find(|(from, _)| *from == slot).map(|(_, to)| *to);
            given.or_else(|| local.get(&slot).copied()).unwrap_or(slot)
        });
    }

    /// The finished tape.
    pub fn tape(self) -> Tape {
        self.memory.tape(self.ops)
    }
}
