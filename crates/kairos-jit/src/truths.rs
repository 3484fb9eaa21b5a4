//! Registers of a tape that hold nothing but true and false.

use kairos_expr::{BinOp, UnOp};
use kairos_program::slots::Slots;
use kairos_program::tape::{Op, Slot};
use std::collections::BTreeSet;

/// The registers to which these operations, which alone write them, give only outcomes of comparisons and of logic.
pub fn truths(ops: &[Op], slots: &Slots, is_register: impl Fn(Slot) -> bool) -> BTreeSet<Slot> {
    let mut found = BTreeSet::new();
    for op in ops {
        if let Op::Binary { to, .. } | Op::Unary { to, .. } | Op::Copy { to, .. } = op
            && is_register(*to)
        {
            found.insert(*to);
        }
    }
    loop {
        let before = found.len();
        for op in ops {
            match *op {
                Op::Copy { to, a } => {
                    let truth = slots.value(a).is_some_and(|value| value == 0.0 || value == 1.0);
                    if !(truth || found.contains(&a)) {
                        found.remove(&to);
                    }
                }
                Op::Unary { op: UnOp::Not, .. } => {}
                Op::Binary { op, .. } if is_condition(op) => {}
                Op::Unary { to, .. }
                | Op::Binary { to, .. }
                | Op::Function1 { to, .. }
                | Op::Function2 { to, .. }
                | Op::Load { to, .. }
                | Op::Delay { to, .. }
                | Op::Transport { to, .. } => {
                    found.remove(&to);
                }
                _ => {}
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

fn is_condition(op: BinOp) -> bool {
    use BinOp::{And, Eq, Ge, Gt, Le, Lt, Ne, Or};
    matches!(op, And | Or | Lt | Le | Gt | Ge | Eq | Ne)
}
