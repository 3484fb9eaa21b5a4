//! What comes before a run: the values of parameters and the initial system.

use super::Interpreter;
use crate::diagnostics;
use crate::history::History;
use crate::machine::{Effects, Eval, EvalError};
use crate::transport::Transport;
use kairos_program::program::{ParameterCode, Program};
use kairos_program::tape::Destination;

impl Interpreter {
    /// Solves the initial problem at the current time; says in words what had to be assumed.
    pub(crate) fn find_start(&mut self) -> Eval<Vec<String>> {
        if self.broken.is_some() {
            self.compute_parameters()?;
            self.broken = None;
        }
        let program = self.program.clone();
        self.frame.run(&program, &program.starts)?;
        self.keep_inputs();
        self.frame.set(program.initial_flag, 1.0);
        self.frame.set(program.terminal_flag, 0.0);
        self.frame.begin_sets(&program);
        let done = self.solve_initial();
        done.map_err(|error| self.blame(error))?;
        for check in &program.checks {
            self.frame.run(&program, &check.tape)?;
            let (left, right) = (self.frame.get(check.left), self.frame.get(check.right));
            let size = left.abs().max(right.abs()).max(1.0);
            if (left - right).abs() > 1e-6 * size {
                let fault = diagnostics::inconsistent_start(&check.text, left, right, check.span);
                return Err(EvalError::Fatal(fault));
            }
        }
        self.frame.set(program.initial_flag, 0.0);
        self.settle();
        self.frame.reselect(&program)?;
        self.unsettle();
        self.wave.lost = true;
        self.frame.history.iter_mut().for_each(History::clear);
        self.frame.transports.iter_mut().for_each(Transport::clear);
        Ok(program.report.clone())
    }

    /// Makes the calls and asks the asserts of clauses that act at the start; gives the text of a `terminate` among them.
    pub(crate) fn act_at_start(&mut self) -> Eval<Option<String>> {
        let program = self.program.clone();
        let mut told = std::mem::take(&mut self.told);
        let mut acting = program.whens.iter();
        let done = acting.try_for_each(|when| self.act(&program, when, &mut told));
        // A `reinit` at the start is an initial equation.
        self.told = Effects { warnings: told.warnings, ..Effects::default() };
        done.map(|()| told.terminate)
    }

    /// Computes the parameters that nobody has set from outside, in their order.
    ///
    /// Where nothing was set since the last time all of them stand: an external object is constructed once (MLS 12.9.7).
    pub(crate) fn compute_parameters(&mut self) -> Eval {
        if self.computed_at.as_ref().is_some_and(|at| self.stands_as(at)) {
            return Ok(());
        }
        self.computed_at = None;
        let program = self.program.clone();
        let mut first = 0;
        for code in &program.parameters {
            let all = first..first + code.to.len();
            first = all.end;
            let numbers = code.to.iter().zip(all.clone()).filter_map(|(to, k)| match to {
                Destination::Number(slot) => Some((k, *slot)),
                _ => None,
            });
            let mut given = Vec::new();
            for (k, slot) in numbers.clone() {
                let value = self.frame.get(slot);
                self.overridden[k] |= value != self.computed[k];
                if self.overridden[k] {
                    given.push((slot, value));
                }
            }
            if !self.overridden[all].iter().all(|overridden| *overridden) {
                self.parameters(&program, code)?;
                given.iter().for_each(|&(slot, value)| self.frame.set(slot, value));
            }
            for (k, slot) in numbers {
                self.computed[k] = self.frame.get(slot);
            }
        }
        self.unsettle();
        self.computed_at = Some(self.frame.values.to_vec());
        Ok(())
    }

    /// Is the memory as it was, up to the time, of which no parameter speaks?
    fn stands_as(&self, before: &[f64]) -> bool {
        let same = |(k, (a, b)): (usize, (&f64, &f64))| {
            a.to_bits() == b.to_bits() || k == self.program.memory.time as usize
        };
        before.len() == self.frame.values.len() && before.iter().zip(&self.frame.values).enumerate().all(same)
    }

    /// Computes parameters; a failure is told with the name and the place of the first.
    fn parameters(&mut self, program: &Program, code: &ParameterCode) -> Eval {
        self.frame.run(program, &code.tape).map_err(|error| {
            let (name, span) = &code.places[0];
            let (EvalError::Recoverable(mut fault) | EvalError::Fatal(mut fault)) = error;
            if fault.span.is_none() {
                fault.span = Some(*span);
                fault.message = format!("`{name}` cannot be computed: {}", fault.message);
            }
            EvalError::Fatal(fault)
        })
    }

    /// The initial system, by homotopy where the model offers one: of several solutions the simplified one leads to the
    /// one that is meant.
    fn solve_initial(&mut self) -> Eval {
        let program = self.program.clone();
        if program.has_homotopy {
            let clean = self.frame.values.clone();
            match self.follow_homotopy(&program) {
                Err(EvalError::Recoverable(_)) => self.frame.values = clean,
                done => return done,
            }
        }
        self.frame.set(program.lambda, 1.0);
        self.frame.run_all(&program, &program.initial)
    }

    /// From the simplified system to the actual one: at once, or else step by step.
    fn follow_homotopy(&mut self, program: &Program) -> Eval {
        self.frame.set(program.lambda, 0.0);
        self.frame.run_all(program, &program.initial)?;
        let (mut at, mut step) = (0.0, 1.0);
        while at < 1.0 {
            let saved = self.frame.values.clone();
            let next = f64::min(at + step, 1.0);
            self.frame.set(program.lambda, next);
            match self.frame.run_all(program, &program.initial) {
                Ok(()) => {
                    at = next;
                    step *= 1.6;
                }
                Err(error) => {
                    self.frame.values = saved;
                    step *= if step == 1.0 { 0.1 } else { 0.4 };
                    if step < 1e-5 {
                        return Err(error);
                    }
                }
            }
        }
        Ok(())
    }
}
