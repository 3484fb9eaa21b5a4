//! What the supervisor does to find state events: it looks along the step, and around a restart.

use super::Run;
use super::trail::Trail;
use crate::SimError;
use crate::separate::Solvers;
use crate::surface::Surface;
use kairos_machine::{Eval, EvalError, Machine};

/// The relative change by which the round-off of crossing functions is measured.
const NUDGE: f64 = 1e-6;

impl Run<'_> {
    /// Looks just past a restart, where a function at zero shows which way it leaves: a first step of low order may
    /// step over a return. True if there is an event, which is then the present time.
    #[inline(never)]
    pub fn peek(&mut self) -> Result<bool, SimError> {
        if self.x.is_empty() {
            return Ok(false);
        }
        let end = self.glimpse();
        if end <= self.t || self.tangent().is_err() {
            return Ok(false);
        }
        let exits = self.watch.z[self.machine.info().relations.len()..].to_vec();
        let Run { watch, machine, x, held, t, slope, moved, surface, .. } = self;
        let (start, relations) = (*t, machine.info().relations.len());
        let mut curve = |time: f64, z: &mut [f64]| -> Eval {
            for ((moved, x), slope) in moved.iter_mut().zip(x.iter()).zip(slope.iter()) {
                *moved = x + (time - start) * slope;
            }
            let (z, beyond) = z.split_at_mut(relations);
            beyond.copy_from_slice(&exits);
            machine.crossings_at(time, moved, z)?;
            surface.as_mut().map_or(Ok(()), |surface| surface.carry(time, moved, z))
        };
        let hit = match watch.peek(start, end, held, &mut curve) {
            Ok(Some(hit)) => hit,
            Ok(None) => return Ok(false),
            Err(_) => return Ok(self.find_beyond()),
        };
        x.iter_mut().zip(slope.iter()).for_each(|(x, slope)| *x += (hit - start) * slope);
        self.solver.improve(hit, &mut self.x);
        self.solver.restart(hit, &self.x, &mut *self.machine);
        self.t = hit;
        Ok(true)
    }

    /// A little after the present time, before anything that is planned.
    pub fn glimpse(&self) -> f64 {
        let range = self.options.range();
        let by = 1e-9 * self.t.abs().max(1e-3 * range);
        (self.t + by).min(self.options.stop).min(self.sources.next())
    }

    /// The first state event between now and `end`.
    pub fn search(&mut self, end: f64) -> Result<Option<f64>, SimError> {
        self.watch.step_end = self.solver.span().1;
        let mut found = self.look_along(end)?;
        while found.is_some() && self.watch.some_rest() && self.only_drifts() {
            found = self.look_further(end)?;
        }
        Ok(found)
    }

    #[inline(never)]
    fn look_further(&mut self, end: f64) -> Result<Option<f64>, SimError> {
        self.look_along(end)
    }

    #[inline(always)]
    fn look_along(&mut self, end: f64) -> Result<Option<f64>, SimError> {
        let Run { watch, solver, machine, memory, x, held, t, surface, .. } = self;
        let mut sight = Sight { solver, machine: &mut **machine, x, surface };
        let mut until = end;
        let mut trail: Option<Trail> = None;
        for attempt in 0.. {
            let mut curve = |time: f64, z: &mut [f64]| -> Eval {
                match trail.is_none() && memory.glanced(time, z) {
                    true => Ok(()),
                    false => sight.look(&mut trail, time, z),
                }
            };
            match watch.search(*t, until, held, &mut curve) {
                Ok(None) if until < end => break,
                // A system with several solutions has come to another one.
                Ok(Some(_)) if trail.is_none() && !memory.guesses.is_empty() && watch.jumped() => {
                    trail = Some(Trail::new(*t, &memory.guesses));
                }
                Ok(hit) => return Ok(hit),
                // Past its event a frozen branch may leave its domain: look at less of the step.
                Err(EvalError::Recoverable(_)) if attempt < 50 => until = *t + 0.25 * (until - *t),
                Err(error) => return Err(SimError::evaluation(*t, error)),
            }
        }
        solver.at(until, x);
        solver.restart(until, x, &mut **machine);
        Ok(None)
    }

    /// Watches the crossing functions from their present values on.
    pub fn rearm(&mut self) -> Result<(), SimError> {
        let fail = |error| SimError::evaluation(self.t, error);
        self.memory.forget_glances();
        let relations = self.machine.info().relations.len();
        let (z, exits) = self.watch.z.split_at_mut(relations);
        self.machine.crossings_at(self.t, &self.x, z).map_err(fail)?;
        self.held[..relations].copy_from_slice(self.machine.relations());
        self.machine.unread(&mut self.watch.unread).map_err(fail)?;
        if let Some(surface) = &mut self.surface {
            surface.exits(&mut *self.machine, self.t, &self.x, exits).map_err(fail)?;
            surface.carry(self.t, &self.x, z).map_err(fail)?;
        }
        if self.watch.some_doubtful() {
            self.look_for_rest();
        }
        let by = 1e-7 * self.options.range();
        if !self.watch.rearm(&self.held, None) {
            return Ok(());
        }
        if self.look_around(by).is_ok() {
            let around = std::mem::take(&mut self.around);
            let width = if self.machine.info().needs_history { by } else { 2.0 * by };
            let mut rates: Vec<f64> =
                around[1].iter().zip(&around[0]).map(|(b, a)| (b - a) / width).collect();
            if self.watch.some_slow(&rates) {
                self.look_further_on(&mut rates);
            }
            let grain = grain(&mut *self.machine, self.t, &self.x, &self.watch.z);
            self.watch.rearm(&self.held, Some(&|r| (rates[r], grain.get(r).copied().unwrap_or(0.0))));
            self.around = around;
        }
        self.machine.set_time(self.t);
        self.machine.set_states(&self.x);
        Ok(())
    }

    /// Functions at zero whose rates vanish, too, are told by what the motion makes of them a little later.
    #[inline(never)]
    fn look_further_on(&mut self, rates: &mut [f64]) {
        let by = self.watch.horizon();
        let Ok([_, _, later]) = self.flow(self.t, self.x.clone(), by) else { return };
        for r in self.watch.slow(rates) {
            let (z, r) = (later[r as usize], r as usize);
            if z.abs() > 1e2 * self.watch.round_off_of(r as u32) {
                rates[r] = z / by;
            }
        }
    }

    /// The direction of the motion from here.
    pub fn tangent(&mut self) -> Eval {
        if let Some(surface) = &mut self.surface {
            return surface.slope(&mut *self.machine, self.t, &self.x, &mut self.slope);
        }
        if self.x.is_empty() {
            return Ok(());
        }
        self.machine.derivatives_at(self.t, &self.x, &mut self.slope)
    }

    /// The crossing functions a little earlier and later, on the tangent.
    #[inline(never)]
    fn look_around(&mut self, by: f64) -> Eval {
        self.tangent()?;
        let Run { machine, x, slope, moved, around, t, watch, surface, .. } = self;
        let relations = machine.info().relations.len();
        // Behind a jump that has just come out of a delay lies another function.
        let back = if machine.info().needs_history { 0.0 } else { -by };
        for (z, by) in around.iter_mut().zip([back, by]) {
            for ((moved, x), slope) in moved.iter_mut().zip(x.iter()).zip(slope.iter()) {
                *moved = x + by * slope;
            }
            z.clone_from(&watch.z);
            machine.crossings_at(*t + by, moved, &mut z[..relations])?;
            if let Some(surface) = surface {
                surface.carry(*t + by, moved, &mut z[..relations])?;
            }
        }
        Ok(())
    }
}

/// What the crossing functions are seen through.
struct Sight<'a> {
    solver: &'a mut Solvers,
    machine: &'a mut dyn Machine,
    x: &'a mut [f64],
    surface: &'a mut Option<Surface>,
}

impl Sight<'_> {
    /// The crossing functions at a time within the last step.
    #[inline(never)]
    fn look(&mut self, trail: &mut Option<Trail>, time: f64, z: &mut [f64]) -> Eval {
        let Sight { solver, machine, x, surface } = self;
        let relations = machine.info().relations.len();
        let mut evaluate = |machine: &mut dyn Machine, time: f64| {
            solver.at(time, x);
            machine.crossings_at(time, x, &mut z[..relations])
        };
        match trail {
            None => evaluate(*machine, time)?,
            Some(trail) => trail.follow(time, &mut |time, guesses, found| {
                machine.set_guesses(guesses);
                evaluate(*machine, time)?;
                found.clear();
                machine.guesses(found);
                Ok(())
            })?,
        }
        match surface {
            Some(surface) => {
                let (z, exits) = z.split_at_mut(relations);
                surface.exits(*machine, time, x, exits)?;
                surface.carry(time, x, z)
            }
            None => Ok(()),
        }
    }
}

/// How much round-off of time and states moves each crossing function, which is `here` now: the gap to a table that moves fast is
/// not known better than time is.
#[inline(never)]
pub(super) fn grain(machine: &mut dyn Machine, t: f64, x: &[f64], here: &[f64]) -> Vec<f64> {
    let mut found = vec![0.0; machine.info().relations.len()];
    let mut z = found.clone();
    // Factors that do not cancel in differences of states.
    let part = |k: usize| 0.5 + (k as f64 * 0.618_033_988_75).fract();
    let moved: Vec<f64> = x.iter().enumerate().map(|(k, x)| x * (1.0 + part(k) * NUDGE)).collect();
    for (time, x) in [(t + NUDGE * t.abs(), x), (t, &moved)] {
        if machine.crossings_at(time, x, &mut z).is_err() {
            return Vec::new();
        }
        for ((found, z), here) in found.iter_mut().zip(&z).zip(here) {
            *found += 4.0 * f64::EPSILON / NUDGE * (z - here).abs();
        }
    }
    found
}
