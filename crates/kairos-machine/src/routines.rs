//! Running routines: the reference interpreter of numeric functions.

use crate::diagnostics;
use crate::machine::{Eval, EvalError};
use crate::run::Frame;
use kairos_program::operation::step;
use kairos_program::program::Program;
use kairos_program::routine::{Invocation, Routine};
use kairos_program::tape::{Op, Slot};

/// Why a routine gave no numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stopped {
    /// The call is to be made through values: an error has its message there, anything else its result.
    GaveUp,
    Endless,
}

/// Calls deeper than this are left to the interpreter of values, which says what recurs.
pub const DEEPEST: usize = 100;
/// Jumps backwards within one call before a loop counts as endless.
pub const ROUNDS: u64 = 100_000_000;

impl Frame {
    /// Makes a call of a routine, through values where it gives up.
    pub fn invoke_site(&mut self, program: &Program, site: u32) -> Eval {
        let invocation = &program.memory.routines.invocations[site as usize];
        let routine = &program.memory.routines.list[invocation.routine as usize];
        if self.is_at_rest(routine, invocation, site) {
            return Ok(());
        }
        let mut frame = self.enter(routine, 0);
        for (&to, &from) in routine.inputs.iter().zip(&invocation.arguments) {
            frame[to as usize] = self.values[from as usize];
        }
        let outcome = self.execute(program, routine, &mut frame, 1);
        if outcome.is_ok() {
            for (&to, &from) in invocation.outputs.iter().zip(&routine.outputs) {
                self.values[to as usize] = frame[from as usize];
            }
            let (inputs, outputs) = routine.plain();
            let known = invocation.arguments[..inputs].iter().chain(&invocation.outputs[..outputs]);
            let last = &mut self.last_calls[site as usize];
            last.clear();
            last.extend(known.map(|&slot| self.values[slot as usize]));
        }
        self.frames[0] = frame;
        outcome.or_else(|stopped| self.make_up(program, site, stopped))
    }

    /// Gives the results of a routine without running it: nothing has moved since it last ran, and no argument is on the move,
    /// so that no result is. Of the columns of a Jacobian most concern few of the routines.
    fn is_at_rest(&mut self, routine: &Routine, invocation: &Invocation, site: u32) -> bool {
        let (inputs, outputs) = routine.plain();
        if self.last_calls.len() <= site as usize {
            self.last_calls.resize(site as usize + 1, Vec::new());
        }
        let (arguments, seeds) = invocation.arguments.split_at(inputs);
        let last = &self.last_calls[site as usize];
        let value = |slot: &Slot| self.values[*slot as usize];
        let same = last.len() == inputs + outputs
            && seeds.iter().all(|seed| value(seed) == 0.0)
            && arguments.iter().zip(last).all(|(slot, last)| value(slot).to_bits() == last.to_bits());
        if same {
            let (results, tangents) = invocation.outputs.split_at(outputs);
            for (&slot, &value) in results.iter().zip(&last[inputs..]) {
                self.values[slot as usize] = value;
            }
            tangents.iter().for_each(|&slot| self.values[slot as usize] = 0.0);
        }
        same
    }

    /// What to do when a routine gave no numbers.
    pub fn make_up(&mut self, program: &Program, site: u32, stopped: Stopped) -> Eval {
        let memory = &program.memory;
        let invocation = &memory.routines.invocations[site as usize];
        let function = program.store.function(memory.routines.list[invocation.routine as usize].function);
        match (stopped, invocation.fallback) {
            (Stopped::GaveUp, Some(fallback)) => {
                self.call(program, &memory.calls[fallback.call as usize])?;
                match fallback.tangent {
                    Some(tangent) => self.call_tangent(program, &memory.tangents[tangent as usize]),
                    None => Ok(()),
                }
            }
            _ => {
                let fault = diagnostics::endless(function.name.as_str(), function.span);
                Err(EvalError::Recoverable(fault))
            }
        }
    }

    /// Runs a routine between arrays.
    pub fn interpret(
        &mut self,
        program: &Program,
        routine: u32,
        arguments: &[f64],
        outputs: &mut [f64],
        depth: usize,
    ) -> Result<(), Stopped> {
        if depth > DEEPEST {
            return Err(Stopped::GaveUp);
        }
        let routine = &program.memory.routines.list[routine as usize];
        let mut frame = self.enter(routine, depth);
        for (&to, &value) in routine.inputs.iter().zip(arguments) {
            frame[to as usize] = value;
        }
        let outcome = self.execute(program, routine, &mut frame, depth + 1);
        if outcome.is_ok() {
            for (to, &from) in outputs.iter_mut().zip(&routine.outputs) {
                *to = frame[from as usize];
            }
        }
        self.frames[depth] = frame;
        outcome
    }

    fn enter(&mut self, routine: &Routine, depth: usize) -> Vec<f64> {
        if self.frames.len() <= depth {
            self.frames.resize(depth + 1, Vec::new());
        }
        let mut frame = std::mem::take(&mut self.frames[depth]);
        frame.clear();
        frame.extend_from_slice(&routine.slots.image);
        frame
    }

    fn execute(
        &mut self,
        program: &Program,
        routine: &Routine,
        values: &mut [f64],
        depth: usize,
    ) -> Result<(), Stopped> {
        let ops = &routine.tape.ops;
        let (mut at, mut rounds) = (0, 0);
        while let Some(&op) = ops.get(at) {
            at += 1;
            if let Op::Invoke { site } = op {
                self.invoke_nested(program, site, values, depth)?;
                continue;
            }
            let next = step(op, values, at).ok_or(Stopped::GaveUp)?;
            if next < at {
                rounds += 1;
                if rounds > ROUNDS {
                    return Err(Stopped::Endless);
                }
            }
            at = next;
        }
        Ok(())
    }

    fn invoke_nested(
        &mut self,
        program: &Program,
        site: u32,
        values: &mut [f64],
        depth: usize,
    ) -> Result<(), Stopped> {
        if depth > DEEPEST {
            return Err(Stopped::GaveUp);
        }
        let invocation = &program.memory.routines.invocations[site as usize];
        let routine = &program.memory.routines.list[invocation.routine as usize];
        let mut frame = self.enter(routine, depth);
        let copy = |to: &mut [f64], from: &[f64], pairs: &mut dyn Iterator<Item = (Slot, Slot)>| {
            pairs.for_each(|(t, f)| to[t as usize] = from[f as usize]);
        };
        let given = routine.inputs.iter().copied().zip(invocation.arguments.iter().copied());
        copy(&mut frame, values, &mut { given });
        let outcome = self.execute(program, routine, &mut frame, depth + 1);
        if outcome.is_ok() {
            let taken = invocation.outputs.iter().copied().zip(routine.outputs.iter().copied());
            copy(values, &frame, &mut { taken });
        }
        self.frames[depth] = frame;
        outcome
    }
}
