//! What a machine with modes can do beyond the plain interface of a machine.

use super::region::Part;
use super::{Extent, ModalMachine};
use crate::machine::{Eval, Fault, Machine, Source, Trigger};
use crate::shortcuts::{Delays, LocalEvents, Motion, Reached, Regions, Replay, Shortcuts, Sides, StateSets};

impl Shortcuts for ModalMachine {
    fn left_open(&self) -> Vec<Fault> {
        self.base.left_open()
    }

    fn local_events(&self) -> Option<&dyn LocalEvents> {
        Some(self)
    }

    fn local_events_mut(&mut self) -> Option<&mut dyn LocalEvents> {
        Some(self)
    }

    fn delays(&self) -> Option<&dyn Delays> {
        Some(self)
    }

    fn delays_mut(&mut self) -> Option<&mut dyn Delays> {
        Some(self)
    }

    fn regions(&self) -> Option<&dyn Regions> {
        Some(self)
    }

    fn regions_mut(&mut self) -> Option<&mut dyn Regions> {
        Some(self)
    }

    fn sides_mut(&mut self) -> Option<&mut dyn Sides> {
        Some(self)
    }

    fn state_sets_mut(&mut self) -> Option<&mut dyn StateSets> {
        Some(self)
    }

    fn motion(&self) -> Option<&dyn Motion> {
        Some(self)
    }

    fn motion_mut(&mut self) -> Option<&mut dyn Motion> {
        Some(self)
    }

    fn replay(&self) -> Option<&dyn Replay> {
        Some(self)
    }

    fn replay_mut(&mut self) -> Option<&mut dyn Replay> {
        Some(self)
    }
}

impl LocalEvents for ModalMachine {
    fn focus(&mut self, trigger: Option<&Trigger>) -> Eval<bool> {
        self.follow(trigger)
    }

    fn reached(&self, source: Source) -> Reached<'_> {
        self.scopes.reached(source, self.base.as_ref())
    }

    fn set_state(&mut self, state: u32, value: f64) {
        match (state as usize) < self.base.info().states.len() {
            true => self.base.set_state(state, value),
            false => self.base.set_inputs(&[(0, self.info.states[state as usize])], &[value]),
        }
        self.moved();
    }

    fn set_inputs(&mut self, list: &[(u32, u32)], given: &[f64]) {
        self.base.set_inputs(list, given);
        self.moved();
        if list.iter().any(|(_, slot)| self.known.contains(slot)) {
            self.informed();
        }
    }

    fn replanned(&mut self, relations: &mut Vec<u32>) -> bool {
        self.base.replanned(relations)
    }

    fn left_limit(&mut self) -> Eval {
        self.bring(Extent::Read)?;
        self.base.left_limit()
    }
}

impl Delays for ModalMachine {
    fn accept(&mut self, continues: bool) -> bool {
        let mut released = false;
        if self.bring(Extent::Everything).is_ok() {
            for part in &mut self.parts {
                part.arrive(self.now, self.base.as_ref());
                if let Some(mode) = part.mode() {
                    released |= mode.run.accept(continues);
                }
            }
            released |= self.base.accept(continues);
        }
        released
    }

    fn distance_of_jumps(&mut self) -> Eval<f64> {
        self.bring(Extent::Everything)?;
        self.base.distance_of_jumps()
    }

    fn shortest_delay(&self) -> f64 {
        self.base.shortest_delay()
    }
}

impl Regions for ModalMachine {
    fn part(&mut self, index: usize) -> Option<&mut dyn Machine> {
        self.parts[index].lend(self.now, self.base.as_ref())
    }

    fn revision(&self, part: usize) -> u64 {
        self.parts[part].revision
    }
}

impl Sides for ModalMachine {
    fn pin(&mut self, relations: &[(u32, bool)]) {
        self.pins.clear();
        self.pins.extend(relations);
        self.ties.clear();
        self.base.pin(relations);
    }
}

impl StateSets for ModalMachine {
    fn reselect(&mut self) -> Eval<bool> {
        if self.info.state_sets == 0 {
            return Ok(false);
        }
        self.bring(Extent::Everything)?;
        let mut changed = self.base.reselect()?;
        for part in &mut self.parts {
            changed |= part.reselect(self.now, self.base.as_mut())?;
        }
        if changed {
            self.moved();
            self.describe();
        }
        Ok(changed)
    }
}

impl Motion for ModalMachine {
    fn jacobian(&mut self, values: &mut [Vec<f64>]) -> Eval<bool> {
        if !self.base.info().states.is_empty() {
            return Ok(false);
        }
        for part in &mut self.parts {
            part.arrive(self.now, self.base.as_ref());
            let range = part.first..part.first + part.count;
            if let (Some(mode), Some(values)) = (part.mode(), values.get_mut(range))
                && !mode.run.jacobian(values)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn guesses(&self, guesses: &mut Vec<f64>) {
        self.base.guesses(guesses);
        self.parts.iter().filter_map(Part::entered).for_each(|mode| mode.run.guesses(guesses));
    }

    fn set_guesses(&mut self, guesses: &[f64]) {
        let (mut own, mut rest) = (Vec::new(), guesses);
        self.base.guesses(&mut own);
        let Some((here, after)) = rest.split_at_checked(own.len()) else { return };
        self.base.set_guesses(here);
        rest = after;
        for mode in self.parts.iter_mut().filter_map(Part::mode) {
            own.clear();
            mode.run.guesses(&mut own);
            let Some((here, after)) = rest.split_at_checked(own.len()) else { return };
            mode.run.set_guesses(here);
            rest = after;
        }
        self.shown = Extent::Nothing;
        self.parts.iter_mut().for_each(Part::unshow);
    }

    fn look(&mut self, begins: bool) {
        self.base.look(begins);
        self.parts.iter_mut().filter_map(Part::mode).for_each(|mode| mode.run.look(begins));
        let mut guesses = Vec::new();
        self.guesses(&mut guesses);
        if !begins && !guesses.is_empty() {
            self.shown = Extent::Nothing;
            self.parts.iter_mut().for_each(Part::unshow);
        }
    }
}

impl Replay for ModalMachine {
    fn snapshot(&self, values: &mut Vec<f64>) -> bool {
        self.keep(values)
    }

    fn prepare_replay(&mut self) -> Eval {
        self.informed();
        self.parts.iter_mut().for_each(Part::forget);
        self.base.compute_parameters()
    }

    fn go_back(&mut self, values: &[f64]) -> bool {
        self.return_to(values).unwrap_or(false)
    }
}
