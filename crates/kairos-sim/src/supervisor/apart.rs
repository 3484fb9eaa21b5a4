//! State events of parts that do not act on each other: each part is searched by itself, along its own steps.
//!
//! What a part's functions do until the end of its step is looked at once. An event elsewhere leaves that as it is; only
//! parts that it has touched are looked at again.

use super::{GLANCES, Run};
use crate::SimError;
use crate::crossing::Watch;
use kairos_machine::{Eval, EvalError, Machine};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The search for the events of one part.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Lookout {
    number: usize,
    /// Its place among the parts of the integrator.
    place: usize,
    states: Range<usize>,
    /// Relations of the whole, by the part's own numbers.
    relations: Vec<u32>,
    watch: Watch,
    held: Vec<bool>,
    /// Nothing happens before this instant; at it, if `hit`.
    clear: f64,
    hit: bool,
    /// The integration of the part has just restarted.
    fresh: bool,
    x: Vec<f64>,
    slope: Vec<f64>,
    moved: Vec<f64>,
}

impl Run<'_> {
    /// Searches parts by themselves, where the integrator has them. The relations of several parts stay with the whole.
    pub(super) fn separate(&mut self) {
        self.gather();
        if self.surface.is_some() || self.machine.info().needs_history {
            return;
        }
        let range = self.options.range();
        for (place, number) in self.solver.numbers().enumerate() {
            let info = self.machine.info();
            let part = &info.parts[number];
            let (states, relations) = (part.states.clone(), part.relations.clone());
            let count = relations.len();
            let local = (0..count as u32).collect();
            let mut watch = Watch::new(count, local, range, self.options.tolerance);
            watch.orient(relations.iter().map(|&r| info.relations[r as usize].true_side));
            self.watch.relations.retain(|r| !relations.contains(r));
            let zeros = || vec![0.0; states.len()];
            self.lookouts.push(Lookout {
                number,
                place,
                relations,
                watch,
                held: vec![false; count],
                clear: f64::NEG_INFINITY,
                hit: false,
                fresh: true,
                x: zeros(),
                slope: zeros(),
                moved: zeros(),
                states,
            });
        }
    }

    /// Finds the relations of parts that make the present event; false if it may concern all of the model.
    #[inline(never)]
    pub(super) fn trigger_parts(&mut self) -> bool {
        if self.rows || !self.watch.is_idle() || self.history.suspects_sliding(self.t, self.time_scale()) {
            return false;
        }
        let now = self.t + self.ahead;
        let relations = &mut self.sources.trigger.relations;
        for lookout in self.lookouts.iter().filter(|lookout| lookout.hit && lookout.clear <= now) {
            let first = relations.len();
            lookout.watch.suspects(&lookout.held, true, relations);
            relations[first..].iter_mut().for_each(|k| *k = lookout.relations[*k as usize]);
        }
        true
    }

    /// Brings those parts to the present that what happens now can reach, and nothing else; false if that may be all.
    #[inline(never)]
    pub(super) fn bring_parts(&mut self) -> bool {
        let Run { sources, machine, solver, x, t, ahead, wanted, .. } = self;
        wanted.clear();
        for source in sources.trigger.sources() {
            match machine.reached(source).states {
                Some(states) => wanted.extend(states),
                None => return false,
            }
        }
        wanted.sort_unstable();
        wanted.dedup();
        let places = solver.some_at(*t + *ahead, wanted, x);
        wanted.iter().for_each(|&state| machine.set_state(state, x[state as usize]));
        machine.set_time(*t);
        self.brought = Some(places);
        true
    }

    /// Brings all others to the present, too.
    pub fn bring_others(&mut self) {
        let Some(places) = self.brought.take() else { return };
        let Run { machine, solver, x, t, ahead, layout, .. } = self;
        let others = solver.others_at(*t + *ahead, &places, x).into_iter().flatten();
        let others: Vec<(u32, u32)> = others.map(|k| (k as u32, layout[k])).collect();
        machine.set_inputs(&others, x);
    }

    /// Gives all relations back to the search of the whole.
    pub fn gather(&mut self) {
        for lookout in self.lookouts.drain(..) {
            self.watch.take_over(&lookout.watch, &lookout.relations);
        }
        self.watch.relations.clone_from(&self.searched);
    }

    /// As `gather`, in the middle of a run.
    #[inline(never)]
    pub fn gather_here(&mut self) -> Result<(), SimError> {
        if self.lookouts.is_empty() {
            return Ok(());
        }
        self.gather();
        self.solver.improve(self.t, &mut self.x);
        self.machine.set_time(self.t);
        self.machine.set_states(&self.x);
        self.rearm()
    }

    /// Looks ahead in the parts that have come to the end of what was looked at. Gives the first instant at which
    /// something happens in one of them, and the end of what is known of all.
    #[inline(never)]
    pub(super) fn look_ahead(&mut self) -> Result<(Option<f64>, f64), SimError> {
        let glance = self.options.range() / GLANCES;
        let (mut first, mut end) = (f64::INFINITY, f64::INFINITY);
        for lookout in &mut self.lookouts {
            if !lookout.hit && lookout.clear <= self.t {
                let Some(part) = self.machine.part(lookout.number) else { continue };
                let solver = self.solver.of(lookout.place);
                let until = (lookout.clear + glance).min(solver.span().1);
                let mut at = |time: f64, x: &mut [f64]| solver.at(time, x);
                lookout.search(part, until, &mut at).map_err(|e| SimError::evaluation(self.t, e))?;
            }
            match lookout.hit {
                true => first = first.min(lookout.clear),
                false => end = end.min(lookout.clear),
            }
        }
        if first == f64::INFINITY {
            return Ok((None, end));
        }
        // What happens in several parts at instants that only round-off separates is one event.
        let together = first + self.watch.round_off(first);
        let others = self.lookouts.iter().filter(|lookout| lookout.hit && lookout.clear <= together);
        let last = others.fold(first, |last, lookout| last.max(lookout.clear));
        Ok((Some(if last <= end { last } else { first }), end))
    }

    /// How far past `t` parts cross that only round-off, which is `near`, separates from it, at zero itself.
    pub(super) fn parts_past(&self, t: f64, near: f64) -> f64 {
        let relations = &self.machine.info().relations;
        let past = self.lookouts.iter().filter(|lookout| lookout.hit && lookout.clear <= t + near);
        let at_once = |lookout: &&Lookout| {
            lookout.watch.hits().any(|(k, _)| {
                relations[lookout.relations[k as usize] as usize].at_zero != lookout.held[k as usize]
            })
        };
        past.filter(at_once).fold(0.0, |ahead, lookout| (lookout.clear - t).max(ahead))
    }

    /// After an event: watches the functions of the parts it has touched from their present values on.
    #[inline(never)]
    pub(super) fn rearm_parts(&mut self) -> Result<(), SimError> {
        let by = 1e-7 * self.options.range();
        let held = self.machine.relations();
        self.held[..held.len()].copy_from_slice(held);
        let mut touched = Vec::new();
        for (k, lookout) in self.lookouts.iter_mut().enumerate() {
            let (from, to) = self.solver.of(lookout.place).span();
            let restarted = from == to;
            let same = lookout.relations.iter().zip(&lookout.held).all(|(&r, h)| held[r as usize] == *h);
            if restarted || lookout.clear <= self.t || !same {
                lookout.held.clear();
                lookout.held.extend(lookout.relations.iter().map(|&r| held[r as usize]));
                lookout.fresh = restarted && self.fresh;
                touched.push(k);
            }
        }
        for k in touched {
            let Run { lookouts, machine, solver, x, t, .. } = self;
            let lookout = &mut lookouts[k];
            let Some(part) = machine.part(lookout.number) else { continue };
            solver.of(lookout.place).at(*t, &mut x[lookout.states.clone()]);
            lookout.x.copy_from_slice(&x[lookout.states.clone()]);
            lookout.rearm(part, *t, by).map_err(|e| SimError::evaluation(*t, e))?;
        }
        Ok(())
    }

    /// Looks just past a restart of parts, as `peek` does for the whole.
    #[inline(never)]
    pub(super) fn peek_parts(&mut self) -> Result<bool, SimError> {
        if self.lookouts.is_empty() {
            return Ok(false);
        }
        let end = self.glimpse();
        let (mut first, mut found) = (end, None);
        for k in 0..self.lookouts.len() {
            let Run { lookouts, machine, t, .. } = self;
            let lookout = &mut lookouts[k];
            if std::mem::take(&mut lookout.fresh)
                && *t < end
                && let Some(part) = machine.part(lookout.number)
                && let Some(hit) = lookout.peek(part, *t, first)
            {
                (first, found) = (hit, Some(k));
            }
        }
        let Some(k) = found else { return Ok(false) };
        let start = self.t;
        let Run { lookouts, x, .. } = self;
        let lookout = &mut lookouts[k];
        (lookout.hit, lookout.clear) = (true, first);
        let slope = lookout.slope.iter().map(|slope| (first - start) * slope);
        let states = &mut x[lookout.states.clone()];
        states.iter_mut().zip(slope).for_each(|(x, by)| *x += by);
        self.solver.restart_part(lookout.place, first, states);
        self.t = first;
        Ok(true)
    }

    /// Relations that were hit, with the direction.
    pub fn hits(&self) -> Vec<(u32, bool)> {
        let now = self.t + self.ahead;
        let mut hits: Vec<(u32, bool)> =
            if self.whole_hit { self.watch.hits().collect() } else { Vec::new() };
        for lookout in self.lookouts.iter().filter(|lookout| lookout.hit && lookout.clear <= now) {
            hits.extend(lookout.watch.hits().map(|(k, up)| (lookout.relations[k as usize], up)));
        }
        hits
    }

    /// The hits were an event, or nothing.
    #[inline(never)]
    pub(super) fn believe(&mut self, event: bool) {
        let now = self.t + self.ahead;
        let parts = self.lookouts.iter_mut().filter(|lookout| lookout.hit && lookout.clear <= now);
        let whole = self.whole_hit.then_some(&mut self.watch);
        for watch in parts.map(|lookout| &mut lookout.watch).chain(whole) {
            if event { watch.trust() } else { watch.mistrust_hits() }
        }
    }
}

impl Lookout {
    /// Looks from where nothing has happened yet to `until`; `at` gives the states there.
    fn search(
        &mut self,
        part: &mut dyn Machine,
        mut until: f64,
        at: &mut dyn FnMut(f64, &mut [f64]),
    ) -> Eval {
        let Self { watch, held, x, clear, hit, .. } = self;
        let mut curve = |time: f64, z: &mut [f64]| -> Eval {
            at(time, x);
            part.crossings_at(time, x, z)
        };
        for attempt in 0.. {
            match watch.search(*clear, until, held, &mut curve) {
                Ok(None) => *clear = until,
                Ok(Some(found)) => (*clear, *hit) = (found, true),
                // Past its event a frozen branch may leave its domain: look at less of the step.
                Err(EvalError::Recoverable(_)) if attempt < 50 => {
                    until = *clear + 0.25 * (until - *clear);
                    continue;
                }
                Err(error) => return Err(error),
            }
            break;
        }
        Ok(())
    }

    fn rearm(&mut self, part: &mut dyn Machine, t: f64, by: f64) -> Eval {
        let Self { watch, held, x, slope, moved, .. } = self;
        (self.clear, self.hit) = (t, false);
        part.crossings_at(t, x, &mut watch.z)?;
        if !watch.rearm(held, None) || part.derivatives_at(t, x, slope).is_err() {
            return Ok(());
        }
        let mut around = [watch.z.clone(), watch.z.clone()];
        for (z, by) in around.iter_mut().zip([-by, by]) {
            for ((moved, x), slope) in moved.iter_mut().zip(x.iter()).zip(slope.iter()) {
                *moved = x + by * slope;
            }
            if part.crossings_at(t + by, moved, z).is_err() {
                return Ok(());
            }
        }
        let grain = super::watching::grain(part, t, x, &watch.z);
        let rate = |r: usize| (around[1][r] - around[0][r]) / (2.0 * by);
        watch.rearm(held, Some(&|r| (rate(r), grain.get(r).copied().unwrap_or(0.0))));
        Ok(())
    }

    /// The first event on the tangent until `end`.
    fn peek(&mut self, part: &mut dyn Machine, start: f64, end: f64) -> Option<f64> {
        let Self { watch, held, x, slope, moved, .. } = self;
        part.derivatives_at(start, x, slope).ok()?;
        let mut curve = |time: f64, z: &mut [f64]| -> Eval {
            for ((moved, x), slope) in moved.iter_mut().zip(x.iter()).zip(slope.iter()) {
                *moved = x + (time - start) * slope;
            }
            part.crossings_at(time, moved, z)
        };
        watch.peek(start, end, held, &mut curve).ok().flatten()
    }
}
