//! What holds for every program. Debug builds ask after assembling; a broken invariant is a bug of the compiler.
//!
//! Invariants: operations name slots of the memory, jumps end within their tape, systems have as many residuals as unknowns.

use crate::program::{Code, Program, Solve};
use crate::tape::{Op, Slot, Tape};

/// The first invariant that does not hold, in words.
pub(crate) fn broken(program: &Program) -> Option<String> {
    let count = program.memory.slots.len() as Slot;
    if let Some(slot) = program.memory.slot_of.iter().find(|&&slot| slot >= count) {
        return Some(format!("a variable has slot {slot} of {count}"));
    }
    let tapes =
        [&program.history, &program.starts, &program.settled, &program.crossing_tape, &program.demands.0];
    let tapes = tapes.into_iter().chain(&program.calls).chain(program.samplers.iter().map(|(tape, ..)| tape));
    let sequences = [&program.derivatives, &program.crossings, &program.outputs, &program.event];
    let codes = sequences.into_iter().flat_map(|sequence| &sequence.codes).chain(&program.initial);
    let mut tapes = tapes.map(|tape| broken_tape(tape, count));
    tapes.find_map(|fault| fault).or_else(|| codes.into_iter().find_map(|code| broken_code(code, count)))
}

fn broken_code(code: &Code, count: Slot) -> Option<String> {
    match code {
        Code::Tape(tape) => broken_tape(tape, count),
        Code::Solve(solve) => broken_system(solve, count),
        Code::Mixed(mixed) => {
            let mut parts = mixed.continuous.iter().chain(&mixed.discrete);
            let inside = parts.find_map(|code| broken_code(code, count));
            inside.or_else(|| broken_tape(&mixed.decide, count)).or_else(|| {
                let (n, m) = (mixed.relations.len(), mixed.decided.len());
                (n != m).then(|| format!("a mixed system decides {m} of its {n} relations"))
            })
        }
    }
}

fn broken_system(solve: &Solve, count: Slot) -> Option<String> {
    let (n, m) = (solve.unknowns.len(), solve.residuals.len());
    if n != m || solve.names.len() != n {
        let names = solve.names.len();
        return Some(format!("a system has {n} unknowns with {names} names, and {m} residuals"));
    }
    let mut slots = solve.unknowns.iter().chain(&solve.residuals).chain(&solve.seeds).chain(&solve.columns);
    if let Some(slot) = slots.find(|&&slot| slot >= count) {
        return Some(format!("a system has slot {slot} of {count}"));
    }
    let tapes = [&solve.tape, &solve.tangent];
    let own = tapes.into_iter().find_map(|tape| broken_tape(tape, count));
    own.or_else(|| solve.whole.as_deref().and_then(|whole| broken_system(whole, count)))
}

fn broken_tape(tape: &Tape, count: Slot) -> Option<String> {
    tape.ops.iter().enumerate().find_map(|(at, op)| {
        let slots = match *op {
            Op::Copy { to, a } | Op::Unary { to, a, .. } | Op::Function1 { to, a, .. } => [to, a, a],
            Op::Binary { to, a, b, .. } | Op::Function2 { to, a, b, .. } => [to, a, b],
            Op::Jump { target } | Op::JumpUnless { target, .. } if target as usize > tape.ops.len() => {
                return Some(format!("operation {at} of tape {} jumps to {target}", tape.id));
            }
            Op::JumpUnless { condition, .. } | Op::Require { condition } => [condition; 3],
            Op::Load { to, base, index } => [to, base, index],
            Op::Store { base, index, a } => [base, index, a],
            Op::Check { index, .. } => [index; 3],
            Op::Delay { to, value, time, .. } => [to, value, time],
            Op::Transport { to, value, x, .. } => [to, value, x],
            _ => return None,
        };
        let slot = slots.into_iter().find(|&slot| slot >= count)?;
        Some(format!("operation {at} of tape {} names slot {slot} of {count}", tape.id))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_outside_of_the_memory_is_found() {
        let sound = Tape::new(vec![Op::Copy { to: 1, a: 0 }, Op::Jump { target: 2 }]);
        assert_eq!(broken_tape(&sound, 2), None);
        assert!(broken_tape(&sound, 1).is_some_and(|fault| fault.contains("slot 1 of 1")));
        let jumps_out = Tape::new(vec![Op::Jump { target: 2 }]);
        assert!(broken_tape(&jumps_out, 2).is_some_and(|fault| fault.contains("jumps to 2")));
    }
}
