//! Which residuals of a system depend on which of its unknowns, and what can be made of it.

use crate::routine::Routines;
use crate::tape::{Op, Slot, Tape};
use kairos_base::hash::HashMap;
use kairos_numerics::linear::{Colouring, Pattern};
use std::rc::Rc;

/// Smaller systems gain nothing.
const SMALLEST: usize = 4;
/// From so many unknowns on factors are sparse, if no more than this part of the matrix is filled.
const LARGE: usize = 48;
const FILLED: f64 = 0.2;
/// Where more has to be noted than this, a system is as good as full.
const MOST: usize = 20_000_000;

/// The entries of a Jacobian.
#[derive(Clone, Debug)]
pub struct Sparsity {
    pub pattern: Pattern,
    /// Columns that one tangent gives together.
    pub groups: Colouring,
    /// So few entries that their factors should be sparse, too.
    pub is_sparse: bool,
}

/// Ascending numbers of unknowns.
type Set = Rc<Vec<u32>>;

/// Follows the unknowns through a tape; nothing where they reach all residuals, or where they cannot be followed.
pub fn sparsity(routines: &Routines, tape: &Tape, unknowns: &[Slot], residuals: &[Slot]) -> Option<Sparsity> {
    let n = unknowns.len();
    if n < SMALLEST {
        return None;
    }
    let sets = dependences(routines, tape, unknowns)?;
    let mut entries = Vec::new();
    for (row, slot) in residuals.iter().enumerate() {
        entries.extend(sets.get(slot).into_iter().flat_map(|set| set.iter().map(|&k| (row as u32, k))));
    }
    let pattern = Pattern::from_entries(n, &entries);
    let groups = Colouring::new(pattern.lists());
    let is_sparse = n >= LARGE && (pattern.len() as f64) < FILLED * (n * n) as f64;
    (groups.len() < n || is_sparse).then_some(Sparsity { pattern, groups, is_sparse })
}

fn dependences(routines: &Routines, tape: &Tape, unknowns: &[Slot]) -> Option<HashMap<Slot, Set>> {
    let mut sets: HashMap<Slot, Set> = HashMap::default();
    sets.extend(unknowns.iter().zip(0..).map(|(&slot, k)| (slot, Rc::new(vec![k]))));
    let (mut noted, mut branch_ends) = (0, 0);
    for (at, op) in tape.ops.iter().enumerate() {
        // What is computed in a branch only may also be what it was before.
        let conditional = at < branch_ends;
        let mut put = |sets: &mut HashMap<Slot, Set>, to: Slot, from: &[Slot]| {
            let before = conditional.then_some(to);
            let set = union(sets, from.iter().copied().chain(before));
            noted += set.as_ref().map_or(0, |set| set.len());
            match set {
                Some(set) => drop(sets.insert(to, set)),
                None => drop(sets.remove(&to)),
            }
        };
        match *op {
            Op::Copy { to, a } | Op::Unary { to, a, .. } | Op::Function1 { to, a, .. } => {
                put(&mut sets, to, &[a]);
            }
            Op::Binary { to, a, b, .. } | Op::Function2 { to, a, b, .. } => put(&mut sets, to, &[a, b]),
            Op::Jump { target } | Op::JumpUnless { target, .. } => {
                if target as usize <= at {
                    return None;
                }
                branch_ends = branch_ends.max(target as usize);
            }
            Op::Invoke { site } => {
                let invocation = &routines.invocations[site as usize];
                for &output in &invocation.outputs {
                    put(&mut sets, output, &invocation.arguments);
                }
            }
            Op::Check { .. } | Op::Require { .. } | Op::GiveUp => {}
            Op::Load { .. } | Op::Store { .. } => return None,
            Op::Call { .. } | Op::CallTangent { .. } | Op::Evaluate { .. } => return None,
            Op::Delay { .. } | Op::Transport { .. } => return None,
        }
        if noted > MOST {
            return None;
        }
    }
    Some(sets)
}

/// All unknowns that any of the slots depends on.
fn union(sets: &HashMap<Slot, Set>, slots: impl Iterator<Item = Slot>) -> Option<Set> {
    let mut all: Option<Set> = None;
    for set in slots.filter_map(|slot| sets.get(&slot)) {
        all = Some(match all {
            None => set.clone(),
            Some(known) if Rc::ptr_eq(&known, set) => known,
            Some(known) => {
                let mut both: Vec<u32> = known.iter().chain(set.iter()).copied().collect();
                both.sort_unstable();
                both.dedup();
                Rc::new(both)
            }
        });
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use kairos_expr::BinOp;

    fn copy(to: Slot, a: Slot) -> Op {
        Op::Copy { to, a }
    }

    fn add(to: Slot, a: Slot, b: Slot) -> Op {
        Op::Binary { op: BinOp::Add, to, a, b }
    }

    /// The rows of each column: unknowns are the slots from 0, residuals those from 10, 20 is known.
    fn columns(ops: Vec<Op>) -> Option<Vec<Vec<u32>>> {
        let unknowns: Vec<Slot> = (0..5).collect();
        let residuals: Vec<Slot> = (10..15).collect();
        let found = sparsity(&Routines::default(), &Tape::new(ops), &unknowns, &residuals)?;
        Some(found.pattern.lists().map(<[u32]>::to_vec).collect())
    }

    #[test]
    fn a_value_from_branches_depends_on_what_any_of_them_reads() {
        let ops = vec![
            // What stood there before the branches is of no interest: both overwrite it.
            add(30, 3, 4),
            copy(30, 20),
            Op::JumpUnless { condition: 20, target: 5 },
            copy(30, 0),
            Op::Jump { target: 6 },
            copy(30, 1),
            // After them a slot is what was last written to it again.
            copy(10, 30),
            copy(30, 2),
            add(11, 30, 20),
            copy(12, 3),
            copy(13, 20),
            add(14, 4, 12),
        ];
        assert_eq!(columns(ops).unwrap(), [vec![0], vec![0], vec![1], vec![2, 4], vec![4]]);
    }

    #[test]
    fn a_branch_without_an_alternative_may_leave_a_value_as_it_was() {
        let ops = vec![
            add(10, 0, 1),
            Op::JumpUnless { condition: 20, target: 5 },
            copy(10, 2),
            // An inner branch ends with the outer one; nothing is forgotten within.
            Op::JumpUnless { condition: 20, target: 5 },
            copy(10, 20),
            copy(11, 3),
            copy(14, 4),
        ];
        assert_eq!(columns(ops).unwrap(), [vec![0], vec![0], vec![0], vec![1], vec![4]]);
    }

    #[test]
    fn loops_and_indexed_values_are_not_followed() {
        assert!(columns(vec![copy(10, 0), Op::Jump { target: 0 }]).is_none());
        assert!(columns(vec![copy(10, 0), Op::Load { to: 11, base: 0, index: 20 }]).is_none());
        // Where all depends on all, there is nothing to know.
        let full = (0..5).flat_map(|row| (0..5).map(move |k| add(10 + row, 10 + row, k))).collect();
        assert!(columns(full).is_none());
    }
}
