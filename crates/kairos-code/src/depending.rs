//! The part of a tape that has to run again when some numbers have changed.

use crate::tape::{Op, Slot, Tape};
use std::collections::BTreeSet;

/// The operations whose results depend on these slots; the others need not run again. `None` where the slots decide
/// which operations run, or where that cannot be told.
pub fn depending(tape: &Tape, slots: &[Slot]) -> Option<Tape> {
    let mut varying: BTreeSet<Slot> = slots.iter().copied().collect();
    loop {
        let before = varying.len();
        for op in &tape.ops {
            match *op {
                Op::Copy { to, a } | Op::Unary { to, a, .. } | Op::Function1 { to, a, .. } => {
                    if varying.contains(&a) {
                        varying.insert(to);
                    }
                }
                Op::Binary { to, a, b, .. } | Op::Function2 { to, a, b, .. } => {
                    if varying.contains(&a) || varying.contains(&b) {
                        varying.insert(to);
                    }
                }
                Op::JumpUnless { condition, .. } if !varying.contains(&condition) => {}
                Op::Jump { .. } => {}
                _ => return None,
            }
        }
        if varying.len() == before {
            break;
        }
    }
    let mut kept: Vec<bool> =
        tape.ops.iter().map(|op| op.target().is_some_and(|to| varying.contains(&to))).collect();
    // A jump is left out if it would pass over nothing; those behind it are decided first.
    for (at, op) in tape.ops.iter().enumerate().rev() {
        if let Op::Jump { target } | Op::JumpUnless { target, .. } = *op {
            let passed = kept.get(at + 1..target as usize)?;
            kept[at] = passed.contains(&true);
        }
    }
    let mut places = Vec::with_capacity(kept.len() + 1);
    let mut count = 0;
    for &keep in &kept {
        places.push(count);
        count += u32::from(keep);
    }
    places.push(count);
    let kept = tape.ops.iter().zip(&kept).filter(|(_, keep)| **keep);
    let ops = kept.map(|(op, _)| match *op {
        Op::Jump { target } => Op::Jump { target: places[target as usize] },
        Op::JumpUnless { condition, target } => Op::JumpUnless { condition, target: places[target as usize] },
        op => op,
    });
    Some(Tape::new(ops.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kairos_expr::BinOp;

    #[test]
    fn keeps_branches_with_something_in_them() {
        let add = |to, a, b| Op::Binary { op: BinOp::Add, to, a, b };
        // if 1 then 2 = 3 else 2 = 4; 5 = 0 + 2; if 1 then 6 = 0 + 5 else 6 = 4; 7 = 2 + 2
        let tape = Tape::new(vec![
            Op::JumpUnless { condition: 1, target: 3 },
            Op::Copy { to: 2, a: 3 },
            Op::Jump { target: 4 },
            Op::Copy { to: 2, a: 4 },
            add(5, 0, 2),
            Op::JumpUnless { condition: 1, target: 8 },
            add(6, 0, 5),
            Op::Jump { target: 9 },
            Op::Copy { to: 6, a: 4 },
            add(7, 2, 2),
        ]);
        let part = depending(&tape, &[0]).expect("no condition depends on it");
        let expected = [
            add(5, 0, 2),
            Op::JumpUnless { condition: 1, target: 4 },
            add(6, 0, 5),
            Op::Jump { target: 5 },
            Op::Copy { to: 6, a: 4 },
        ];
        assert_eq!(part.ops, expected);
        assert!(depending(&tape, &[1]).is_none());
    }
}
