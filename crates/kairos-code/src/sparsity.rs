//! Which residuals of a system depend on which of its unknowns, and what can be made of it.

use crate::routine::Routines;
use crate::structure::colour;
use crate::tape::{Op, Slot, Tape};
use kairos_base::hash::HashMap;
use kairos_numerics::linear::Pattern;
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
    pub groups: Vec<Vec<u32>>,
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
    let columns: Vec<Vec<u32>> = (0..n).map(|column| pattern.column(column).to_vec()).collect();
    let groups = colour(&columns);
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
