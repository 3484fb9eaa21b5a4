//! What an event does beyond values: asserts that are asked, and clauses that act.

use super::Interpreter;
use crate::diagnostics;
use crate::machine::{Effects, Eval, EvalError};
use kairos_program::program::{ActionCode, AssertCode, Program, WhenCode};

impl Interpreter {
    pub(crate) fn assert_holds(
        &mut self,
        program: &Program,
        assert: &AssertCode,
        effects: &mut Effects,
    ) -> Eval {
        self.frame.run(program, &assert.tape)?;
        if self.frame.get(assert.condition) != 0.0 {
            return Ok(());
        }
        let message = self.frame.text(program, assert.message);
        if assert.warning {
            effects.warnings.push((message, assert.span));
            return Ok(());
        }
        let values = assert.values.iter().map(|(name, slot)| (name.clone(), self.frame.get(*slot))).collect();
        Err(EvalError::Recoverable(diagnostics::assertion(&message, assert.span, values)))
    }

    /// Clauses that act, and calls for what they do.
    pub(super) fn take_effect(&mut self, effects: &mut Effects) -> Eval {
        let acts = |when: &WhenCode| self.frame.get(when.fire) != 0.0;
        if self.program.calls.is_empty() && !self.program.whens.iter().any(acts) {
            return Ok(());
        }
        let program = self.program.clone();
        for when in &program.whens {
            self.act(&program, when, effects)?;
        }
        program.calls.iter().try_for_each(|tape| self.frame.run(&program, tape))
    }

    pub(super) fn check_asserts(&mut self, effects: &mut Effects) -> Eval {
        if self.program.asserts.is_empty() {
            return Ok(());
        }
        let program = self.program.clone();
        for assert in &program.asserts {
            self.watch_assert(&program, assert, effects)?;
        }
        Ok(())
    }

    /// As `assert_holds`; a warning is given when the condition begins to be violated, not as long as it is.
    pub(crate) fn watch_assert(
        &mut self,
        program: &Program,
        assert: &AssertCode,
        effects: &mut Effects,
    ) -> Eval {
        let before = effects.warnings.len();
        self.assert_holds(program, assert, effects)?;
        let known = self.violated.iter().position(|&condition| condition == assert.condition);
        match (effects.warnings.len() > before, known) {
            (true, Some(_)) => effects.warnings.truncate(before),
            (true, None) => self.violated.push(assert.condition),
            (false, Some(at)) => {
                self.violated.swap_remove(at);
            }
            (false, None) => {}
        }
        Ok(())
    }

    /// The actions of a when-clause, if it acts.
    pub(crate) fn act(&mut self, program: &Program, when: &WhenCode, effects: &mut Effects) -> Eval {
        if self.frame.get(when.fire) == 0.0 {
            return Ok(());
        }
        effects.fired.push(when.span);
        for action in &when.actions {
            match action {
                ActionCode::Reinit { state, value, tape } => {
                    self.frame.run(program, tape)?;
                    effects.reinits.push((*state, self.frame.get(*value)));
                }
                ActionCode::Assert { condition, tape, message, warning, span } => {
                    let assert = AssertCode {
                        condition: *condition,
                        tape: tape.clone(),
                        message: *message,
                        warning: *warning,
                        span: *span,
                        values: Vec::new(),
                    };
                    self.assert_holds(program, &assert, effects)?;
                }
                ActionCode::Terminate { condition, tape, message } => {
                    self.frame.run(program, tape)?;
                    if self.frame.get(*condition) != 0.0 {
                        effects.terminate = Some(self.frame.text(program, *message));
                    }
                }
                ActionCode::Call { tape } => self.frame.run(program, tape)?,
            }
        }
        Ok(())
    }
}
