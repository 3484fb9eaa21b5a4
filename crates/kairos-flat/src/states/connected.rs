//! Outputs of different states that are connected (MLS 17.3.6): one source, which is the output of the active state.

use super::merge::apart;
use super::{Machine, Made, States, previous};
use crate::expand::SCALARS;
use crate::incidence::Sets;
use kairos_base::Span;
use kairos_expr::{Node, VarId};
use kairos_model::{Equation, EquationKind};
use kairos_syntax::ast::Direction;
use std::collections::BTreeMap;

/// A set of connected variables.
#[derive(Default)]
struct Signal {
    /// Outputs of states, and what else is connected.
    sources: Vec<(usize, VarId)>,
    others: Vec<VarId>,
    equations: Vec<usize>,
}

/// Replaces connections between outputs of several states.
pub fn merge(made: &mut Made, equations: &mut Vec<Equation>, states: &States, machines: &[Machine]) {
    let mut sets = Sets::default();
    let mut nodes: BTreeMap<VarId, usize> = BTreeMap::new();
    let mut links = Vec::new();
    for (k, equation) in equations.iter().enumerate() {
        let EquationKind::Equal(a, b) = equation.kind else { continue };
        let store = &made.x.sema.store;
        let (Node::Var(a), Node::Var(b)) = (store.node(a), store.node(b)) else { continue };
        let around = states.around(equation.origin.path.as_str());
        let (a, b) = (*a, *b);
        let inside = |v: VarId| owner(made, states, v).is_some_and(|s| Some(s) == around);
        if inside(a) && inside(b) {
            continue;
        }
        let mut node = |v: VarId, sets: &mut Sets| *nodes.entry(v).or_insert_with(|| sets.add());
        let (p, q) = (node(a, &mut sets), node(b, &mut sets));
        sets.join(p, q);
        links.push((k, p));
    }
    let mut signals: BTreeMap<usize, Signal> = BTreeMap::new();
    for (&v, &node) in &nodes {
        let signal = signals.entry(sets.find(node)).or_default();
        match owner(made, states, v).filter(|_| is_output(made, v)) {
            Some(state) => signal.sources.push((state, v)),
            None => signal.others.push(v),
        }
    }
    for (k, node) in links {
        signals.entry(sets.find(node)).or_default().equations.push(k);
    }
    let mut gone = vec![false; equations.len()];
    for signal in signals.into_values().filter(|s| s.sources.len() > 1) {
        signal.equations.iter().for_each(|&k| gone[k] = true);
        let origin = equations[signal.equations[0]].origin;
        let places: Vec<(usize, Span)> = signal.sources.iter().map(|(s, _)| (*s, origin.span)).collect();
        let name = made.vars[(signal.sources[0].1.0 - SCALARS) as usize].name.clone();
        apart(made, states, machines, &name, &places);
        let Some((&first, rest)) = signal.others.split_first() else { continue };
        let now = made.value(first);
        let mut value = previous(made.x, now);
        for &(state, v) in signal.sources.iter().rev() {
            let (acts, says) = (made.value(states.list[state].active), made.value(v));
            value = made.x.sema.store.choose(acts, says, value);
        }
        equations.push(Equation { kind: EquationKind::Equal(now, value), origin, clock: None });
        for &other in rest {
            let kind = EquationKind::Equal(made.value(other), now);
            equations.push(Equation { kind, origin, clock: None });
        }
    }
    let mut gone = gone.into_iter();
    equations.retain(|_| !gone.next().unwrap_or(false));
}

fn owner(made: &Made, states: &States, v: VarId) -> Option<usize> {
    states.of_variable(&made.vars.get(v.0.checked_sub(SCALARS)? as usize)?.name)
}

fn is_output(made: &Made, v: VarId) -> bool {
    let scalars = &made.x.sema.scalars;
    let at = scalars.partition_point(|(first, _)| *first <= v);
    at.checked_sub(1).is_some_and(|k| {
        let mut comp = Some(scalars[k].1);
        // The direction of a connector is that of its variables.
        while let Some(c) = comp {
            if made.x.sema.comp(c).direction == Some(Direction::Output) {
                return true;
            }
            comp = made.x.sema.comp(c).parent.filter(|&p| made.x.sema.is_connector(p));
        }
        false
    })
}
