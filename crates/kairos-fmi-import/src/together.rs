//! One step of a system of FMUs: all members go to the same instant, which is the first event of any of them.
//!
//! Idea: members that stop at their events go first, each no further than the earliest event so far. Who went further than the event of
//! a later one goes back to where it stood (`fmi*SetFMUState`, or a fork of our own run) and comes to the event instead; nothing happens
//! to it on the way, since its own first event lies beyond. Members without events go last and never need to go back. So values are
//! exchanged at the instants at which outputs jump, not up to a step later, and the order of the members does not matter.
//! Invariant: after a step all members stand at the time that is returned, in states that no member reached with inputs of the future.
//! Cost: a kept state of all but one of the members with events, for each step. Of those that cannot go back only one stops at its events.

use crate::machine::FmuMachine;
use crate::system::{Member, Nowhere, Runner, fault};
use kairos_machine::shortcuts::Guest;
use kairos_machine::{Eval, Machine};
use kairos_sim::Stopped;

/// Tries to leave an instant at which an event happens again and again.
const TRIES: usize = 20;

/// Takes all members on from a time, to another or to the first event on the way; says how far they came.
pub(crate) fn together(members: &mut [Member], from: f64, to: f64, with_events: bool) -> Eval<f64> {
    let slack = 1e-12 * to.abs().max(1e-3);
    let stopping = if with_events { stopping(members) } else { Vec::new() };
    let (mut end, mut gone) = (to, Vec::new());
    for (place, &k) in stopping.iter().enumerate() {
        let kept = if place + 1 < stopping.len() { Some(members[k].runner.kept()?) } else { None };
        let came = members[k].runner.go_to_event(from, end, slack)?;
        if came < end - slack {
            end = came;
        }
        gone.push((k, kept, came));
    }
    for (k, kept, came) in gone {
        if came > end + slack
            && let Some(kept) = kept
        {
            members[k].runner = kept;
            members[k].runner.go(end)?;
        }
    }
    for k in (0..members.len()).filter(|k| !stopping.contains(k)) {
        members[k].runner.go(end)?;
    }
    Ok(end)
}

/// The members that stop at their events, in an order in which only the last may be unable to go back; none where a member cannot come
/// to an event.
fn stopping(members: &[Member]) -> Vec<usize> {
    let abilities: Vec<(bool, bool, bool)> = members.iter().map(|member| member.runner.abilities()).collect();
    if abilities.iter().any(|(any_step, ..)| !any_step) {
        return Vec::new();
    }
    let with = |keeps: bool| (0..members.len()).filter(move |&k| abilities[k].1 && abilities[k].2 == keeps);
    let mut list: Vec<usize> = with.clone()(true).collect();
    list.extend(with(false).take(1));
    list
}

impl Member {
    /// When the FMU has ended the run.
    pub(crate) fn ended(&self) -> Option<f64> {
        match &self.runner {
            Runner::Waiting(_) => None,
            Runner::Itself(machine) => machine.ended(),
            Runner::Integrated(run) => run.summary().terminated.is_some().then(|| run.time()),
        }
    }
}

impl Runner {
    /// Steps of any length, stops at events, goes back.
    fn abilities(&self) -> (bool, bool, bool) {
        let of = |machine: &FmuMachine| {
            let (any_step, stops) = machine.abilities();
            (any_step, stops, machine.keeps_state())
        };
        match self {
            Runner::Waiting(machine) => of(machine),
            Runner::Itself(machine) => of(machine),
            // A fork of a run asks the FMU for copies of itself.
            Runner::Integrated(run) => (true, true, run.fork(Box::new(Nowhere)).is_ok()),
        }
    }

    /// The same run once more.
    fn kept(&self) -> Eval<Runner> {
        Ok(match self {
            Runner::Waiting(machine) => Runner::Waiting(Box::new(machine.again())),
            Runner::Itself(machine) => Runner::Itself(Box::new(machine.again())),
            Runner::Integrated(run) => {
                Runner::Integrated(Box::new(run.fork(Box::new(Nowhere)).map_err(fault)?))
            }
        })
    }

    /// Goes to a time, over all events on the way.
    fn go(&mut self, to: f64) -> Eval {
        match self {
            Runner::Waiting(_) => Ok(()),
            Runner::Itself(machine) => {
                machine.set_time(to);
                machine.outputs()
            }
            Runner::Integrated(run) => run.advance_to(to).map(|_| ()).map_err(fault),
        }
    }

    /// Goes to a time or to the first event after `from`; says how far it came.
    fn go_to_event(&mut self, from: f64, to: f64, slack: f64) -> Eval<f64> {
        match self {
            Runner::Waiting(_) => Ok(to),
            Runner::Itself(machine) => machine.go_to_event(to),
            Runner::Integrated(run) => {
                for _ in 0..TRIES {
                    match run.advance_event(to).map_err(fault)? {
                        Stopped::Event if run.time() - from <= slack => {}
                        _ => return Ok(run.time()),
                    }
                }
                run.advance_to(to).map_err(fault)?;
                Ok(run.time())
            }
        }
    }
}
