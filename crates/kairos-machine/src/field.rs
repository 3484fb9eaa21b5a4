//! Evaluating fields: numbers as functions of time and states that leave the machine where it stands.

use crate::run::Frame;
use kairos_program::{Field, Program};

impl Frame {
    /// Evaluates a field; false where it gives up: then the codes that it was made of know every way out.
    #[inline(always)]
    pub fn run_field(
        &mut self,
        program: &Program,
        field: &Field,
        time: f64,
        states: &[f64],
        results: &mut [f64],
    ) -> bool {
        if let Some(done) = self.run_native_field(field, time, states, results) {
            return done;
        }
        // Interpreted, the codes themselves take less: nothing has to be copied.
        field.alone && self.interpret_field(program, field, time, states, results)
    }

    /// The same in native code; `None` where there is none.
    #[inline(always)]
    pub fn run_native_field(
        &mut self,
        field: &Field,
        time: f64,
        states: &[f64],
        results: &mut [f64],
    ) -> Option<bool> {
        let native = self.native.as_ref().and_then(|codes| codes.get())?;
        native.run_field(field.tape.id, &mut self.values, time, states, results)
    }

    #[inline(never)]
    fn interpret_field(
        &mut self,
        program: &Program,
        field: &Field,
        time: f64,
        states: &[f64],
        results: &mut [f64],
    ) -> bool {
        self.set(field.time, time);
        for (&slot, &value) in field.states.iter().zip(states) {
            self.set(slot, value);
        }
        let done = self.run_interpreted(program, &field.tape).is_ok();
        for &(slot, place) in field.results.iter().filter(|_| done) {
            results[place as usize] = self.get(slot);
        }
        done
    }
}
