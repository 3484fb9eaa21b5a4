//! Long tapes in pieces: the time of the register allocator grows faster than its input.

use kairos_code::tape::Op;
use std::ops::Range;

/// How many operations go into one native function.
const LENGTH: usize = 600;

/// Ranges of operations that no jump enters or leaves.
pub fn chunks(ops: &[Op]) -> Vec<Range<usize>> {
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
    let mut out = Vec::new();
    let (mut start, mut open) = (0, 0);
    for at in 0..ops.len() {
        open += over[at];
        if open == 0 && at - start >= LENGTH {
            out.push(start..at);
            start = at;
        }
    }
    if start < ops.len() {
        out.push(start..ops.len());
    }
    out
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
        let parts = chunks(&ops);
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
