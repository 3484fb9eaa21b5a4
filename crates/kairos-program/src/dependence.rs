//! Which numbers depend on which others between events, by structure alone: a superset of the derivatives that are not zero.
//!
//! Sets of knowns are followed through the code in its order. In a tape without loops a slot forgets what it was when it
//! is written outside of branches; in one with loops, or with indexed blocks, sets only grow, until nothing changes.
//! The unknowns of a system all depend on whatever the system reads.

use crate::linear::Part;
use crate::program::{Code, Memory, Program};
use crate::tape::{Argument, Destination, Op, Slot, Tape};
use kairos_base::hash::HashMap;
use kairos_expr::{ExprId, Store};
use std::rc::Rc;

/// Ascending places among the knowns.
type Set = Rc<Vec<u32>>;

/// For each of the unknowns the knowns (by their places) that it depends on, ascending.
pub fn dependences(program: &Program, knowns: &[Slot], unknowns: &[Slot]) -> Vec<Vec<u32>> {
    let mut work = Work { program, sets: HashMap::default() };
    work.sets.extend(knowns.iter().zip(0..).map(|(&slot, k)| (slot, Rc::new(vec![k]))));
    for code in &program.parameters {
        work.tape(&code.tape);
        // What changes by itself follows nothing.
        for (&slot, k) in knowns.iter().zip(0..) {
            if code.to.iter().any(|to| matches!(to, Destination::Number(to) if *to == slot)) {
                work.put(slot, Some(Rc::new(vec![k])));
            }
        }
    }
    work.tape(&program.settled);
    for code in Part::ALL.iter().flat_map(|part| part.codes(program)) {
        match code {
            Code::Tape(tape) => work.tape(tape),
            Code::Solve(solve) => {
                solve.unknowns.iter().for_each(|u| drop(work.sets.remove(u)));
                work.tape(&solve.tape);
                let all = work.union(&solve.residuals);
                solve.unknowns.iter().for_each(|&u| work.put(u, all.clone()));
                work.tape(&solve.tape);
            }
            Code::Mixed(_) => {}
        }
    }
    unknowns.iter().map(|slot| work.sets.get(slot).map_or(Vec::new(), |set| set.to_vec())).collect()
}

struct Work<'a> {
    program: &'a Program,
    sets: HashMap<Slot, Set>,
}

impl Work<'_> {
    fn tape(&mut self, tape: &Tape) {
        let back = |(at, op): (usize, &Op)| matches!(op, Op::Jump { target } if *target as usize <= at);
        let indexed = |op: &Op| matches!(op, Op::Load { .. } | Op::Store { .. });
        let grows = tape.ops.iter().enumerate().any(back) || tape.ops.iter().any(indexed);
        while self.pass(tape, grows) && grows {}
    }

    /// Goes through a tape once; has any set become larger?
    fn pass(&mut self, tape: &Tape, grows: bool) -> bool {
        let mut larger = false;
        // Ends of branches, and what decides about them.
        let mut branches: Vec<(usize, Slot)> = Vec::new();
        let (mut read, mut written) = (Vec::new(), Vec::new());
        for (at, op) in tape.ops.iter().enumerate() {
            branches.retain(|(end, _)| at < *end);
            match *op {
                Op::JumpUnless { condition, target } => branches.push((target as usize, condition)),
                Op::Jump { target } if target as usize > at => {
                    // What another branch has skipped is decided as that one was.
                    if let Some(&(_, condition)) = branches.last() {
                        branches.push((target as usize, condition));
                    }
                }
                _ => {}
            }
            (read.clear(), written.clear());
            self.operands(op, &mut read, &mut written);
            read.extend(branches.iter().map(|(_, condition)| *condition));
            for &to in &written {
                if grows || !branches.is_empty() {
                    read.push(to);
                }
                let set = self.union(&read);
                let before = self.sets.get(&to).map_or(0, |set| set.len());
                larger |= set.as_ref().map_or(0, |set| set.len()) > before;
                self.put(to, set);
            }
        }
        larger
    }

    fn put(&mut self, to: Slot, set: Option<Set>) {
        match set {
            Some(set) => drop(self.sets.insert(to, set)),
            None => drop(self.sets.remove(&to)),
        }
    }

    /// All knowns that any of the slots depends on.
    fn union(&self, slots: &[Slot]) -> Option<Set> {
        let mut all: Option<Set> = None;
        for set in slots.iter().filter_map(|slot| self.sets.get(slot)) {
            all = Some(match all {
                None => set.clone(),
                Some(known) if Rc::ptr_eq(&known, set) => known,
                Some(known) => {
                    let mut both: Vec<u32> = known.iter().chain(set.iter()).copied().collect();
                    both.sort_unstable();
                    both.dedup();
                    Rc::new(both)
                }
            });
        }
        all
    }

    /// What an operation reads and writes, what stands beside the tape included. An indexed block is its first slot.
    fn operands(&self, op: &Op, read: &mut Vec<Slot>, written: &mut Vec<Slot>) {
        let Program { memory, store, .. } = self.program;
        let block = |slot: Slot| memory.slots.block_of(slot).map_or(slot, |(first, _)| first);
        match *op {
            Op::Invoke { site } => {
                let invocation = &memory.routines.invocations[site as usize];
                read.extend(&invocation.arguments);
                written.extend(&invocation.outputs);
            }
            Op::Call { site } => {
                let call = &memory.calls[site as usize];
                call.arguments.iter().for_each(|argument| arguments(store, memory, argument, read));
                written.extend(call.outputs.iter().map(|(_, slot)| *slot));
            }
            Op::Evaluate { site } => {
                let evaluation = memory.evaluations[site as usize];
                expression(store, memory, evaluation.expr, read);
                if let Destination::Number(slot) = evaluation.to {
                    written.push(slot);
                }
            }
            Op::Load { to, base, index } => {
                read.extend([block(base), index]);
                written.push(to);
            }
            Op::Store { base, index, a } => {
                read.extend([index, a]);
                written.push(block(base));
                let whole = memory.slots.block_of(base).map_or(base..base + 1, |(first, n)| first..first + n);
                written.extend(whole);
            }
            Op::CallTangent { .. } => {}
            _ => {
                let to = op.target();
                Tape::rename(&mut op.clone(), &mut |slot| {
                    read.push(slot);
                    slot
                });
                // The last one that is told is what it writes.
                if to.is_some() {
                    read.pop();
                }
                written.extend(to);
            }
        }
        // Elements of a block that are read one by one are what the block was made of.
        let whole: Vec<Slot> =
            read.iter().map(|&slot| block(slot)).filter(|first| !read.contains(first)).collect();
        read.extend(whole);
    }
}

/// Does the tape compute something from changing numbers in a way that has no tangent: by the interpreter of expressions,
/// from composite values that are kept beside the memory, or from the past?
pub(crate) fn hides(store: &Store, memory: &Memory, tape: &Tape, changes: impl Fn(Slot) -> bool) -> bool {
    tape.ops.iter().any(|op| {
        let mut read = Vec::new();
        match *op {
            Op::Evaluate { site } => {
                expression(store, memory, memory.evaluations[site as usize].expr, &mut read)
            }
            Op::Call { site } => {
                let arguments = &memory.calls[site as usize].arguments;
                arguments.iter().for_each(|argument| beside(store, memory, argument, &mut read));
            }
            // Before anything is recorded the present value comes out.
            Op::Delay { value, time, .. } => read.extend([value, time]),
            Op::Transport { value, x, .. } => read.extend([value, x]),
            _ => {}
        }
        read.into_iter().any(&changes)
    })
}

/// What an argument reads otherwise than as a number of the memory.
fn beside(store: &Store, memory: &Memory, argument: &Argument, read: &mut Vec<Slot>) {
    match argument {
        Argument::Array(_, items) | Argument::Record(_, items) => {
            items.iter().for_each(|item| beside(store, memory, item, read));
        }
        Argument::Expression(_) | Argument::Result(_) => arguments(store, memory, argument, read),
        Argument::Number(..) | Argument::Text(_) | Argument::Other(_) => {}
    }
}

fn arguments(store: &Store, memory: &Memory, argument: &Argument, read: &mut Vec<Slot>) {
    match argument {
        Argument::Number(slot, _) => read.push(*slot),
        Argument::Array(_, items) | Argument::Record(_, items) => {
            items.iter().for_each(|item| arguments(store, memory, item, read));
        }
        Argument::Expression(e) => expression(store, memory, *e, read),
        Argument::Text(_) | Argument::Other(_) => {}
        Argument::Result(result) => {
            let made = memory.calls.iter().find(|call| call.result == Some(*result));
            if let Some(made) = made {
                made.arguments.iter().for_each(|item| arguments(store, memory, item, read));
            }
        }
    }
}

fn expression(store: &Store, memory: &Memory, e: ExprId, read: &mut Vec<Slot>) {
    read.extend(store.variables(&[e]).into_iter().map(|v| memory.slot_of[v.index()]));
}
