//! Which tapes of a program run again and again, and so are worth native code.

use crate::field::Field;
use crate::program::{ActionCode, JacobianCode, Program};
use crate::tape::Tape;

/// Tapes of cells below this are interpreted.
const SHORT: usize = 6;

impl Program {
    /// The tapes that go round by themselves.
    pub fn looping_tapes(&self) -> Vec<&Tape> {
        self.reach.islands.iter().map(|island| &island.tape).collect()
    }

    /// Functions of time and states.
    pub fn fields(&self) -> impl Iterator<Item = &Field> {
        self.motion.iter().chain(&self.watched).chain(&self.leap)
    }

    /// Those of them that a run needs where nobody asks for rows or a log, if its motion is in fields.
    pub fn lively_tapes(&self) -> Option<Vec<&Tape>> {
        let through = self.through.as_ref().filter(|_| self.leap.is_some())?;
        let mut out = self.looping_tapes();
        out.push(&through.tape);
        Some(out)
    }

    /// The tapes of systems before tearing.
    pub fn whole_tapes(&self) -> Vec<&Tape> {
        let mut out = Vec::new();
        for sequence in [&self.derivatives, &self.crossings, &self.outputs, &self.event] {
            sequence.whole_tapes(&mut out);
        }
        self.reach.codes().for_each(|sequence| sequence.whole_tapes(&mut out));
        out.sort_by_key(|tape| tape.id);
        out.dedup_by_key(|tape| tape.id);
        out
    }

    /// The tapes that run again and again.
    pub fn repeated_tapes(&self) -> Vec<&Tape> {
        let mut out = Vec::new();
        for sequence in [&self.derivatives, &self.crossings, &self.outputs, &self.event] {
            sequence.tapes(&mut out);
        }
        let first_cell = out.len();
        self.reach.codes().for_each(|sequence| sequence.tapes(&mut out));
        // To call native code costs as much as some operations.
        let mut at = 0;
        out.retain(|tape| {
            at += 1;
            at <= first_cell || tape.ops.len() >= SHORT
        });
        out.extend(self.looping_tapes());
        out.extend(self.through.as_ref().map(|through| &through.tape));
        out.extend(self.jacobian.codes.iter().map(|code| match code {
            JacobianCode::Tape(tape) | JacobianCode::Solve { tape, .. } => tape,
        }));
        out.extend([&self.crossing_tape, &self.history, &self.settled]);
        out.extend(self.asserts.iter().map(|assert| &assert.tape));
        out.extend(&self.calls);
        for action in self.whens.iter().flat_map(|when| &when.actions) {
            match action {
                ActionCode::Reinit { tape, .. }
                | ActionCode::Assert { tape, .. }
                | ActionCode::Terminate { tape, .. }
                | ActionCode::Call { tape } => out.push(tape),
            }
        }
        out.extend(self.relations.iter().filter_map(|r| r.time.as_ref()).map(|(tape, ..)| tape));
        out.extend(self.state_sets.iter().map(|set| &set.tape));
        out.retain(|tape| !tape.ops.is_empty());
        out
    }
}
