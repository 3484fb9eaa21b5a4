//! Long tapes in pieces: the time of the register allocator grows faster than its input.

use crate::rolling::{Repetition, repetitions};
use kairos_program::slots::Slots;
use kairos_program::tape::Op;
use std::ops::Range;

/// How many operations go into one native function.
const LENGTH: usize = 600;

/// A part of a tape that becomes a function.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    Straight(Range<usize>),
    Loop(Repetition),
}

/// Pieces that no jump enters or leaves.
pub fn pieces(ops: &[Op], slots: &Slots) -> Vec<Piece> {
    let cuts = cuts(ops);
    let mut out = Vec::new();
    let mut at = 0;
    for repetition in repetitions(ops, &cuts, slots) {
        straight(at..repetition.first.start, &cuts, &mut out);
        at = repetition.end();
        out.push(Piece::Loop(repetition));
    }
    straight(at..ops.len(), &cuts, &mut out);
    out
}

/// Before which operations no jump passes.
fn cuts(ops: &[Op]) -> Vec<bool> {
    // How many jumps pass over each position, as differences.
    let mut over = vec![0i32; ops.len() + 2];
    for (at, op) in ops.iter().enumerate() {
        if let Op::Jump { target } | Op::JumpUnless { target, .. } = op {
            let target = *target as usize;
            // A cut at its target leaves a jump forward inside: it goes to the end of the piece.
            let (first, end) = if target > at { (at + 1, target) } else { (target + 1, at + 1) };
            over[first] += 1;
            over[end] -= 1;
        }
    }
    let mut open = 0;
    over[..ops.len()]
        .iter()
        .map(|over| {
            open += over;
            open == 0
        })
        .collect()
}

fn straight(range: Range<usize>, cuts: &[bool], out: &mut Vec<Piece>) {
    let mut start = range.start;
    for at in range.clone() {
        if cuts[at] && at - start >= LENGTH {
            out.push(Piece::Straight(start..at));
            start = at;
        }
    }
    if start < range.end {
        out.push(Piece::Straight(start..range.end));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jumps_stay_inside() {
        let copy = Op::Copy { to: 0, a: 1 };
        let mut ops = vec![copy; 3000];
        ops[500] = Op::Jump { target: 1400 };
        ops[2000] = Op::Jump { target: 1900 };
        ops[2100] = Op::JumpUnless { condition: 0, target: 2800 };
        let mut parts = Vec::new();
        straight(0..ops.len(), &cuts(&ops), &mut parts);
        let parts: Vec<Range<usize>> = parts
            .into_iter()
            .map(|part| match part {
                Piece::Straight(range) => range,
                Piece::Loop(_) => unreachable!("nothing was looked for"),
            })
            .collect();
        assert_eq!(parts.iter().map(|p| p.len()).sum::<usize>(), ops.len());
        for (at, op) in ops.iter().enumerate() {
            if let Op::Jump { target } | Op::JumpUnless { target, .. } = op {
                let own = parts.iter().find(|p| p.contains(&at)).expect("every operation is in a part");
                assert!(*target as usize >= own.start && *target as usize <= own.end);
            }
        }
        assert!(parts.len() > 2);
    }
}
