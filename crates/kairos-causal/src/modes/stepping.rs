//! Constraints between differentiated variables that contain discrete terms.
//!
//! Where such a term changes at an event, the values of the left limit violate the constraint of the right limit, or one
//! that is hidden in it, although the structure stays the same: a source steps in a loop of capacitors, the ratio of a
//! gear changes. What jumps then, and by how much, follows from the equations integrated over the instant, as on the way
//! into another mode. Therefore the part of the model with such a constraint is a region, even without conditions.

use super::levels::Levels;
use crate::index::{Structure, structure};
use crate::model::Role;
use crate::work::{Row, Work};
use kairos_expr::Node;
use kairos_graph::UnionFind;
use std::collections::BTreeSet;

/// For each row: is it a constraint with something discrete in it? A constraint consists of all rows that are
/// differentiated together: `u1 + u2 = e` with `e = if time < 1 then 0 else 6`.
pub(super) fn find(work: &mut Work) -> Vec<bool> {
    let mut list = vec![false; work.rows.len()];
    let Structure { rows, incidence, derivative, .. } = structure(work);
    if derivative.iter().all(Option::is_none) {
        return list;
    }
    let Ok(reduction) = kairos_graph::pantelides(&incidence, &derivative) else { return list };
    let differentiated: Vec<usize> = (0..rows.len()).filter(|&r| reduction.differentiations[r] > 0).collect();
    let chains = kairos_graph::chains(&derivative);
    let mut together = UnionFind::new(rows.len());
    let mut first: Vec<Option<u32>> = vec![None; chains.count];
    for &r in &differentiated {
        for &v in &incidence[r] {
            let known = first[chains.of[v as usize] as usize].get_or_insert(r as u32);
            together.union(*known, r as u32);
        }
    }
    let discrete = |role| matches!(role, Role::Discrete | Role::Helper | Role::Pre(_) | Role::Sampler(_));
    let steps = |r: &usize| reads(work, &work.rows[rows[*r]], discrete);
    let groups: BTreeSet<u32> =
        differentiated.iter().copied().filter(steps).map(|r| together.find(r as u32)).collect();
    for r in differentiated {
        list[rows[r]] = groups.contains(&together.find(r as u32));
    }
    list
}

/// Does the part, which stands alone in `work`, have motions that its constraints leave free? Otherwise nothing is
/// conserved: all values follow from the constraints.
pub(super) fn conserves(work: &Work) -> bool {
    let mut trial = work.clone();
    let Structure { incidence, derivative, .. } = structure(&mut trial);
    let Ok(reduction) = kairos_graph::pantelides(&incidence, &derivative) else { return false };
    let differentiations: u32 = reduction.differentiations.iter().sum();
    let derivatives = reduction.variable_derivative.iter().flatten().count();
    derivatives > differentiations as usize
}

/// Do constraints of a mode contain what its region knows from outside and only events change?
pub(super) fn stirred(work: &Work, levels: &Levels) -> bool {
    let mut constraints = levels.rows.iter().filter(|list| list.len() > 1);
    constraints.any(|list| reads(work, &work.rows[list[0]], |role| role == Role::FreeParameter))
}

fn reads(work: &Work, row: &Row, wanted: impl Fn(Role) -> bool) -> bool {
    work.store.post_order(&[row.lhs, row.rhs], |_| false).into_iter().any(|e| match *work.store.node(e) {
        Node::Relation(_) => true,
        Node::Var(v) => wanted(work.roles[v.index()]),
        _ => false,
    })
}
