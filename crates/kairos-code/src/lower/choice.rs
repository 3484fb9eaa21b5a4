//! Choices between two expressions: both sides lazily, and neighbours on one condition as one.

use super::{Lowering, Target};
use crate::tape::{Op, Slot};
use kairos_expr::ExprId;

/// Choices are not joined beyond this: native code is made in pieces that no jump leaves.
const LONGEST: usize = 300;

/// The contexts of both sides, and how many of their entries belong to this choice and those before.
#[derive(Clone, Copy, Default)]
pub(super) struct Branch {
    pub sides: (u32, u32),
    pub ends: (usize, usize),
}

/// A choice as it stands in the operations: its condition's jump, the jump over the other side, and the end.
#[derive(Clone, Copy)]
pub(super) struct Emitted {
    pub sides: (u32, u32),
    start: usize,
    middle: usize,
    end: usize,
}

impl Lowering<'_> {
    /// A choice; right after another one on the same condition, it becomes a part of that.
    pub(super) fn choice(
        &mut self,
        condition: Slot,
        to: Slot,
        (a, b): (ExprId, ExprId),
        branch: Branch,
        targets: &[Target],
    ) {
        let joins = |last: &Emitted| last.sides == branch.sides && last.end - last.start < LONGEST;
        let before = self.last.filter(|last| last.end == self.ops.len() && joins(last));
        let (start, otherwise) = match before {
            Some(last) => {
                let otherwise = self.ops.split_off(last.middle + 1);
                self.ops.truncate(last.middle);
                (last.start, otherwise)
            }
            None => {
                self.ops.push(Op::JumpUnless { condition, target: 0 });
                (self.ops.len() - 1, Vec::new())
            }
        };
        self.last = None;
        self.context_body(branch.sides.0, branch.ends.0, targets);
        self.copy(to, a);
        let middle = self.ops.len();
        self.ops.push(Op::Jump { target: 0 });
        if let Op::JumpUnless { target, .. } = &mut self.ops[start] {
            *target = middle as u32 + 1;
        }
        let moved = before.map_or(0, |last| (middle - last.middle) as u32);
        self.ops.extend(otherwise.into_iter().map(|op| shifted(op, moved)));
        self.last = None;
        self.context_body(branch.sides.1, branch.ends.1, targets);
        self.copy(to, b);
        let end = self.ops.len();
        self.ops[middle] = Op::Jump { target: end as u32 };
        self.last = Some(Emitted { sides: branch.sides, start, middle, end });
    }
}

/// An operation of a stretch that stands further back now, with all that it jumps to.
fn shifted(mut op: Op, by: u32) -> Op {
    if let Op::Jump { target } | Op::JumpUnless { target, .. } = &mut op {
        *target += by;
    }
    op
}
