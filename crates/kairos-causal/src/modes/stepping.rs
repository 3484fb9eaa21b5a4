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
use kairos_expr::{ExprId, Node, VarId};
use kairos_graph::UnionFind;
use std::collections::BTreeSet;

/// The constraints of a model, by its rows.
#[derive(Default)]
pub(super) struct Constraints {
    /// Rows that are differentiated.
    differentiated: Vec<bool>,
    /// Those that belong to a constraint with something discrete in it.
    stepping: Vec<bool>,
}

impl Constraints {
    pub fn steps(&self, row: usize) -> bool {
        self.stepping.get(row) == Some(&true)
    }

    pub fn some_step(&self) -> bool {
        self.stepping.contains(&true)
    }

    /// Does a constraint outside of these rows read one of these variables? Then they cannot be taken out of the model: it
    /// has to know their derivatives.
    pub fn tie(&self, work: &Work, rows: &[usize], owned: &[VarId]) -> bool {
        let outside = (0..self.differentiated.len()).filter(|r| self.differentiated[*r] && !rows.contains(r));
        let sides: Vec<ExprId> = outside.flat_map(|r| [work.rows[r].lhs, work.rows[r].rhs]).collect();
        work.store.variables(&sides).iter().any(|v| owned.binary_search(v).is_ok())
    }
}

/// Finds the constraints with something discrete in them. A constraint consists of all rows that are differentiated
/// together: `u1 + u2 = e` with `e = if time < 1 then 0 else 6`.
pub(super) fn find(work: &mut Work) -> Constraints {
    let mut list =
        Constraints { differentiated: vec![false; work.rows.len()], stepping: vec![false; work.rows.len()] };
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
        list.differentiated[rows[r]] = true;
        list.stepping[rows[r]] = groups.contains(&together.find(r as u32));
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

/// Does a row read something of these roles, a relation of time, or a choice between constants? Constraints are taken for
/// continuous where they branch on what they constrain and the branches move (`if x < 1 then x else 1`), and where something
/// discrete is an argument of a function, as the phase of a medium is.
fn reads(work: &Work, row: &Row, wanted: impl Fn(Role) -> bool) -> bool {
    let called = |e: ExprId| matches!(work.store.node(e), Node::Call(..));
    work.store.post_order(&[row.lhs, row.rhs], called).into_iter().any(|e| match *work.store.node(e) {
        Node::Relation(r) => work.relations.get(r.index()).is_some_and(|r| r.time.is_some()),
        Node::Var(v) => wanted(work.roles[v.index()]),
        Node::If(c, a, b) => a != b && raises_event(work, c) && [a, b].iter().all(|&e| stands_still(work, e)),
        _ => false,
    })
}

/// Does a condition change at events? Under `noEvent` nobody notices that it does.
fn raises_event(work: &Work, condition: ExprId) -> bool {
    work.store.any(condition, |node| matches!(node, Node::Relation(_)))
}

/// A number that only parameters enter.
fn stands_still(work: &Work, e: ExprId) -> bool {
    let fixed = |v: &VarId| matches!(work.roles[v.index()], Role::Parameter | Role::FreeParameter);
    work.store.variables(&[e]).iter().all(fixed) && !work.store.any(e, |node| matches!(node, Node::Time))
}
