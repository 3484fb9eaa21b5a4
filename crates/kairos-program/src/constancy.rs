//! Linear systems whose matrix stays the same between events: it is factored once.

use crate::closed;
use crate::program::{Code, Program, Solve};
use crate::slots::Slots;
use crate::tape::{Op, Slot, Tape};
use kairos_base::hash::{HashMap, HashSet};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Notes for every linear system what its matrix is computed from, unless that varies between events; small ones get
/// a tape that solves them.
pub fn find(program: &mut Program) {
    let varying = varying(program);
    let slots = program.memory.slots.clone();
    let mut settled = std::mem::take(&mut program.settled.ops);
    let (sequences, memory) = program.sequences_mut();
    for (sequence, held) in sequences {
        Code::solves(&mut sequence.codes, &mut |solve| {
            if !solve.linear {
                return;
            }
            solve.matrix_inputs = inputs(solve, &slots, &varying);
            if let Some(whole) = &mut solve.whole {
                Arc::make_mut(whole).matrix_inputs = inputs(whole, &slots, &varying);
            }
            let Some(inputs) = &solve.matrix_inputs else { return };
            if solve.unknowns.len() > 1 {
                solve.closed = closed::several(memory, solve, inputs);
            } else if held {
                solve.closed = closed::steady(memory, solve, &varying, &mut settled);
            }
        });
    }
    program.settled.ops = settled;
}

/// Slots that change between events: time, states, inputs and whatever is computed there.
fn varying(program: &Program) -> HashSet<Slot> {
    let moving = program.info.states.iter().chain(&program.info.inputs);
    let mut out: HashSet<Slot> = moving.copied().collect();
    out.insert(program.memory.time);
    for codes in [&program.derivatives, &program.crossings, &program.outputs] {
        for code in &codes.codes {
            match code {
                Code::Tape(tape) => written(tape, &mut out),
                Code::Solve(solve) => {
                    out.extend(&solve.unknowns);
                    written(&solve.tape, &mut out);
                }
                // Between events a mixed block is its continuous part.
                Code::Mixed(_) => {}
            }
        }
    }
    out
}

fn written(tape: &Tape, out: &mut HashSet<Slot>) {
    out.extend(tape.ops.iter().filter_map(Op::target));
}

/// Backwards from the entries of the matrix, through plain operations and the conditions among them.
fn inputs(solve: &Solve, slots: &Slots, varying: &HashSet<Slot>) -> Option<Vec<Slot>> {
    let mut writers: HashMap<Slot, Vec<Op>> = HashMap::default();
    let mut stack: Vec<Slot> = solve.columns.clone();
    for &op in &solve.tangent.ops {
        match op {
            Op::Copy { .. }
            | Op::Unary { .. }
            | Op::Binary { .. }
            | Op::Function1 { .. }
            | Op::Function2 { .. } => writers.entry(op.target()?).or_default().push(op),
            Op::JumpUnless { condition, .. } => stack.push(condition),
            Op::Jump { .. } => {}
            _ => return None,
        }
    }
    let seeds: HashSet<Slot> = solve.seeds.iter().copied().collect();
    let (mut seen, mut found) = (HashSet::default(), BTreeSet::new());
    while let Some(slot) = stack.pop() {
        if !seen.insert(slot) || slots.value(slot).is_some() || seeds.contains(&slot) {
            continue;
        }
        match writers.get(&slot) {
            Some(list) => {
                for op in list {
                    Tape::rename(&mut op.clone(), &mut |operand| {
                        stack.push(operand);
                        operand
                    });
                }
            }
            None if varying.contains(&slot) || solve.unknowns.contains(&slot) => return None,
            None => {
                found.insert(slot);
            }
        }
    }
    Some(found.into_iter().collect())
}
