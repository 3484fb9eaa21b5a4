//! What of a machine's values is up to date, and what a request has to compute.

use crate::cells::Wave;
use crate::diagnostics;
use crate::interpreter::Interpreter;
use crate::machine::{Changes, Eval, EvalError, Machine};
use crate::shortcuts::Motion;
use kairos_program::structure::Seen;
use serde::{Deserialize, Serialize};

/// How far the values are up to date with time, states and discrete variables.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Fresh {
    Nothing,
    Derivatives,
    Crossings,
    Everything,
}

impl Fresh {
    /// Something that is read between events has changed.
    pub(crate) fn see(&mut self, seen: Seen, wave: &mut Wave, changes: &mut Changes) {
        match seen {
            Seen::Nobody => {}
            Seen::Results => *self = (*self).min(Fresh::Crossings),
            Seen::Motion => {
                changes.continuous_affected = true;
                *self = Fresh::Nothing;
                wave.moved();
            }
        }
    }
}

impl Interpreter {
    /// Time, states or what else the motion reads are others.
    #[inline(always)]
    pub(crate) fn stale(&mut self) {
        self.fresh = Fresh::Nothing;
        self.planned = false;
        self.wave.moved();
    }

    /// What was computed for a time or for states is good as long as these are the same, unless it was read off a past
    /// that goes on.
    #[inline(always)]
    pub(crate) fn come_to(&mut self, time: f64) {
        let slot = self.program.memory.time;
        if self.frame.get(slot).to_bits() != time.to_bits() || self.program.info.needs_history {
            self.frame.set(slot, time);
            self.stale();
        }
    }

    pub(crate) fn stand_at(&mut self, x: &[f64]) {
        let mut moved = self.wave.focused && self.states_set(x);
        let values = self.frame.values.as_mut_slice();
        moved |= self.program.info.needs_history;
        for (&slot, &value) in self.program.info.states.iter().zip(x) {
            let held = &mut values[slot as usize];
            moved |= held.to_bits() != value.to_bits();
            *held = value;
        }
        if moved {
            self.stale();
        }
    }

    /// The derivatives as they have been computed.
    pub(crate) fn tell_derivatives(&self, dx: &mut [f64]) -> Eval {
        for (&slot, value) in self.program.info.derivatives.iter().zip(dx.iter_mut()) {
            *value = self.frame.get(slot);
        }
        let finite = dx.iter().fold(true, |finite, value| finite & value.is_finite());
        if finite { Ok(()) } else { Err(self.not_finite(dx)) }
    }

    /// As `derivatives_at`, whatever it takes.
    #[inline(never)]
    pub(crate) fn derivatives_there(&mut self, time: f64, x: &[f64], dx: &mut [f64]) -> Eval {
        if !self.settled && self.program.motion.is_some() {
            self.prepare()?;
            return self.derivatives_at(time, x, dx);
        }
        self.come_to(time);
        self.stand_at(x);
        self.derivatives(dx)
    }

    /// As `crossings_at`, whatever it takes.
    #[inline(never)]
    pub(crate) fn crossings_there(&mut self, time: f64, x: &[f64], z: &mut [f64]) -> Eval {
        if !self.settled && self.program.watched.is_some() {
            self.prepare()?;
            return self.crossings_at(time, x, z);
        }
        self.come_to(time);
        self.stand_at(x);
        self.crossings(z)
    }

    #[cold]
    fn not_finite(&self, dx: &[f64]) -> EvalError {
        // The first variable without a value says more than the derivative that follows from it.
        if let Err(first) = self.check_finite() {
            return first;
        }
        let at = dx.iter().position(|value| !value.is_finite()).unwrap_or(0);
        EvalError::Recoverable(diagnostics::not_finite(&self.program.info.state_names[at], dx[at]))
    }

    /// Parameters, discrete values or relations may be others.
    pub(crate) fn unsettle(&mut self) {
        (self.settled, self.decided) = (false, true);
        self.stale();
    }

    /// Brings what stays as it is until the next event to what follows from the last one.
    #[inline(always)]
    pub(crate) fn prepare(&mut self) -> Eval {
        if self.settled { Ok(()) } else { self.settle_values() }
    }

    fn settle_values(&mut self) -> Eval {
        self.frame.run(&self.program, &self.program.settled)?;
        self.settled = true;
        Ok(())
    }

    /// Evaluates what is wanted and not yet there.
    pub(crate) fn bring(&mut self, wanted: Fresh) -> Eval {
        self.prepare()?;
        let Self { program, frame, fresh, .. } = self;
        if *fresh < Fresh::Derivatives {
            frame.run_sequence(program, &program.derivatives)?;
            *fresh = Fresh::Derivatives;
        }
        if wanted >= Fresh::Crossings && *fresh < Fresh::Crossings {
            frame.run_sequence(program, &program.crossings)?;
            *fresh = Fresh::Crossings;
        }
        if wanted == Fresh::Everything && *fresh < Fresh::Everything {
            frame.run_sequence(program, &program.outputs)?;
            *fresh = Fresh::Everything;
        }
        Ok(())
    }
}
