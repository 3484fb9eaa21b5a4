//! Numbers as functions of time and states: tapes that read these from outside and leave the machine where it stands.

use crate::program::{Code, Memory, Program};
use crate::tape::{Op, Slot, Tape};
use crate::writer::Writer;
use kairos_expr::BinOp;

/// Longer codes are run in the machine's own memory, where a call costs little beside them.
const LONGEST: usize = 1000;

#[derive(Clone, Debug)]
pub struct Field {
    pub tape: Tape,
    pub time: Slot,
    pub states: Vec<Slot>,
    /// What it gives, with the places among the results.
    pub results: Vec<(Slot, u32)>,
    /// It is run even where interpreting the codes would take less: it solves systems to the last bit as only it does, or
    /// other systems are iterated beside it from where they stand, which the codes would move.
    pub alone: bool,
    /// Operations before the test whether these numbers are finite.
    pub body: usize,
    pub finite: Vec<Slot>,
}

/// What the motion needs as functions of time and states: `watched` gives both sides of the relations.
pub fn find(program: &mut Program, mut watched: Vec<Code>) {
    let Program { memory, info, relations, derivatives, crossings, outputs, .. } = program;
    if info.needs_history {
        return;
    }
    let rates = info.derivatives.iter().zip(0..).map(|(&slot, k)| (Given::Value(slot), k));
    let rates: Vec<(Given, u32)> = rates.collect();
    program.motion = Field::new(memory, &derivatives.codes, &info.states, &rates, true);
    // What is known about systems that the motion alone: solves, too, holds here as well.
    let known = |id: u32| {
        derivatives.codes.iter().chain(&crossings.codes).find_map(|code| match code {
            Code::Solve(solve) if solve.id == id => Some(solve.as_ref().clone()),
            _ => None,
        })
    };
    Code::solves(&mut watched, &mut |solve| {
        if let Some(known) = known(solve.id) {
            *solve = known;
        }
    });
    let searched = relations.iter().zip(0..).filter(|(relation, _)| relation.time.is_none());
    let gaps = searched.map(|(relation, r)| (Given::Difference(relation.left, relation.right), r));
    let gaps: Vec<(Given, u32)> = gaps.collect();
    program.watched = Field::new(memory, &watched, &info.states, &gaps, false);
    let mut iterated = Vec::new();
    [&derivatives.codes, &crossings.codes, &outputs.codes]
        .into_iter()
        .for_each(|codes| Code::guesses(codes, &mut iterated));
    let fields = [&mut program.motion, &mut program.watched].into_iter().flatten();
    fields.for_each(|field| field.alone |= !iterated.is_empty());
}

/// A number that a field gives.
#[derive(Clone, Copy)]
enum Given {
    Value(Slot),
    Difference(Slot, Slot),
}

impl Field {
    /// A tape of these codes, unless one of them needs the machine, or there is nothing to give. What the codes compute
    /// on the way stays inside. It gives up where something that it gives is not finite, if that is asked for.
    fn new(
        memory: &mut Memory,
        codes: &[Code],
        states: &[Slot],
        given: &[(Given, u32)],
        finite: bool,
    ) -> Option<Field> {
        let tapes: Vec<(&[Op], Test)> = codes.iter().map(plain).collect::<Option<_>>()?;
        let total: usize = tapes.iter().map(|(ops, _)| ops.len()).sum();
        if total + given.len() > LONGEST || given.is_empty() {
            return None;
        }
        let solves = tapes.iter().any(|(_, test)| !matches!(test, Test::None));
        let kept = codes.iter().flat_map(kept).collect::<Vec<Slot>>();
        let mut writer = Writer::new(memory);
        let time = writer.local_for(writer.memory.time);
        let states = states.iter().map(|&state| writer.local_for(state)).collect();
        for slot in tapes.iter().flat_map(|(ops, _)| *ops).filter_map(Op::target) {
            let slots = &writer.memory.slots;
            let own = slots.is_scratch(slot) || kept.contains(&slot) || slots.block_of(slot).is_some();
            if !own && !writer.local.contains_key(&slot) {
                writer.local_for(slot);
            }
        }
        let mut finite_ones = Vec::new();
        for (ops, test) in tapes {
            writer.append_part(ops, &[]);
            let local = |slot: Slot| writer.local.get(&slot).copied().unwrap_or(slot);
            match test {
                Test::None => {}
                Test::Holds(solved) => {
                    let condition = local(solved);
                    writer.ops.push(Op::Require { condition });
                }
                Test::Finite(unknown) => {
                    // Others may use the same place after it.
                    let unknown = local(unknown);
                    let copy = writer.memory.slots.scratch();
                    writer.copy(copy, unknown);
                    finite_ones.push(copy);
                }
            }
        }
        let results = given.iter().map(|&(given, place)| {
            let to = writer.memory.slots.scratch();
            let local = |slot: Slot| writer.local.get(&slot).copied().unwrap_or(slot);
            match given {
                Given::Value(slot) => writer.copy(to, local(slot)),
                Given::Difference(left, right) => {
                    let (left, right) = (local(left), local(right));
                    writer.binary(BinOp::Sub, to, left, right);
                }
            }
            (to, place)
        });
        let results: Vec<(Slot, u32)> = results.collect();
        if finite {
            finite_ones.extend(results.iter().map(|(slot, _)| *slot));
        }
        let body = writer.ops.len();
        if !finite_ones.is_empty() {
            let condition = writer.memory.slots.scratch();
            writer.finite(condition, finite_ones.iter().copied());
            writer.ops.push(Op::Require { condition });
        }
        Some(Field { tape: writer.tape(), time, states, results, alone: solves, body, finite: finite_ones })
    }
}

/// What tells whether a code could do what it should.
enum Test {
    None,
    Holds(Slot),
    Finite(Slot),
}

/// The operations that do all of a code.
fn plain(code: &Code) -> Option<(&[Op], Test)> {
    let (ops, test) = match code {
        Code::Tape(tape) => (tape.ops.as_slice(), Test::None),
        Code::Solve(solve) => {
            let closed = solve.closed.as_ref()?;
            match closed.single {
                // The equation itself need not be looked at again: what it has come to is finite, or it has no solution.
                Some((end, unknown)) => (&closed.tape.ops[..end], Test::Finite(unknown)),
                None => (closed.tape.ops.as_slice(), Test::Holds(closed.solved)),
            }
        }
        Code::Mixed(_) => return None,
    };
    let needs_machine = |op: &Op| op.calls_out() || matches!(op, Op::Invoke { .. } | Op::Check { .. });
    (!ops.iter().any(needs_machine)).then_some((ops, test))
}

/// What outlives an evaluation: the inverse of a matrix.
fn kept(code: &Code) -> Vec<Slot> {
    let Code::Solve(solve) = code else { return Vec::new() };
    let kept = solve.closed.as_ref().and_then(|closed| closed.kept.as_ref());
    let slots = kept.map(|kept| {
        let inputs = kept.inputs.iter().map(|(_, then)| *then);
        inputs.chain(kept.inverse.iter().copied()).chain([kept.ready, kept.count]).collect()
    });
    slots.unwrap_or_default()
}
