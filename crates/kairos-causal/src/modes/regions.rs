//! Parts of the continuous system whose structure is decided by conditions of their own.

use super::conditions::fix;
use super::regular;
use super::stepping::Constraints;
use crate::index::{Structure, structure};
use crate::work::Work;
use kairos_expr::VarId;
use kairos_graph::{Chains, Incidence, Matching, UnionFind, chains, pantelides, serves};
use std::collections::BTreeMap;

/// Rows and variables that belong together.
#[derive(Clone, Debug, Default)]
pub(super) struct Part {
    pub rows: Vec<usize>,
    /// Determined by these rows alone.
    pub owned: Vec<VarId>,
    /// Determined by the rows, but by time and parameters only: others may compute them as well.
    pub shared: Vec<VarId>,
    /// Conditions in the rows.
    pub conditions: Vec<usize>,
    /// Its equations may be dependent for the values of the parameters.
    pub numeric: bool,
}

/// Conditions of one part up to this number are tried in all combinations.
const EXHAUSTIVE: usize = 8;
/// So many combinations are examined with the values of their factors.
const EXAMINED: usize = 64;
/// Of more, so many combinations are drawn.
const SAMPLES: usize = 48;

/// The parts that read conditions or have constraints that step at events, or, if `all`, every part with constraints
/// between states.
pub(super) fn find(work: &mut Work, of_row: &[Vec<usize>], stepping: &Constraints, all: bool) -> Vec<Part> {
    let Structure { vars, rows, incidence, derivative, .. } = structure(work);
    let Chains { count: chains, of: chain_of, .. } = chains(&derivative);
    let graph = Incidence::from_rows(
        chains,
        incidence.iter().map(|row| {
            let mut row: Vec<u32> = row.iter().map(|&c| chain_of[c as usize]).collect();
            row.sort_unstable();
            row.dedup();
            row
        }),
    );
    let matching = Matching::maximum(&graph);
    if !matching.is_perfect(&graph) {
        return Vec::new();
    }
    let giver = |chain: u32| matching.row_of(chain).map_or(usize::MAX, |r| r as usize);
    let mut dynamic_chain = vec![false; chains];
    for (v, d) in derivative.iter().enumerate() {
        dynamic_chain[chain_of[v] as usize] |= d.is_some();
    }

    // Everything that the conditional rows depend on.
    let seed = |r: usize| all || stepping.steps(rows[r]) || !of_row[rows[r]].is_empty();
    let mut wanted: Vec<bool> = (0..rows.len()).map(seed).collect();
    let mut stack: Vec<usize> = (0..rows.len()).filter(|&r| wanted[r]).collect();
    while let Some(r) = stack.pop() {
        for &c in graph.row(r as u32) {
            let from = giver(c);
            if from != usize::MAX && !std::mem::replace(&mut wanted[from], true) {
                stack.push(from);
            }
        }
    }
    // What states or conditions reach is dynamic; the rest is a matter of time and parameters alone.
    let mut dynamic = vec![false; rows.len()];
    let mut readers: Vec<Vec<usize>> = vec![Vec::new(); rows.len()];
    for r in 0..rows.len() {
        for &c in graph.row(r as u32) {
            if giver(c) != usize::MAX {
                readers[giver(c)].push(r);
            }
            dynamic[r] |= dynamic_chain[c as usize];
        }
        dynamic[r] |= seed(r);
    }
    let mut stack: Vec<usize> = (0..rows.len()).filter(|&r| dynamic[r]).collect();
    while let Some(r) = stack.pop() {
        for &next in &readers[r] {
            if !std::mem::replace(&mut dynamic[next], true) {
                stack.push(next);
            }
        }
    }
    let mut sets = UnionFind::new(rows.len());
    for r in (0..rows.len()).filter(|&r| wanted[r]) {
        for &c in graph.row(r as u32) {
            if giver(c) != usize::MAX && dynamic[giver(c)] {
                sets.union(r as u32, giver(c) as u32);
            }
        }
    }
    let mut members: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for r in (0..rows.len()).filter(|&r| wanted[r] && dynamic[r]) {
        members.entry(sets.find(r as u32)).or_default().push(r);
    }
    let mut of_chain: Vec<Vec<VarId>> = vec![Vec::new(); chains];
    vars.iter().enumerate().for_each(|(v, &var)| of_chain[chain_of[v] as usize].push(var));
    let mut parts = Vec::new();
    for list in members.into_values() {
        let mut part = Part::default();
        let mut inside: Vec<bool> = vec![false; rows.len()];
        let mut stack = list;
        stack.iter().for_each(|&r| inside[r] = true);
        while let Some(r) = stack.pop() {
            part.rows.push(rows[r]);
            part.conditions.extend(&of_row[rows[r]]);
            if let Some(c) = matching.column_of(r as u32) {
                let owner = if dynamic[r] { &mut part.owned } else { &mut part.shared };
                owner.extend(&of_chain[c as usize]);
            }
            for &c in graph.row(r as u32) {
                let from = giver(c);
                if from != usize::MAX && !std::mem::replace(&mut inside[from], true) {
                    stack.push(from);
                }
            }
        }
        part.rows.sort_unstable();
        part.owned.sort_unstable();
        part.shared.sort_unstable();
        part.conditions.sort_unstable();
        part.conditions.dedup();
        parts.push(part);
    }
    parts
}

/// Does the structure of the part depend on the values of its conditions? The part stands alone in `work`.
///
/// It does not if the differentiations for all branches together serve each mode; a mode may need fewer by itself.
pub(super) fn changes(work: &Work, conditions: &[VarId], numeric: &mut bool) -> bool {
    let fixed = |values: Option<&[bool]>| {
        let mut trial = work.clone();
        let value = |v: VarId| Some(values?[conditions.iter().position(|&c| c == v)?]);
        fix(&mut trial.store, &mut trial.rows, value);
        let Structure { incidence, derivative, .. } = structure(&mut trial);
        (trial, incidence, derivative)
    };
    let (_, all, derivative) = fixed(None);
    let union = pantelides(&all, &derivative).ok().map(|r| r.differentiations);
    let mut examined = if has_derivatives(work) { EXAMINED } else { 0 };
    for values in valuations(conditions.len()) {
        let (mut trial, incidence, derivative) = fixed(Some(&values));
        let solvable = pantelides(&incidence, &derivative).is_ok();
        let same = match &union {
            Some(union) => serves(&all, &incidence, &derivative, union),
            None => !solvable,
        };
        // A mode without solution may be one that never comes; with a single condition it is sure to be meant.
        if !same && (solvable || conditions.len() == 1) {
            return true;
        }
        if examined > 0 && solvable && regular::hides_constraint(&mut trial) {
            *numeric = true;
            return true;
        }
        examined = examined.saturating_sub(1);
    }
    false
}

/// Does the part move by itself?
fn has_derivatives(work: &Work) -> bool {
    work.der.iter().any(Option::is_some)
}

/// All combinations of a few conditions; of many, those that differ from all-false or all-true in at most one, and some
/// from all over the range: parts that work in pairs, as the diodes of a bridge, have a structure in neither.
fn valuations(count: usize) -> Vec<Vec<bool>> {
    if count <= EXHAUSTIVE {
        return (0..1usize << count).map(|code| (0..count).map(|k| code >> k & 1 == 1).collect()).collect();
    }
    let mut list = Vec::new();
    for base in [false, true] {
        list.push(vec![base; count]);
        for a in 0..count {
            let mut one = vec![base; count];
            one[a] = !base;
            list.push(one);
        }
    }
    let mut seed = 1u64;
    for _ in 0..SAMPLES {
        list.push((0..count).map(|_| draw(&mut seed)).collect());
    }
    list
}

/// A linear congruential generator: the same model has the same modes in every run.
fn draw(seed: &mut u64) -> bool {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *seed >> 63 == 1
}
