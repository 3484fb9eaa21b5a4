//! Crossings that only round-off separates from something planned: both are one event.
//!
//! A crossing found just before a planned instant waits for it. One that would be found just after it is seen from there, on
//! the solution as it would have gone on: the event then has the states of just past the crossing, while its time is the
//! planned one, so that what is planned from it is not later by round-off.

use super::Run;
use crate::calendar::same_instant;
use crate::iterate::Outcome;
use crate::{SimError, Summary};
use kairos_machine::Eval;

/// How far to look past an instant, in parts of what round-off may separate.
const LOOKS: [f64; 4] = [1.0 / 64.0, 1.0 / 16.0, 0.25, 1.0];

/// An event that crossings belong to: when it is, and how much later its states are.
#[derive(Clone, Copy)]
struct Meeting {
    time: f64,
    ahead: f64,
}

impl Run<'_> {
    /// Is a hit the same event as something that is planned then or a little later? What has only touched zero, and is over
    /// by then, is an event of its own.
    #[inline(never)]
    pub(super) fn belongs_to(&mut self, planned: f64, hit: f64) -> bool {
        let near = planned - hit <= self.watch.round_off(hit);
        if self.surface.is_some() || !near {
            return false;
        }
        if !self.whole_hit {
            return true;
        }
        let mut z = self.watch.z.clone();
        let seen = self.crossings_beside(planned, planned, &mut z).is_ok();
        if planned > hit && !same_instant(planned, hit) && !(seen && self.watch.stays_hit(&z)) {
            return false;
        }
        self.watch.z = z;
        true
    }

    /// How far to go back from `planned`, which a hit belongs to, because what is planned keeps that from happening: a motion
    /// that turns just where it would cross has not crossed, unless its relation changes at zero itself.
    #[inline(never)]
    pub(super) fn step_back(&mut self, planned: f64) -> f64 {
        if !self.whole_hit || self.x.is_empty() {
            return 0.0;
        }
        let hits: Vec<u32> = self.watch.hits().map(|(r, _)| r).collect();
        if hits.iter().any(|r| self.changes_at_zero(r)) {
            return 0.0;
        }
        let mut z = self.watch.z.clone();
        for by in LOOKS.map(|part| 2.0 * part * self.watch.round_off(planned)) {
            let seen = self.crossings_beside(planned, planned - by, &mut z).is_ok();
            if seen && !hits.iter().any(|&r| self.watch.is_beyond(r, &z)) {
                return if self.goes_on(planned, planned - by, &hits) { 0.0 } else { -by };
            }
        }
        0.0
    }

    fn changes_at_zero(&self, r: &u32) -> bool {
        let r = *r as usize;
        self.machine.info().relations.get(r).is_some_and(|relation| relation.at_zero != self.held[r])
    }

    /// Can only one thing happen at the next instant?
    #[inline]
    pub(super) fn is_alone(&self, hit: Option<f64>) -> bool {
        hit.is_none() && self.lookouts.is_empty() && !self.watch.is_about_to_cross()
    }

    /// Puts crossings and planned instants together that only round-off separates. `next` is the instant up to which nothing
    /// else happens, `event` whether something happens there, `hit` whether it was found by the search, which came to `end`.
    /// Gives how much later than the event its states are. What the motion does not see, and what is earlier, is dealt with.
    #[inline(never)]
    pub(super) fn bring_together(
        &mut self,
        end: f64,
        next: &mut f64,
        hit: &mut Option<f64>,
        event: &mut bool,
    ) -> Result<f64, SimError> {
        let near = self.watch.round_off(*next);
        if let Some(found) = *hit {
            self.pass_quiet(found - near, false)?;
            // Behind its end the search has not looked for what crosses together with the hit.
            if self.whole_hit && found + near >= end {
                self.watch.stand_at_hit();
                if let Some(meeting) = self.look_past(found, true) {
                    *next = meeting.time;
                    return Ok(meeting.ahead);
                }
            }
            return Ok(self.meet_quiet(found, next));
        }
        if *event {
            let Some(meeting) = self.look_past(*next, true) else { return Ok(0.0) };
            *next = meeting.time;
            return Ok(meeting.ahead);
        }
        if self.sources.next_quiet() > *next || !self.watch.is_about_to_cross() {
            return Ok(0.0);
        }
        self.pass_quiet(*next - near, false)?;
        let quiet = self.sources.next_quiet();
        let meeting = if quiet > *next { None } else { self.look_past(*next, true) };
        let Some(Meeting { time, ahead }) = meeting else { return Ok(0.0) };
        (*hit, *event) = (Some(time), true);
        *next = if ahead > 0.0 { quiet } else { time };
        Ok(time + ahead - *next)
    }

    /// Looks whether the motion does not see something that happens with a hit.
    #[inline(never)]
    fn meet_quiet(&mut self, found: f64, next: &mut f64) -> f64 {
        let quiet = self.sources.next_quiet();
        if quiet >= found {
            if self.belongs_to(quiet, found) && quiet < self.options.stop {
                *next = quiet;
            }
            return 0.0;
        }
        let mut z = self.watch.z.clone();
        if !self.x.is_empty()
            && self.crossings_beside(quiet, found, &mut z).is_ok()
            && self.watch.stays_hit(&z)
        {
            *next = quiet;
            return found - quiet;
        }
        0.0
    }

    /// What is about to happen as the run ends belongs to its end.
    pub(super) fn look_past_end(&mut self) -> Result<(), SimError> {
        let Summary { terminated, .. } = &self.summary;
        if self.ahead == 0.0 && self.surface.is_none() && terminated.is_none() && !self.x.is_empty() {
            let meeting = self.look_past(self.t, false).filter(|meeting| meeting.time == self.t);
            self.ahead = meeting.map_or(0.0, |meeting| meeting.ahead);
        }
        Ok(())
    }

    /// Looks for crossings that follow an event at `t` within round-off. `goes_on`: those, too, that are none at `t` itself,
    /// because their relations change only beyond zero, provided that they still come after the event.
    #[inline(never)]
    fn look_past(&mut self, t: f64, goes_on: bool) -> Option<Meeting> {
        let near = self.watch.round_off(t);
        let mut meeting = Meeting { time: t, ahead: self.parts_past(t, near) };
        if self.watch.is_about_to_cross() {
            let mut z = self.watch.z.clone();
            self.crossings_beside(t + near, t + near, &mut z).ok()?;
            let crossed = self.watch.crossed(&z);
            let at_once = crossed.iter().any(|r| self.changes_at_zero(r));
            if !crossed.is_empty() && (at_once || goes_on && self.goes_on(t, t, &crossed)) {
                let found = self.meet(t, near, &crossed, &mut z)?;
                meeting = Meeting { time: found.time, ahead: found.ahead.max(meeting.ahead) };
                self.watch.found(&z);
                self.whole_hit = true;
            }
        }
        self.entangled |= meeting.ahead > 0.0 || meeting.time > t;
        (meeting.ahead > 0.0 || meeting.time > t).then_some(meeting)
    }

    /// The least that states, or else time, must be ahead for all that cross to have done so.
    fn meet(&mut self, t: f64, near: f64, crossed: &[u32], z: &mut [f64]) -> Option<Meeting> {
        for by_states in [true, false] {
            for by in LOOKS.map(|part| part * near) {
                let time = if by_states { t } else { t + by };
                if by_states && self.x.is_empty() || time > self.options.stop {
                    break;
                }
                let seen = self.crossings_beside(time, t + by, z).is_ok();
                if seen && crossed.iter().all(|&r| self.watch.is_beyond(r, z)) {
                    return Some(Meeting { time, ahead: t + by - time });
                }
            }
        }
        None
    }

    /// Would these crossings come all the same after what is planned for `t`, begun with the states of another time?
    fn goes_on(&mut self, t: f64, states: f64, crossed: &[u32]) -> bool {
        self.sources.collect(t);
        let range = self.options.range();
        let later = (t + 1e-9 * t.abs().max(1e-3 * range)).min(self.sources.next());
        if !self.moved.is_empty() {
            self.solver.at(states, &mut self.moved);
        }
        let mut probe = self.machine.clone_machine();
        probe.set_time(t);
        probe.set_states(&self.moved);
        let Run { iteration, sources, memory, watch, .. } = self;
        let mut outcome = Outcome::default();
        let settled = probe.left_limit().is_ok()
            && iteration.run(&mut *probe, t, sources, false, false, &memory.guesses, &mut outcome).is_ok();
        if !settled || later <= t || outcome.terminate.is_some() {
            return false;
        }
        let count = probe.info().states.len();
        let (mut x, mut slope, mut z) = (vec![0.0; count], vec![0.0; count], watch.z.clone());
        probe.get_states(&mut x);
        if probe.derivatives_at(t, &x, &mut slope).is_err() {
            return false;
        }
        x.iter_mut().zip(&slope).for_each(|(x, slope)| *x += (later - t) * slope);
        let relations = probe.info().relations.len();
        probe.crossings_at(later, &x, &mut z[..relations]).is_ok()
            && crossed.iter().all(|&r| watch.is_beyond(r, &z))
    }

    /// The crossing functions at a time, with the states of another.
    fn crossings_beside(&mut self, time: f64, states: f64, z: &mut [f64]) -> Eval {
        if !self.moved.is_empty() {
            self.solver.at(states, &mut self.moved);
        }
        let relations = self.machine.info().relations.len();
        self.machine.crossings_at(time, &self.moved, &mut z[..relations])
    }
}
