//! Events that no step comes to see, because past them the branch in force leaves its domain.

use super::Run;
use crate::SimError;
use crate::surface::{Surface, SurfaceKind};
use kairos_machine::Effects;
use kairos_numerics::integrate::{Cause, Failure};

/// Could an event just ahead be the reason why a step failed?
pub(super) fn may_hide_an_event(failure: &Failure) -> bool {
    matches!(failure, Failure::StepTooSmall { cause: Cause::Evaluation(_) | Cause::NotFinite { .. }, .. })
}

impl Run<'_> {
    /// Looks a little ahead on the tangent with free relations. True if one of those that are searched for changes its
    /// value there: the instant at which it does is then the present time.
    #[inline(never)]
    pub fn find_beyond(&mut self) -> bool {
        let end = self.glimpse();
        // What holds the motion keeps its relations (`release`): those beside it may change.
        let still = match &self.surface {
            None => Vec::new(),
            Some(surface @ Surface { kind: SurfaceKind::Sliding(_), .. }) => {
                [surface.relations(), surface.carried().to_vec()].concat()
            }
            Some(_) => return false,
        };
        if self.x.is_empty() || self.watch.is_idle() || end <= self.t {
            return false;
        }
        self.solver.at(self.t, &mut self.x);
        if self.tangent().is_err() {
            return false;
        }
        let mut probe = self.machine.clone_machine();
        let mut effects = Effects::default();
        let Run { searched, held, x, slope, moved, t: start, .. } = self;
        let mut switched = |time: f64| {
            for ((moved, x), slope) in moved.iter_mut().zip(x.iter()).zip(slope.iter()) {
                *moved = x + (time - *start) * slope;
            }
            probe.set_time(time);
            probe.set_states(moved);
            let free = probe.event(&[], false, &mut effects).is_ok() && effects.contradiction.is_none();
            let changed = |r: &u32| probe.relations()[*r as usize] != held[*r as usize];
            free && searched.iter().any(|r| changed(r) && !still.contains(r))
        };
        if !switched(end) {
            return false;
        }
        let (mut before, mut after) = (*start, end);
        let resolution = self.watch.resolution.max(f64::EPSILON * after.abs());
        while after - before > resolution {
            let middle = before + 0.5 * (after - before);
            if switched(middle) { after = middle } else { before = middle }
        }
        switched(after);
        self.x.copy_from_slice(&self.moved);
        let mut there = self.watch.z.clone();
        if probe.crossings(&mut there[..self.machine.info().relations.len()]).is_ok() {
            self.watch.found(&there);
        }
        self.solver.restart(after, &self.x, &mut *self.machine);
        self.solver.forget_step();
        self.t = after;
        self.entangled = true;
        true
    }

    /// All variables just before an event at the present time. Where the branch in force is out of its domain already,
    /// the last instant at which it has values is as near as one can come.
    #[inline(never)]
    pub fn evaluate_before(&mut self) -> Result<(), SimError> {
        let now = self.t;
        let Err(failure) = self.evaluate_at(now) else { return Ok(()) };
        let (began, reached) = self.solver.span();
        // An event found on the tangent: there is no step to look back on.
        let width = if began < reached { now - began } else { self.glimpse() - now };

        // Functions that all leave zero together have no values but where they started.
        let smallest = f64::EPSILON * now.abs().max(width);
        let start = (began == reached).then_some(now - self.restarted).filter(|back| *back < width);
        // The step may have begun where the branch was about to leave its domain.
        let far = width.max(self.watch.round_off(now));
        let further = std::iter::successors(Some(smallest), |back| Some(4.0 * back).filter(|b| *b < far));
        for back in start.into_iter().chain(further) {
            if began < reached {
                self.solver.at(now - back, &mut self.moved);
            } else {
                let earlier = self.x.iter().zip(&self.slope).map(|(x, slope)| x - back * slope);
                self.moved.iter_mut().zip(earlier).for_each(|(moved, x)| *moved = x);
            }
            self.machine.set_states(&self.moved);
            self.machine.set_time(now - back);
            if self.machine.outputs().is_ok() {
                self.machine.set_states(&self.x);
                self.machine.set_time(now);
                return Ok(());
            }
        }
        Err(failure)
    }
}
