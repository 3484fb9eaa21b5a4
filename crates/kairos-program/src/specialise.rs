//! Tapes for a special purpose: to run again when some numbers have changed, from zero, between events.

use crate::program::Memory;
use crate::tape::{Op, Slot, Tape};
use kairos_base::hash::HashSet;
use kairos_expr::{BinOp, UnOp};
use std::collections::{BTreeMap, BTreeSet};

/// The operations whose results depend on these slots; the others need not run again. `None` where the slots decide
/// which operations run, or where that cannot be told.
pub fn depending(tape: &Tape, slots: &[Slot]) -> Option<Tape> {
    let varying = varying(tape, slots)?;
    only(tape, |to| varying.contains(&to))
}

/// The operations of `tape` but for those of `base` that depend on these slots, if nothing else reads what they give.
pub fn besides(tape: &Tape, base: &Tape, slots: &[Slot]) -> Option<Tape> {
    let varying = varying(base, slots)?;
    let rest = only(tape, |to| !varying.contains(&to))?;
    let mut apart = true;
    for op in &rest.ops {
        operands(op, &mut |slot| apart &= !varying.contains(&slot));
    }
    apart.then_some(rest)
}

fn varying(tape: &Tape, slots: &[Slot]) -> Option<BTreeSet<Slot>> {
    let mut varying: BTreeSet<Slot> = slots.iter().copied().collect();
    loop {
        let before = varying.len();
        for op in &tape.ops {
            let mut varies = false;
            operands(op, &mut |slot| varies |= varying.contains(&slot));
            match *op {
                Op::JumpUnless { condition, .. } if varying.contains(&condition) => return None,
                Op::Jump { .. } | Op::JumpUnless { .. } => {}
                _ if varies => {
                    varying.insert(plain_target(op)?);
                }
                _ => {
                    plain_target(op)?;
                }
            }
        }
        if varying.len() == before {
            return Some(varying);
        }
    }
}

/// The slot that an operation on numbers writes.
fn plain_target(op: &Op) -> Option<Slot> {
    op.target().filter(|_| !matches!(op, Op::Load { .. } | Op::Delay { .. } | Op::Transport { .. }))
}

/// The operations that give certain slots their values, and the jumps around them.
fn only(tape: &Tape, wanted: impl Fn(Slot) -> bool) -> Option<Tape> {
    let mut kept: Vec<bool> = tape.ops.iter().map(|op| op.target().is_some_and(&wanted)).collect();
    // A jump is left out if it would pass over nothing; those behind it are decided first.
    for (at, op) in tape.ops.iter().enumerate().rev() {
        match *op {
            Op::Jump { target } | Op::JumpUnless { target, .. } => {
                kept[at] = kept.get(at + 1..target as usize)?.contains(&true);
            }
            _ => {
                plain_target(op)?;
            }
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

/// The same as a tape gives for `results` where these slots are zero, and all that does not depend on them. What a
/// product with zero would make of a factor that is not finite is left to whoever looks at the result.
pub fn at_zero(memory: &mut Memory, tape: &Tape, slots: &[Slot], results: &[Slot]) -> Option<Tape> {
    let zero = memory.constant(0.0);
    let mut known: BTreeSet<Slot> = slots.iter().copied().collect();
    let mut varying = known.clone();
    let mut ops = Vec::new();
    for op in &tape.ops {
        let to = op.target()?;
        let is_zero = |slot: Slot| slot == zero || known.contains(&slot);
        let read = |slot: Slot| if is_zero(slot) { zero } else { slot };
        let (new, varies) = match *op {
            Op::Copy { a, .. } => (Op::Copy { to, a: read(a) }, varying.contains(&a)),
            Op::Unary { op: UnOp::Neg, a, .. } if is_zero(a) => {
                (Op::Copy { to, a: zero }, varying.contains(&a))
            }
            Op::Unary { op, a, .. } => (Op::Unary { op, to, a: read(a) }, varying.contains(&a)),
            Op::Binary { op, a, b, .. } => {
                let new = match (op, is_zero(a), is_zero(b)) {
                    (BinOp::Mul, true, _) | (BinOp::Mul, _, true) | (BinOp::Div, true, false) => {
                        Op::Copy { to, a: zero }
                    }
                    (BinOp::Add, true, _) => Op::Copy { to, a: read(b) },
                    (BinOp::Add | BinOp::Sub, _, true) => Op::Copy { to, a: read(a) },
                    (BinOp::Sub, true, _) => Op::Unary { op: UnOp::Neg, to, a: b },
                    _ => Op::Binary { op, to, a: read(a), b: read(b) },
                };
                (new, varying.contains(&a) || varying.contains(&b))
            }
            _ => return None,
        };
        match new {
            Op::Copy { a, .. } if a == zero => known.insert(to),
            _ => known.remove(&to),
        };
        match varies {
            true => varying.insert(to),
            false => varying.remove(&to),
        };
        ops.push(new);
    }
    let mut wanted: BTreeSet<Slot> = results.iter().copied().collect();
    let mut kept: Vec<Op> = Vec::new();
    for op in ops.into_iter().rev() {
        let Some(to) = op.target() else { continue };
        if wanted.remove(&to) || !varying.contains(&to) {
            operands(&op, &mut |slot| {
                wanted.insert(slot);
            });
            kept.push(op);
        }
    }
    kept.reverse();
    Some(Tape::new(kept))
}

/// Takes operations out of a tape whose operands do not vary: they are done `before`, and their results are kept.
pub fn hoist(memory: &mut Memory, tape: &mut Tape, varying: &HashSet<Slot>, before: &mut Vec<Op>) {
    if tape.ops.iter().any(|op| plain_target(op).is_none()) {
        return;
    }
    let mut moved: BTreeMap<Slot, Slot> = BTreeMap::new();
    let mut computed: BTreeSet<Slot> = BTreeSet::new();
    let mut left = Vec::new();
    for mut op in std::mem::take(&mut tape.ops) {
        let Some(to) = op.target() else { continue };
        let plain = matches!(op, Op::Copy { .. } | Op::Unary { .. } | Op::Binary { .. });
        let mut held = memory.slots.is_scratch(to) && plain;
        operands(&op, &mut |slot| {
            held &= !(computed.contains(&slot) || varying.contains(&slot)) || moved.contains_key(&slot)
        });
        Tape::rename(&mut op, &mut |slot| moved.get(&slot).copied().unwrap_or(slot));
        match op {
            Op::Copy { a, .. } if held => {
                moved.insert(to, a);
            }
            _ if held => {
                let kept = memory.temporary();
                retarget(&mut op, kept);
                moved.insert(to, kept);
                before.push(op);
            }
            _ => {
                retarget(&mut op, to);
                moved.remove(&to);
                computed.insert(to);
                left.push(op);
            }
        }
    }
    tape.ops = left;
}

fn operands(op: &Op, visit: &mut dyn FnMut(Slot)) {
    match *op {
        Op::Copy { a, .. } | Op::Unary { a, .. } | Op::Function1 { a, .. } => visit(a),
        Op::Binary { a, b, .. } | Op::Function2 { a, b, .. } => {
            visit(a);
            visit(b);
        }
        _ => {}
    }
}

fn retarget(op: &mut Op, slot: Slot) {
    if let Op::Copy { to, .. } | Op::Unary { to, .. } | Op::Binary { to, .. } = op {
        *to = slot;
    }
    if let Op::Function1 { to, .. } | Op::Function2 { to, .. } = op {
        *to = slot;
    }
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
        let beside = Tape::new(tape.ops.iter().copied().chain([add(8, 2, 3)]).collect());
        let rest = besides(&beside, &tape, &[0]).expect("nothing reads what depends on it");
        assert_eq!(rest.ops, [&tape.ops[..4], &[add(7, 2, 2), add(8, 2, 3)]].concat());
        let beside = Tape::new(tape.ops.iter().copied().chain([add(8, 6, 3)]).collect());
        assert!(besides(&beside, &tape, &[0]).is_none());
    }

    #[test]
    fn at_zero_only_the_rest_is_left_and_what_stays_is_done_before() {
        let mut memory = Memory::default();
        let [x, i, g, v, k, result] = [(); 6].map(|()| memory.temporary());
        let [a, b, c, d] = [(); 4].map(|()| memory.slots.scratch());
        let op = |op, to, a, b| Op::Binary { op, to, a, b };
        // result = (i - x*g) - (v - x)*k
        let tape = Tape::new(vec![
            op(BinOp::Mul, a, x, g),
            op(BinOp::Sub, b, i, a),
            op(BinOp::Sub, c, v, x),
            op(BinOp::Mul, d, c, k),
            op(BinOp::Sub, result, b, d),
        ]);
        let mut first = at_zero(&mut memory, &tape, &[x], &[result]).expect("no jumps");
        let run = |memory: &Memory, ops: &[Op], values: &mut [f64]| {
            assert_eq!(values.len(), memory.slots.len());
            ops.iter().for_each(|op| assert!(crate::operation::step(*op, values, 0).is_some()));
        };
        let mut before = Vec::new();
        hoist(&mut memory, &mut first, &[x, i].into_iter().collect(), &mut before);
        assert_eq!((before.len(), first.ops.len()), (1, 2), "{before:?} {first:?}");
        let mut values = memory.slots.image.clone();
        for (slot, value) in [(x, 7.0), (i, 5.0), (g, 2.0), (v, 3.0), (k, 4.0)] {
            values[slot as usize] = value;
        }
        run(&memory, &before, &mut values);
        run(&memory, &first.ops, &mut values);
        assert_eq!(values[result as usize], 5.0 - 3.0 * 4.0);
    }
}
