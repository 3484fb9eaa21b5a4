//! What the interpreter can do beyond the plain interface of a machine.

use super::Interpreter;
use crate::fresh::Fresh;
use crate::machine::{Eval, Fault, Machine, Source, Trigger};
use crate::shortcuts::{
    Burst, Delays, Leave, LocalEvents, Motion, Passage, Reached, Replay, Shortcuts, Sides, Slopes, StateSets,
};
use crate::transport::Transport;

impl Shortcuts for Interpreter {
    fn left_open(&self) -> Vec<Fault> {
        self.frame.open.iter().map(|(_, fault)| fault.clone()).collect()
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

    fn slopes_mut(&mut self) -> Option<&mut dyn Slopes> {
        Some(self)
    }
}

impl LocalEvents for Interpreter {
    fn focus(&mut self, trigger: Option<&Trigger>) -> Eval<bool> {
        self.wave.focused = false;
        if let Some(trigger) = trigger {
            self.follow(trigger)?;
        }
        Ok(self.wave.focused)
    }

    fn reached(&self, source: Source) -> Reached<'_> {
        self.reached_from(source)
    }

    fn burst(&mut self, source: Source, leave: Leave) -> Eval<Option<Burst>> {
        self.run_island(source, leave)
    }

    fn pass(&mut self, samples: &[bool]) -> Option<Passage> {
        if !self.pins.is_empty() {
            return None;
        }
        self.pass_through(samples)
    }

    fn set_state(&mut self, state: u32, value: f64) {
        self.frame.set(self.program.info.states[state as usize], value);
        self.stale();
    }

    fn set_inputs(&mut self, list: &[(u32, u32)], given: &[f64]) {
        match self.wave.focused {
            true => list.iter().for_each(|&(from, to)| self.input_set(to, given[from as usize])),
            false => {
                let mut moved = false;
                for &(from, to) in list {
                    let held = &mut self.frame.values[to as usize];
                    moved |= held.to_bits() != given[from as usize].to_bits();
                    *held = given[from as usize];
                }
                if !moved {
                    return;
                }
            }
        }
        self.stale();
    }

    fn replanned(&mut self, relations: &mut Vec<u32>) -> bool {
        self.plans_changed(relations)
    }

    fn unread(&mut self, relations: &mut [bool]) -> Eval {
        let Self { program, frame, .. } = self;
        let (tape, slots) = &program.demands;
        if !slots.is_empty() {
            frame.run(program, tape)?;
        }
        for &(relation, slot) in slots {
            relations[relation as usize] = frame.get(slot) == 0.0;
        }
        Ok(())
    }

    /// Nothing that moves is read as it was before.
    fn left_limit(&mut self) -> Eval {
        match self.program.pre.is_empty() && self.guessed.is_empty() {
            true => Ok(()),
            false => self.outputs(),
        }
    }
}

impl Delays for Interpreter {
    fn accept(&mut self, continues: bool) -> bool {
        if !self.program.memory.has_past() || !self.read_past() {
            return false;
        }
        let program = self.program.clone();
        let now = self.frame.get(program.memory.time);
        let mut released = false;
        for (k, delay) in program.memory.delays.iter().enumerate() {
            let value = self.frame.get(delay.value);
            let by = self.frame.get(delay.time).max(0.0);
            released |= self.frame.history[k].record(now, value, by, continues);
        }
        for (k, site) in program.memory.transports.iter().enumerate() {
            let values: Vec<f64> = site.values.iter().map(|&slot| self.frame.get(slot)).collect();
            let [first, second, x, direction, initial @ ..] = values.as_slice() else { continue };
            let (places, contents) = initial.split_at(initial.len() / 2);
            let initial: Vec<(f64, f64)> = places.iter().copied().zip(contents.iter().copied()).collect();
            let forward = *direction != 0.0;
            let value = if forward { *first } else { *second };
            released |= self.frame.transports[k].record(*x, value, forward, continues, &initial);
        }
        if released {
            self.stale();
        }
        released
    }

    fn distance_of_jumps(&mut self) -> Eval<f64> {
        let frame = &self.frame;
        let waits = frame.history.iter().any(|past| past.distance(0.0, 0.0) < f64::INFINITY)
            || frame.transports.iter().any(Transport::waits);
        if !waits || !self.read_past() {
            return Ok(f64::INFINITY);
        }
        let Self { program, frame, .. } = self;
        let now = frame.get(program.memory.time);
        let delays = program.memory.delays.iter().zip(&frame.history);
        let delayed = delays.map(|(site, past)| past.distance(now, frame.get(site.time).max(0.0)));
        let sites = program.memory.transports.iter().zip(&frame.transports);
        let sent = sites.map(|(site, past)| past.distance(frame.get(site.values[2])));
        Ok(delayed.chain(sent).fold(f64::INFINITY, f64::min))
    }

    fn shortest_delay(&self) -> f64 {
        let delays = self.program.memory.delays.iter().map(|site| self.frame.get(site.time));
        delays.filter(|by| *by > 0.0).fold(f64::INFINITY, f64::min)
    }

    fn delay_event(&self) -> f64 {
        let now = self.frame.get(self.program.memory.time);
        let sites = self.program.memory.delays.iter().zip(&self.frame.history);
        let next = sites.map(|(site, history)| history.next_jump(now, self.frame.get(site.time)));
        next.fold(f64::INFINITY, f64::min)
    }
}

impl Sides for Interpreter {
    fn pin(&mut self, relations: &[(u32, bool)]) {
        let first = self.program.memory.relations;
        let pin = |&(relation, value): &(u32, bool)| (first + relation, f64::from(u8::from(value)));
        self.pins.clear();
        self.pins.extend(relations.iter().map(pin));
    }
}

impl StateSets for Interpreter {
    fn reselect(&mut self) -> Eval<bool> {
        if self.program.state_sets.is_empty() {
            return Ok(false);
        }
        self.bring(Fresh::Everything)?;
        let program = self.program.clone();
        let changed = self.frame.reselect(&program)?;
        if changed {
            self.stale();
        }
        Ok(changed)
    }
}

impl Motion for Interpreter {
    fn derivatives_at(&mut self, time: f64, x: &[f64], dx: &mut [f64]) -> Eval {
        if self.settled
            && let Some(field) = &self.program.motion
            && self.frame.run_field(&self.program, field, time, x, dx)
        {
            return Ok(());
        }
        self.derivatives_there(time, x, dx)
    }

    fn crossings_at(&mut self, time: f64, x: &[f64], z: &mut [f64]) -> Eval {
        if self.settled
            && let Some(field) = &self.program.watched
            && self.frame.run_field(&self.program, field, time, x, z)
        {
            return Ok(());
        }
        self.crossings_there(time, x, z)
    }

    fn leap(&mut self, time: f64, from: &[f64], to: &mut [f64]) -> bool {
        let field =
            self.program.leap.as_ref().filter(|field| self.settled && field.states.len() == from.len());
        field.is_some_and(|field| self.frame.run_native_field(field, time, from, to) == Some(true))
    }

    fn jacobian(&mut self, values: &mut [Vec<f64>]) -> Eval<bool> {
        self.bring(Fresh::Derivatives)?;
        let program = self.program.clone();
        self.frame.state_jacobian(&program, values)
    }

    fn guesses(&self, guesses: &mut Vec<f64>) {
        guesses.extend(self.guessed.iter().map(|&slot| self.frame.get(slot)));
    }

    fn set_guesses(&mut self, guesses: &[f64]) {
        if guesses.len() == self.guessed.len() && !guesses.is_empty() {
            for (&slot, &value) in self.guessed.iter().zip(guesses) {
                self.frame.set(slot, value);
            }
            self.stale();
        }
    }

    fn look(&mut self, begins: bool) {
        self.frame.looks = begins;
        let mut stood = std::mem::take(&mut self.stood);
        if begins {
            stood.clear();
            self.guesses(&mut stood);
        } else if self
            .guessed
            .iter()
            .zip(&stood)
            .any(|(&slot, x)| self.frame.get(slot).to_bits() != x.to_bits())
        {
            self.set_guesses(&stood);
        }
        self.stood = stood;
    }

    fn quicken(&self) {
        if let Some(native) = &self.frame.native {
            native.complete();
        }
    }
}

impl Replay for Interpreter {
    fn snapshot(&self, values: &mut Vec<f64>) -> bool {
        values.extend(self.program.carried.iter().chain(&self.guessed).map(|&slot| self.frame.get(slot)));
        !self.program.info.needs_history
    }

    fn prepare_replay(&mut self) -> Eval {
        self.compute_parameters()
    }

    fn go_back(&mut self, values: &[f64]) -> bool {
        if values.len() != self.program.carried.len() + self.guessed.len() {
            return false;
        }
        for (&slot, &value) in self.program.carried.iter().chain(&self.guessed).zip(values) {
            self.frame.set(slot, value);
        }
        self.sync_relations();
        self.unsettle();
        self.wave.lost = true;
        true
    }
}
