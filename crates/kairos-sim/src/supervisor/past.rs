//! The past that operators with memory read: the way is told them point by point, and jumps that come out are events.

use super::{GLANCES, Run};
use crate::SimError;

/// The way from one accepted point to the next is told at so many points.
const TOLD: u32 = 5;
/// Delays shorter than this part of the run do not bound the steps.
const SHORTEST: f64 = 1e-5;

impl Run<'_> {
    /// How far one may go before what is delayed has to be told what it was.
    pub fn horizon(&self) -> f64 {
        if !self.has_past {
            return f64::INFINITY;
        }
        let span = self.options.range();
        self.t + self.machine.shortest_delay().clamp(SHORTEST * span, span / GLANCES)
    }

    /// Tells the way to `next` to what reads it, up to that point itself: what is integrated is a polynomial between
    /// accepted points, and so are most things that are delayed.
    pub fn remember_way(&mut self, next: f64) {
        self.told = false;
        let width = next - self.t;
        if !self.has_past || width <= 1e-13 * next.abs() {
            return;
        }
        for k in 1..TOLD {
            self.go_to(self.t + width * f64::from(k) / f64::from(TOLD));
            if self.machine.outputs().is_ok() {
                self.machine.accept(std::mem::replace(&mut self.told, true));
            }
        }
    }

    /// Looks whether a jump comes out, at an instant that could not be planned, before `end`; this is then that instant.
    #[inline(never)]
    pub fn look_for_jumps(&mut self, end: &mut f64) -> Result<bool, SimError> {
        *end = end.min(self.horizon());
        let distance = |run: &mut Self, time: f64| {
            run.go_to(time);
            run.machine.distance_of_jumps().map_err(|error| SimError::evaluation(time, error))
        };
        if *end <= self.t || distance(self, *end)? > 0.0 {
            return Ok(false);
        }
        let (mut before, mut after) = (self.t, *end);
        let resolution = 4.0 * f64::EPSILON * after.abs().max(after - before);
        while after - before > resolution {
            let middle = before + 0.5 * (after - before);
            if distance(self, middle)? > 0.0 { before = middle } else { after = middle }
        }
        *end = after;
        Ok(true)
    }
}
