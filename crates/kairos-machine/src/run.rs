//! Running tapes: the reference interpreter of operations.

use crate::calls::{self, External};
use crate::diagnostics;
use crate::history::History;
use crate::machine::{Eval, EvalError, Fault};
use crate::native::{Attached, Codes, Native, Ran};
use crate::space::Space;
use crate::texts::Texts;
use crate::transport::Transport;
use kairos_expr::Value;
use kairos_program::operation::step;
use kairos_program::program::{Code, MixedCode, Program, Solve};
use kairos_program::tape::{Op, Slot, Tape};
use std::sync::Arc;

/// The changing part of a machine.
#[derive(Clone)]
pub struct Frame {
    pub values: Vec<f64>,
    pub others: Vec<Value>,
    pub texts: Texts,
    pub results: Vec<Option<Value>>,
    pub external: Arc<dyn External>,
    /// Recorded points of each delay.
    pub history: Vec<History>,
    pub transports: Vec<Transport>,
    /// Work space of each system.
    pub spaces: Vec<Option<Box<Space>>>,
    pub native: Option<Attached>,
    /// Memory of routines that run, one for each depth.
    pub frames: Vec<Vec<f64>>,
    /// Arguments and results of the last call at each place that calls a routine.
    pub last_calls: Vec<Vec<f64>>,
    /// Relations that keep a value whatever their sides are, by their slots.
    pub pins: Vec<(Slot, f64)>,
    /// A linear system was singular since this was last cleared.
    pub singular: bool,
    /// The block whose relations follow the iterates of its system instead of being held.
    pub free: Option<Arc<MixedCode>>,
    /// Systems are tried from their guesses only: other combinations of relations are waiting.
    pub brief: bool,
    /// What is evaluated is only shown to somebody: nothing is learnt from it.
    pub looks: bool,
    /// A block without a solution may wait for the left limits of the next evaluation; then this is what it says.
    pub lenient: bool,
    /// Linear systems whose last solution left something open, by their numbers, and what is to be said of them.
    pub open: Vec<(u32, Fault)>,
    pub contradiction: Option<Box<Fault>>,
}

impl Frame {
    pub fn new(program: &Program, external: Arc<dyn External>) -> Frame {
        let (values, others, results) = calls::image(&program.memory);
        Frame {
            values,
            others,
            texts: Texts::default(),
            results,
            external,
            pins: Vec::new(),
            singular: false,
            free: None,
            brief: false,
            looks: false,
            lenient: false,
            open: Vec::new(),
            contradiction: None,
            native: None,
            frames: Vec::new(),
            last_calls: Vec::new(),
            history: vec![History::default(); program.memory.delays.len()],
            transports: vec![Transport::default(); program.memory.transports.len()],
            spaces: vec![None; program.memory.solves.len()],
        }
    }

    /// What comes out of a `spatialDistribution`; the site as in `Op::Transport`.
    pub fn transport(&self, site: u32, value: f64, x: f64) -> f64 {
        self.transports[site as usize / 2].at(x, value, site % 2 == 1).unwrap_or(f64::NAN)
    }

    pub fn get(&self, slot: Slot) -> f64 {
        self.values[slot as usize]
    }

    pub fn set(&mut self, slot: Slot, value: f64) {
        self.values[slot as usize] = value;
    }

    pub fn run_all(&mut self, program: &Program, codes: &[Code]) -> Eval {
        for code in codes {
            match code {
                Code::Tape(tape) => self.run(program, tape)?,
                Code::Solve(solve) => self.solve(program, solve)?,
                Code::Mixed(mixed) => self.mixed(program, mixed)?,
            }
        }
        Ok(())
    }

    /// A tape that goes round for long: it is worth code of its own at once.
    pub fn run_loop(&mut self, program: &Program, tape: &Tape) -> Eval {
        match self.run_native(program, tape, Codes::hurry) {
            Ran::Done => Ok(()),
            Ran::Not => self.run_interpreted(program, tape),
            Ran::Failed(error) => Err(*error),
        }
    }

    #[inline(always)]
    pub fn run(&mut self, program: &Program, tape: &Tape) -> Eval {
        match self.run_native(program, tape, Codes::get) {
            Ran::Done => Ok(()),
            Ran::Not => self.run_interpreted(program, tape),
            Ran::Failed(error) => Err(*error),
        }
    }

    /// A tape of a system, which may be one before tearing.
    #[inline(always)]
    pub fn run_of(&mut self, program: &Program, solve: &Solve, tape: &Tape) -> Eval {
        if !solve.is_whole {
            return self.run(program, tape);
        }
        match self.run_native(program, tape, Codes::wholes) {
            Ran::Done => Ok(()),
            Ran::Not => self.run_interpreted(program, tape),
            Ran::Failed(error) => Err(*error),
        }
    }

    #[inline(always)]
    fn run_native(
        &mut self,
        program: &Program,
        tape: &Tape,
        code: impl Fn(&Codes) -> Option<&dyn Native>,
    ) -> Ran {
        if !self.pins.is_empty() {
            return Ran::Not;
        }
        // Taken out meanwhile, so that the code may use the frame.
        let Some(attached) = self.native.take() else { return Ran::Not };
        let ran = code(&attached).map_or(Ran::Not, |native| native.run(tape.id, program, self));
        self.native = Some(attached);
        ran
    }

    #[inline(never)]
    pub(crate) fn run_interpreted(&mut self, program: &Program, tape: &Tape) -> Eval {
        let ops = &tape.ops;
        let mut at = 0;
        while let Some(op) = ops.get(at) {
            at += 1;
            match *op {
                Op::Invoke { site } => self.invoke_site(program, site)?,
                Op::Call { site } => self.call(program, &program.memory.calls[site as usize])?,
                Op::CallTangent { site } => {
                    self.call_tangent(program, &program.memory.tangents[site as usize])?;
                }
                Op::Evaluate { site } => self.evaluate(program, program.memory.evaluations[site as usize])?,
                Op::Delay { to, delay, value, time } => {
                    let now = self.get(program.memory.time);
                    let past = self.history[delay as usize].at(now - self.get(time), now, self.get(value));
                    self.set(to, past);
                }
                Op::Transport { to, site, value, x } => {
                    let out = self.transport(site, self.get(value), self.get(x));
                    self.set(to, out);
                }
                op => match step(op, &mut self.values, at) {
                    Some(next) => {
                        at = next;
                        if !self.pins.is_empty() {
                            self.keep_pins(op);
                        }
                    }
                    None => return Err(EvalError::Recoverable(diagnostics::outside(op, &self.values))),
                },
            }
        }
        Ok(())
    }

    /// The value that a relation keeps, if it does.
    pub fn pinned(&self, relation: Slot) -> Option<f64> {
        self.pins.iter().find(|(slot, _)| *slot == relation).map(|(_, value)| *value)
    }

    #[cold]
    fn keep_pins(&mut self, op: Op) {
        if let Some((slot, value)) = op.target().and_then(|slot| Some((slot, self.pinned(slot)?))) {
            self.set(slot, value);
        }
    }
}
