//! Registers of a tape that hold nothing but small whole numbers and go round through a remainder.
//!
//! A generator of numbers such as `k = mod(a*pre(k) + c, 2^n)` waits for six operations on floating-point numbers in every
//! round; on integers it waits for three short ones.

use kairos_expr::{BinOp, Builtin};
use kairos_program::slots::Slots;
use kairos_program::tape::{Op, Slot};
use std::collections::{BTreeMap, BTreeSet};

/// Beyond it neighbours are more than one apart.
const LARGEST: i64 = 1 << 53;
/// Ranges that still grow after so many passes are taken for endless.
const PASSES: usize = 16;

/// What a whole number may be, from and to.
pub type Span = (i64, i64);

/// The registers that can be integers, with what they are in all rounds, of operations that stand at `first` of their tape.
/// Where an operation at the entry copies one from memory, its number must be one of them, too.
pub fn wholes(
    ops: &[Op],
    first: usize,
    slots: &Slots,
    is_register: impl Fn(Slot) -> bool,
) -> BTreeMap<Slot, Span> {
    let is_remainder = |op: &Op| matches!(op, Op::Function2 { f: Builtin::Mod, .. });
    if !ops.iter().any(is_remainder) {
        return BTreeMap::new();
    }
    let entry = entry(ops, first, &is_register);
    let mut found: BTreeSet<Slot> = ops.iter().filter_map(Op::target).filter(|&to| is_register(to)).collect();
    loop {
        let before = found.len();
        for (at, op) in ops.iter().enumerate() {
            if let Some(to) = op.target()
                && !may_be_whole(op, at < entry, slots, &found)
            {
                found.remove(&to);
            }
        }
        if found.len() == before {
            break;
        }
    }
    // What a remainder comes from and what comes of it.
    let edges = |turned: bool| -> Vec<(Slot, Slot)> {
        let made = ops.iter().filter_map(|op| op.target().filter(|to| found.contains(to)).map(|to| (op, to)));
        let pairs = made.flat_map(|(op, to)| inputs(op).into_iter().flatten().map(move |a| (a, to)));
        pairs
            .filter(|(a, _)| found.contains(a))
            .map(|(a, to)| if turned { (to, a) } else { (a, to) })
            .collect()
    };
    let remainders: BTreeSet<Slot> =
        ops.iter().filter(|op| is_remainder(op)).filter_map(Op::target).collect();
    let mut kept = BTreeMap::new();
    for &remainder in remainders.iter().filter(|slot| found.contains(slot)) {
        if reached(&edges(false), remainder).contains(&remainder) {
            // All that goes into it: what others have in common with that is the same for them.
            let from = reached(&edges(true), remainder);
            kept.extend(spans(ops, slots, &from).unwrap_or_default());
        }
    }
    kept
}

/// The operations before the first jump, the first place to which one leads, and the first write to memory.
fn entry(ops: &[Op], first: usize, is_register: &impl Fn(Slot) -> bool) -> usize {
    let targets = ops.iter().filter_map(|op| match op {
        Op::Jump { target } | Op::JumpUnless { target, .. } => Some((*target as usize).saturating_sub(first)),
        _ => None,
    });
    let straight = ops.iter().take_while(|op| op.target().is_some_and(is_register)).count();
    targets.fold(straight, usize::min)
}

fn inputs(op: &Op) -> [Option<Slot>; 2] {
    match *op {
        Op::Copy { a, .. } => [Some(a), None],
        Op::Binary { a, b, .. } => [Some(a), Some(b)],
        Op::Function2 { a, .. } => [Some(a), None],
        _ => [None, None],
    }
}

fn may_be_whole(op: &Op, first: bool, slots: &Slots, found: &BTreeSet<Slot>) -> bool {
    let whole = |slot: Slot| found.contains(&slot) || constant(slots, slot).is_some();
    match *op {
        Op::Copy { a, .. } => whole(a) || first && slots.value(a).is_none(),
        Op::Binary { op, a, b, .. } => {
            matches!(op.scalar(), BinOp::Add | BinOp::Sub | BinOp::Mul) && whole(a) && whole(b)
        }
        Op::Function2 { f: Builtin::Mod, a, b, .. } => whole(a) && mask(slots, b).is_some(),
        _ => false,
    }
}

/// The whole number that a constant is; not a zero with a sign.
pub fn constant(slots: &Slots, slot: Slot) -> Option<i64> {
    let value = slots.value(slot)?;
    let whole = value as i64;
    (whole.abs() < LARGEST && (whole as f64).to_bits() == value.to_bits()).then_some(whole)
}

/// The digits that a remainder keeps, if it is that by a power of two.
pub fn mask(slots: &Slots, slot: Slot) -> Option<i64> {
    constant(slots, slot).filter(|whole| *whole > 0 && whole & (whole - 1) == 0).map(|whole| whole - 1)
}

fn reached(edges: &[(Slot, Slot)], from: Slot) -> BTreeSet<Slot> {
    let (mut seen, mut stack) = (BTreeSet::new(), vec![from]);
    while let Some(slot) = stack.pop() {
        for &(_, to) in edges.iter().filter(|(a, _)| *a == slot) {
            if seen.insert(to) {
                stack.push(to);
            }
        }
    }
    seen
}

/// What the registers are if all begin with zero; none if one grows without end, or may be a zero with a sign.
fn spans(ops: &[Op], slots: &Slots, kept: &BTreeSet<Slot>) -> Option<BTreeMap<Slot, Span>> {
    let mut spans: BTreeMap<Slot, Span> = kept.iter().map(|&slot| (slot, (0, 0))).collect();
    for _ in 0..PASSES {
        let before = spans.clone();
        for op in ops {
            let Some(to) = op.target().filter(|to| kept.contains(to)) else { continue };
            // A copy from elsewhere has to be within the range that the others make.
            let [a, b] = inputs(op).map(|slot| slot.and_then(|slot| span(slots, &spans, slot)));
            let Some(made) = a.map(|a| result(op, slots, a, b)) else { continue };
            let made = made?;
            let own = spans[&to];
            spans.insert(to, (own.0.min(made.0), own.1.max(made.1)));
        }
        if spans == before {
            return Some(spans);
        }
    }
    None
}

fn span(slots: &Slots, spans: &BTreeMap<Slot, Span>, slot: Slot) -> Option<Span> {
    spans.get(&slot).copied().or_else(|| constant(slots, slot).map(|whole| (whole, whole)))
}

fn result(op: &Op, slots: &Slots, a: Span, b: Option<Span>) -> Option<Span> {
    let made = match (*op, b) {
        (Op::Copy { .. }, _) => a,
        (Op::Function2 { b, .. }, _) => {
            let mask = mask(slots, b)?;
            if a.0 >= 0 && a.1 <= mask { a } else { (0, mask) }
        }
        (Op::Binary { op, .. }, Some(b)) => match op.scalar() {
            BinOp::Add => (a.0 + b.0, a.1 + b.1),
            BinOp::Sub => (a.0 - b.1, a.1 - b.0),
            // The product of zero and a negative number has a sign.
            BinOp::Mul if a.0 >= 0 && b.0 >= 0 => (a.0.checked_mul(b.0)?, a.1.checked_mul(b.1)?),
            _ => return None,
        },
        _ => return None,
    };
    (made.0 > -LARGEST && made.1 < LARGEST).then_some(made)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `k = mod(pre(k)*1103 + 12345, modulus)`, copied in, gone round and copied out; a number beside it is halved.
    fn generator(modulus: f64) -> BTreeMap<Slot, Span> {
        let mut slots = Slots::default();
        let [factor, summand, half, modulus] =
            [1103.0, 12345.0, 0.5, modulus].map(|value| slots.constant(value));
        let place = slots.temporary();
        let [before, product, sum, now, beside] = [(); 5].map(|()| slots.scratch());
        assert_eq!([before, product, sum, now, beside].map(|slot| slot - before), [0, 1, 2, 3, 4]);
        let ops = [
            Op::Copy { to: before, a: place },
            Op::Copy { to: beside, a: place },
            Op::Binary { op: BinOp::Mul, to: product, a: before, b: factor },
            Op::Binary { op: BinOp::Add, to: sum, a: product, b: summand },
            Op::Function2 { f: Builtin::Mod, to: now, a: sum, b: modulus },
            Op::Binary { op: BinOp::Mul, to: beside, a: beside, b: half },
            Op::Copy { to: before, a: now },
            Op::Jump { target: 2 },
            Op::Copy { to: place, a: now },
        ];
        let found = wholes(&ops, 0, &slots, |slot| slots.is_scratch(slot));
        found.into_iter().map(|(slot, span)| (slot - before, span)).collect()
    }

    #[test]
    fn a_remainder_by_a_power_of_two_bounds_what_goes_round() {
        let largest = 65535;
        let expected = [
            (0, (0, largest)),
            (1, (0, largest * 1103)),
            (2, (0, largest * 1103 + 12345)),
            (3, (0, largest)),
        ];
        assert_eq!(generator(65536.0), BTreeMap::from(expected));
    }

    #[test]
    fn other_remainders_and_numbers_too_large_stay_as_they_are() {
        assert!(generator(1000.0).is_empty());
        // The product would have more digits than a floating-point number keeps.
        assert!(generator((1_u64 << 44) as f64).is_empty());
    }
}
