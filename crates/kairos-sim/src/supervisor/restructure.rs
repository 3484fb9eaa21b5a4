//! Goes on after a part of the model has changed its structure: other states, another integrator, and the story of it.

use super::Run;
use crate::separate::Solvers;
use crate::system::Memory;
use crate::{EventRecord, Method, Pulse, SimError};

/// How much smaller the tolerance becomes where errors switch, and the smallest that makes sense.
const CLOSER: f64 = 1e-4;
const CLOSEST: f64 = 1e-13;

impl Run<'_> {
    /// Everything that has the size of the state vector is made anew.
    #[inline(never)]
    pub(super) fn restructure(&mut self) -> Result<(), SimError> {
        if self.layout == self.machine.info().states && self.surface.is_none() {
            return Ok(());
        }
        self.bring_others();
        self.solver.effort(&mut self.summary);
        if let Some(parked) = self.parked.take() {
            parked.effort(&mut self.summary);
        }
        if self.surface.take().is_some() {
            self.watch.relations.clone_from(&self.searched);
            self.history.calm();
        }
        let states = self.machine.info().states.len();
        for list in [&mut self.x, &mut self.slope, &mut self.moved] {
            list.clear();
            list.resize(states, 0.0);
        }
        self.memory = Memory::new(&*self.machine);
        self.layout.clone_from(&self.machine.info().states);
        self.solver = Solvers::new(&mut *self.machine, &self.options, !self.searched.is_empty())?;
        self.machine.get_states(&mut self.x);
        self.solver.restart(self.t, &self.x, &mut *self.machine);
        self.separate();
        Ok(())
    }

    /// Where events come without progress of time, what switches may be far smaller than the tolerance (the current through a diode as a
    /// voltage over its tiny resistance), so that errors of integration switch it to and fro: from here on the integration is more exact. False if it
    /// is already, or if there is nothing to be gained.
    #[cold]
    pub(crate) fn look_closer(&mut self) -> Result<bool, SimError> {
        let fixed = matches!(self.options.method, Method::Euler | Method::Rk2 | Method::Rk4);
        if self.closer || fixed || self.surface.is_some() || self.parked.is_some() || self.x.is_empty() {
            return Ok(false);
        }
        self.closer = true;
        self.options.tolerance = (CLOSER * self.options.tolerance).max(CLOSEST).min(self.options.tolerance);
        self.bring_others();
        self.solver.effort(&mut self.summary);
        self.solver = Solvers::new(&mut *self.machine, &self.options, !self.searched.is_empty())?;
        self.solver.restart(self.t, &self.x, &mut *self.machine);
        self.separate();
        self.history.begin_anew();
        self.rearm()?;
        Ok(true)
    }

    /// Modes in the order they were gone through. One that was left at the same instant is a pinnacle: its state
    /// stands, but no time passed in it. One that was only considered is mythical.
    pub(super) fn tell_restarts(&self, record: &mut EventRecord) {
        let restarts = &self.outcome.restarts;
        for (k, restart) in restarts.iter().enumerate() {
            for mode in &restart.mythical {
                record.notes.push(format!("mythical mode: {mode}"));
            }
            let left = restarts[k + 1..]
                .iter()
                .any(|later| later.left == restart.mode && later.mode != restart.mode);
            if left {
                record.notes.push(format!("pinnacle: {}", restart.mode));
            } else if restart.mode != restart.left {
                record.notes.push(format!("mode: {}", restart.mode));
            }
            for (name, area) in &restart.impulses {
                match record.impulses.iter_mut().find(|pulse| pulse.name == *name) {
                    Some(pulse) => pulse.area += area,
                    None => record.impulses.push(Pulse { name: name.clone(), area: *area }),
                }
            }
        }
    }
}
