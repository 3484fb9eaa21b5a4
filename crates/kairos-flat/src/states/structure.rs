//! Machines from transitions: states that are connected, their numbers, and what is wrong with them.

use super::{Arrow, Machine, Made, State, States};
use crate::diagnostics;
use crate::incidence::Sets;
use kairos_base::Span;
use kairos_expr::{ExprId, Scalar, Value};
use kairos_sema::{CompId, StateMachines};

/// All states and machines; machines that contain others come first.
pub fn find(made: &mut Made, said: &StateMachines) -> (States, Vec<Machine>) {
    let mut comps: Vec<CompId> = Vec::new();
    let mut spans: Vec<Span> = Vec::new();
    let ends = said.transitions.iter().flat_map(|t| [(t.from, t.span), (t.to, t.span)]);
    for (comp, span) in said.initial.iter().copied().chain(ends) {
        if !comps.contains(&comp) {
            comps.push(comp);
            spans.push(span);
        }
    }
    let position = |comp: CompId| comps.iter().position(|&c| c == comp).unwrap_or(usize::MAX);
    let mut sets = Sets::default();
    comps.iter().for_each(|_| {
        sets.add();
    });
    for t in &said.transitions {
        sets.join(position(t.from), position(t.to));
    }
    let mut list: Vec<State> = Vec::new();
    for &comp in &comps {
        let path = made.x.sema.comp_path(comp);
        let active = made.variable(format!("$active({path})"), Scalar::Bool, None);
        let reset = made.variable(format!("$reset({path})"), Scalar::Bool, None);
        list.push(State { path, comp, machine: 0, number: 0, active, reset });
    }
    let mut roots: Vec<usize> = Vec::new();
    for s in 0..comps.len() {
        let root = sets.find(s);
        if !roots.contains(&root) {
            roots.push(root);
        }
    }
    let mut machines: Vec<Machine> = Vec::new();
    // A machine inside of a state has states with longer paths than that one.
    roots.sort_by_key(|&root| list[root].path.len());
    for root in roots {
        let mut members: Vec<usize> = (0..comps.len()).filter(|&s| sets.find(s) == root).collect();
        initial_first(made, said, &comps, &mut members, spans[root]);
        for (k, &s) in members.iter().enumerate() {
            (list[s].machine, list[s].number) = (machines.len(), k as i64 + 1);
        }
        let transitions = arrows(made, said, &|comp| list[position(comp)].number, &|comp| {
            members.contains(&position(comp))
        });
        machines.push(Machine { states: members, transitions, around: None, span: spans[root] });
    }
    let states = States { list, leader: Vec::new() };
    for machine in &mut machines {
        let path = &states.list[machine.states[0]].path;
        machine.around = path.rsplit_once('.').and_then(|(parent, _)| states.around(parent));
    }
    (states, machines)
}

/// MLS 17.1: one and only one state of each machine is its initial state.
fn initial_first(made: &mut Made, said: &StateMachines, comps: &[CompId], members: &mut [usize], span: Span) {
    let marks: Vec<(usize, Span)> = (members.iter().enumerate())
        .flat_map(|(at, &s)| {
            said.initial.iter().filter(move |(c, _)| *c == comps[s]).map(move |(_, span)| (at, *span))
        })
        .collect();
    match marks.as_slice() {
        [] => made.x.diagnostics.push(diagnostics::no_initial_state(span)),
        [(at, _)] => members[..=*at].rotate_right(1),
        [(_, first), (_, second), ..] => {
            made.x.diagnostics.push(diagnostics::two_initial_states(*second, *first));
        }
    }
}

fn arrows(
    made: &mut Made,
    said: &StateMachines,
    number: &dyn Fn(CompId) -> i64,
    mine: &dyn Fn(CompId) -> bool,
) -> Vec<Arrow> {
    let mut arrows: Vec<Arrow> = Vec::new();
    for t in said.transitions.iter().filter(|t| mine(t.from)) {
        let flag =
            |made: &mut Made, e: Option<ExprId>, default: bool| match e.map(|e| made.x.sema.constant(e)) {
                None => default,
                Some(Ok(Value::Bool(value))) => value,
                Some(_) => {
                    made.x.diagnostics.push(diagnostics::transition_argument(t.span));
                    default
                }
            };
        let immediate = flag(made, t.immediate, true);
        let reset = flag(made, t.reset, true);
        let synchronize = flag(made, t.synchronize, false);
        let priority = match t.priority.map(|e| made.x.sema.constant(e)) {
            None => 1,
            Some(Ok(Value::Int(value))) if value >= 1 => value,
            Some(_) => {
                made.x.diagnostics.push(diagnostics::transition_argument(t.span));
                1
            }
        };
        let (from, to) = (number(t.from), number(t.to));
        if let Some(other) = arrows.iter().find(|a| a.from == from && a.priority == priority) {
            made.x.diagnostics.push(diagnostics::equal_priorities(priority, t.span, other.span));
        }
        let condition = made.x.scalar(t.condition);
        arrows.push(Arrow { from, to, condition, immediate, reset, synchronize, priority, span: t.span });
    }
    arrows.sort_by_key(|a| std::cmp::Reverse(a.priority));
    arrows
}
