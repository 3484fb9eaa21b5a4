//! The equations that decide at each tick which state of a machine is active (MLS 17.3.4).

use super::{Arrow, Machine, Made, States};
use crate::diagnostics;
use kairos_expr::{BinOp, Builtin, ExprId, ExprMap, Node, Scalar, Type, VarId};

/// How long the active state of a machine has been active.
pub struct Counters {
    pub ticks: VarId,
    pub seconds: VarId,
}

/// What one machine shows to others.
struct Shown {
    fired_or_entered: VarId,
    last: VarId,
}

/// Adds the equations of all machines; gives the counters of each.
pub fn equations(made: &mut Made, states: &mut States, machines: &[Machine]) -> Vec<Counters> {
    let mut counters = Vec::new();
    let mut shown: Vec<Shown> = Vec::new();
    let mut leaders: Vec<VarId> = Vec::new();
    // All variables first: machines ask each other whether they are in a final state and when they were entered.
    for machine in machines {
        made.span = machine.span;
        let name = states.list[machine.states[0]].path.clone();
        let int = |made: &mut Made, what: &str| made.variable(format!("${what}({name})"), Scalar::Int, None);
        let bool =
            |made: &mut Made, what: &str| made.variable(format!("${what}({name})"), Scalar::Bool, None);
        let ticks = int(made, "ticks");
        let seconds = made.variable(format!("$seconds({name})"), Scalar::Real, None);
        let (entered, last) = (bool(made, "entered"), bool(made, "final"));
        counters.push(Counters { ticks, seconds });
        shown.push(Shown { fired_or_entered: entered, last });
        let leader = match machine.around {
            Some(state) => leaders[states.list[state].machine],
            None => entered,
        };
        leaders.push(leader);
    }
    for k in 0..machines.len() {
        one(made, states, machines, k, &counters, &shown);
    }
    states.leader = states.list.iter().map(|s| leaders[s.machine]).collect();
    counters
}

fn one(
    made: &mut Made,
    states: &States,
    machines: &[Machine],
    k: usize,
    counters: &[Counters],
    shown: &[Shown],
) {
    let machine = &machines[k];
    made.span = machine.span;
    let name = states.list[machine.states[0]].path.clone();
    let variable =
        |made: &mut Made, what: &str, ty: Scalar| made.variable(format!("${what}({name})"), ty, None);
    let (active, reset) = match machine.around {
        Some(state) => {
            let state = &states.list[state];
            (made.value(state.active), made.value(state.reset))
        }
        None => {
            let first = Node::Builtin(Builtin::FirstTick, [].into());
            let first = made.x.sema.store.add(first, Type::scalar(Scalar::Bool));
            (made.x.sema.store.bool(true), first)
        }
    };
    let one = made.x.sema.store.int(1);
    let zero = made.x.sema.store.int(0);
    let next = variable(made, "next", Scalar::Int);
    made.vars.last_mut().expect("just made").start = Some(one);
    let (selected, delayed) =
        (variable(made, "selected", Scalar::Int), variable(made, "delayed", Scalar::Int));
    let (fired, state) = (variable(made, "fired", Scalar::Int), variable(made, "state", Scalar::Int));

    let before = made.previous(next);
    let value = made.x.sema.store.choose(reset, one, before);
    made.define(selected, value);

    let entered_around = match machine.around {
        Some(state) => made.value(shown[states.list[state].machine].fired_or_entered),
        None => made.x.sema.store.bool(false),
    };
    let afresh = made.x.sema.store.or(reset, entered_around);
    // A condition that decides now is asked of the state that would stay active, one that decides at the next tick of the
    // state that is: so neither waits for itself.
    let now = made.x.sema.store.time();
    let since = variable(made, "since", Scalar::Real);
    let (ticks_before, since_before) = (made.previous(counters[k].ticks), made.previous(since));
    let more = made.x.sema.store.plus(ticks_before, one);
    let would_be = Clockwork {
        ticks: made.x.sema.store.choose(afresh, one, more),
        seconds: {
            let from = made.x.sema.store.choose(afresh, now, since_before);
            made.x.sema.store.minus(now, from)
        },
    };
    let is = Clockwork { ticks: made.value(counters[k].ticks), seconds: made.value(counters[k].seconds) };

    let (selected_now, next_now) = (made.value(selected), made.value(next));
    let (mut immediate_value, mut delayed_value) = (zero, zero);
    for (i, arrow) in machine.transitions.iter().enumerate() {
        made.span = arrow.span;
        let clockwork = if arrow.immediate { &would_be } else { &is };
        let mut condition = operators(made, states, arrow.condition, clockwork);
        if arrow.synchronize {
            let from = machine.states[arrow.from as usize - 1];
            condition = finished(made, machines, shown, arrow, from, condition);
        }
        let holds = made.variable(format!("$condition {}({name})", i + 1), Scalar::Bool, None);
        made.define(holds, condition);
        let (holds, from) = (made.value(holds), made.x.sema.store.int(arrow.from));
        let at = if arrow.immediate { selected_now } else { next_now };
        let here = made.x.sema.store.compare(BinOp::Eq, at, from);
        let fires = made.x.sema.store.and(here, holds);
        let number = made.x.sema.store.int(i as i64 + 1);
        let value = if arrow.immediate { &mut immediate_value } else { &mut delayed_value };
        *value = made.x.sema.store.choose(fires, number, *value);
    }
    made.span = machine.span;
    made.define(delayed, delayed_value);
    let immediate = variable(made, "immediate", Scalar::Int);
    made.define(immediate, immediate_value);
    let (delayed_before, immediate) = (made.previous(delayed), made.value(immediate));
    let later = made.x.sema.store.compare(BinOp::Gt, delayed_before, immediate);
    let value = made.x.sema.store.choose(later, delayed_before, immediate);
    made.define(fired, value);

    let fired_now = made.value(fired);
    let (mut target, mut resets) = (selected_now, made.x.sema.store.bool(false));
    for (i, arrow) in machine.transitions.iter().enumerate() {
        let number = made.x.sema.store.int(i as i64 + 1);
        let this = made.x.sema.store.compare(BinOp::Eq, fired_now, number);
        let to = made.x.sema.store.int(arrow.to);
        target = made.x.sema.store.choose(this, to, target);
        if arrow.reset {
            resets = made.x.sema.store.or(resets, this);
        }
    }
    let value = made.x.sema.store.choose(reset, one, target);
    made.define(state, value);
    // The specification also carries a `nextReset`, which is false at every tick.
    let resets = made.x.sema.store.or(reset, resets);
    let state_now = made.value(state);
    let value = made.x.sema.store.choose(active, state_now, before);
    made.define(next, value);

    let mut in_final = made.x.sema.store.bool(false);
    for &s in &machine.states {
        let (number, path) = (states.list[s].number, states.list[s].path.clone());
        let number_value = made.x.sema.store.int(number);
        let here = made.x.sema.store.compare(BinOp::Eq, state_now, number_value);
        let acts = made.x.sema.store.and(active, here);
        made.define(states.list[s].active, acts);
        // A reset of the machine waits for each of its states until that is active.
        let waits = made.variable(format!("$waits({path})"), Scalar::Bool, None);
        let waited = made.previous(waits);
        let due = made.x.sema.store.or(reset, waited);
        let elsewhere = made.x.sema.store.not(here);
        let still = made.x.sema.store.and(elsewhere, due);
        let value = made.x.sema.store.choose(active, still, waited);
        made.define(waits, value);
        let begins = made.x.sema.store.or(resets, due);
        let begins = made.x.sema.store.and(acts, begins);
        made.define(states.list[s].reset, begins);
        if machine.transitions.iter().all(|a| a.from != number) {
            in_final = made.x.sema.store.or(in_final, here);
        }
    }
    made.define(shown[k].last, in_final);

    let moved = made.x.sema.store.compare(BinOp::Gt, fired_now, zero);
    let enters = made.x.sema.store.or(afresh, moved);
    let enters = made.x.sema.store.and(active, enters);
    let entered = shown[k].fired_or_entered;
    made.define(entered, enters);
    let entered = made.value(entered);
    let counted = made.x.sema.store.choose(entered, one, more);
    let value = made.x.sema.store.choose(active, counted, ticks_before);
    made.define(counters[k].ticks, value);
    let value = made.x.sema.store.choose(entered, now, since_before);
    made.define(since, value);
    let since_now = made.value(since);
    let value = made.x.sema.store.minus(now, since_now);
    made.define(counters[k].seconds, value);
}

/// What `ticksInState` and `timeInState` stand for.
struct Clockwork {
    ticks: ExprId,
    seconds: ExprId,
}

/// The condition of a transition without the operators of state machines.
fn operators(made: &mut Made, states: &States, condition: ExprId, clockwork: &Clockwork) -> ExprId {
    let mut memo = ExprMap::default();
    for e in made.x.sema.store.post_order(&[condition], |_| false) {
        match made.x.sema.store.node(e) {
            Node::Builtin(Builtin::TicksInState, _) => {
                memo.insert(e, clockwork.ticks);
            }
            Node::Builtin(Builtin::TimeInState, _) => {
                memo.insert(e, clockwork.seconds);
            }
            Node::Builtin(Builtin::ActiveState, _) => {
                let value = active(made, states, e);
                memo.insert(e, value);
            }
            _ => {}
        }
    }
    made.x.sema.store.rewrite(condition, &mut memo, &mut |_, e| e)
}

fn active(made: &mut Made, states: &States, e: ExprId) -> ExprId {
    match super::merge::state_named(made.x, states, e) {
        Some(state) => made.value(states.list[state].active),
        None => {
            made.x.diagnostics.push(diagnostics::not_in_machine("activeState", made.span));
            made.x.sema.store.bool(false)
        }
    }
}

/// A synchronising transition waits until all machines of its state have come to an end. One that decides now asks for
/// the last tick: what they do at this one depends on whether it fires.
fn finished(
    made: &mut Made,
    machines: &[Machine],
    shown: &[Shown],
    arrow: &Arrow,
    from: usize,
    condition: ExprId,
) -> ExprId {
    let mut all = condition;
    for (m, _) in machines.iter().enumerate().filter(|(_, m)| m.around == Some(from)) {
        let ended = if arrow.immediate { made.previous(shown[m].last) } else { made.value(shown[m].last) };
        all = made.x.sema.store.and(all, ended);
    }
    all
}
