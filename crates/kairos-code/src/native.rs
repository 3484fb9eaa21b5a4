//! Where a program's tapes may run as native code instead of by interpretation.

use crate::machine::Eval;
use crate::program::{ActionCode, Code, JacobianCode, Program};
use crate::run::Frame;
use crate::tape::Tape;
use std::sync::{Arc, OnceLock};

/// Tapes as native code.
pub trait Native: Send + Sync {
    /// Runs the tape with this number; `None` if there is no code for it.
    fn run(&self, id: u32, program: &Program, frame: &mut Frame) -> Option<Eval>;
}

/// The native code of a program, once it is there.
pub type Attached = Arc<OnceLock<Box<dyn Native>>>;

/// Tapes of cells below this are interpreted.
const SHORT: usize = 6;

impl Program {
    /// The tapes that run again and again.
    pub fn repeated_tapes(&self) -> Vec<&Tape> {
        let mut out = Vec::new();
        for codes in [&self.derivatives, &self.crossings, &self.outputs, &self.event] {
            tapes_of(codes, &mut out);
        }
        let first_cell = out.len();
        self.reach.codes().for_each(|codes| tapes_of(codes, &mut out));
        // To call native code costs as much as some operations.
        let mut at = 0;
        out.retain(|tape| {
            at += 1;
            at <= first_cell || tape.ops.len() >= SHORT
        });
        out.extend(self.reach.islands.iter().map(|island| &island.tape));
        out.extend(self.jacobian.codes.iter().map(|code| match code {
            JacobianCode::Tape(tape) | JacobianCode::Solve { tape, .. } => tape,
        }));
        out.extend([&self.crossing_tape, &self.history]);
        out.extend(self.asserts.iter().map(|assert| &assert.tape));
        out.extend(&self.calls);
        for action in self.whens.iter().flat_map(|when| &when.actions) {
            match action {
                ActionCode::Reinit { tape, .. }
                | ActionCode::Assert { tape, .. }
                | ActionCode::Call { tape } => out.push(tape),
                ActionCode::Terminate { .. } => {}
            }
        }
        out.extend(self.relations.iter().filter_map(|r| r.time.as_ref()).map(|(tape, ..)| tape));
        out.extend(self.state_sets.iter().map(|set| &set.tape));
        out.retain(|tape| !tape.ops.is_empty());
        out
    }
}

fn tapes_of<'a>(codes: &'a [Code], out: &mut Vec<&'a Tape>) {
    for code in codes {
        match code {
            Code::Tape(tape) => out.push(tape),
            Code::Solve(solve) => out.extend([&solve.tape, &solve.tangent]),
            Code::Mixed(mixed) => {
                tapes_of(&mixed.continuous, out);
                tapes_of(&mixed.discrete, out);
                out.push(&mixed.decide);
            }
        }
    }
}
