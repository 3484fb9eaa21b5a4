//! The interpreter as a machine: what the simulator asks of it.

use super::Interpreter;
use crate::diagnostics;
use crate::fresh::Fresh;
use crate::history::History;
use crate::machine::{
    Burst, Changes, Effects, Eval, EvalError, Leave, Machine, MachineInfo, Passage, Reached, Source, Trigger,
};
use crate::transport::Transport;
use kairos_base::Span;
use kairos_expr::Value;
use kairos_program::tape::{Destination, Slot};

impl Machine for Interpreter {
    fn info(&self) -> &MachineInfo {
        &self.program.info
    }

    fn values(&self) -> &[f64] {
        &self.frame.values
    }

    fn values_mut(&mut self) -> &mut [f64] {
        self.unsettle();
        self.wave.lost = true;
        &mut self.frame.values
    }

    fn string(&self, slot: u32) -> &str {
        let memory = &self.program.memory;
        let at = memory.slot_of.iter().position(|&s| s == slot).and_then(|v| memory.other_of[v]);
        let text = self.frame.texts.of(self.frame.get(slot));
        text.or(at.map(|k| &self.frame.others[k as usize])).and_then(Value::as_str).unwrap_or("")
    }

    fn set_string(&mut self, slot: u32, text: &str) {
        let memory = &self.program.memory;
        if let Some(k) = memory.slot_of.iter().position(|&s| s == slot).and_then(|v| memory.other_of[v]) {
            self.frame.put(&self.program, k, Value::str(text));
            self.computed_at = None;
            let mut computed = self.program.parameters.iter().flat_map(|code| &code.to);
            if let Some(at) = computed.position(|to| matches!(to, Destination::Other(at) if *at == k)) {
                self.overridden[at] = true;
            }
        }
    }

    fn set_time(&mut self, time: f64) {
        self.come_to(time);
    }

    fn set_states(&mut self, x: &[f64]) {
        self.stand_at(x);
    }

    fn set_state(&mut self, state: u32, value: f64) {
        self.frame.set(self.program.info.states[state as usize], value);
        self.stale();
    }

    fn set_inputs(&mut self, list: &[(u32, u32)], given: &[f64]) {
        match self.wave.focused {
            true => list.iter().for_each(|&(from, to)| self.input_set(to, given[from as usize])),
            false => list.iter().for_each(|&(from, to)| self.frame.set(to, given[from as usize])),
        }
        self.stale();
    }

    fn get_states(&self, x: &mut [f64]) {
        for (&slot, value) in self.program.info.states.iter().zip(x) {
            *value = self.frame.values[slot as usize];
        }
    }

    fn update_parameters(&mut self) -> Eval {
        self.compute_parameters()
    }

    fn initialise(&mut self) -> Eval<Vec<String>> {
        if self.broken.is_some() {
            self.update_parameters()?;
            self.broken = None;
        }
        let program = self.program.clone();
        self.frame.run(&program, &program.starts)?;
        self.frame.set(program.initial_flag, 1.0);
        self.frame.set(program.terminal_flag, 0.0);
        self.frame.begin_sets(&program);
        let done = self.solve_initial();
        done.map_err(|error| self.blame(error))?;
        for check in &program.checks {
            self.frame.run(&program, &check.tape)?;
            let (left, right) = (self.frame.get(check.left), self.frame.get(check.right));
            let size = left.abs().max(right.abs()).max(1.0);
            if (left - right).abs() > 1e-6 * size {
                let fault = diagnostics::inconsistent_start(&check.text, left, right, check.span);
                return Err(EvalError::Fatal(fault));
            }
        }
        self.frame.set(program.initial_flag, 0.0);
        self.settle();
        self.frame.reselect(&program)?;
        self.unsettle();
        self.wave.lost = true;
        self.frame.history.iter_mut().for_each(History::clear);
        self.frame.transports.iter_mut().for_each(Transport::clear);
        Ok(program.report.clone())
    }

    fn act_at_start(&mut self) -> Eval<Option<String>> {
        let program = self.program.clone();
        let mut told = std::mem::take(&mut self.told);
        let mut acting = program.whens.iter();
        let done = acting.try_for_each(|when| self.act(&program, when, &mut told));
        // A `reinit` at the start is an initial equation.
        self.told = Effects { warnings: told.warnings, ..Effects::default() };
        done.map(|()| told.terminate)
    }

    fn derivatives(&mut self, dx: &mut [f64]) -> Eval {
        self.bring(Fresh::Derivatives)?;
        self.tell_derivatives(dx)
    }

    fn derivatives_at(&mut self, time: f64, x: &[f64], dx: &mut [f64]) -> Eval {
        if self.settled
            && let Some(field) = &self.program.motion
            && self.frame.run_field(&self.program, field, time, x, dx)
        {
            return Ok(());
        }
        self.derivatives_there(time, x, dx)
    }

    fn leap(&mut self, time: f64, from: &[f64], to: &mut [f64]) -> bool {
        let field =
            self.program.leap.as_ref().filter(|field| self.settled && field.states.len() == from.len());
        field.is_some_and(|field| self.frame.run_native_field(field, time, from, to) == Some(true))
    }

    /// Nothing that moves is read as it was before.
    fn left_limit(&mut self) -> Eval {
        match self.program.pre.is_empty() && self.guessed.is_empty() {
            true => Ok(()),
            false => self.outputs(),
        }
    }

    fn outputs(&mut self) -> Eval {
        self.bring(Fresh::Everything)?;
        self.check_finite()?;
        let mut told = std::mem::take(&mut self.told);
        let checked = self.check_asserts(&mut told);
        self.told = told;
        checked
    }

    fn warnings(&mut self, warnings: &mut Vec<(String, Span)>) {
        warnings.append(&mut self.told.warnings);
    }

    fn crossings(&mut self, z: &mut [f64]) -> Eval {
        self.bring(Fresh::Crossings)?;
        self.frame.run(&self.program, &self.program.crossing_tape)?;
        let Self { program, frame, .. } = self;
        for (relation, value) in program.relations.iter().zip(z) {
            if relation.time.is_none() {
                *value = frame.get(relation.left) - frame.get(relation.right);
            }
        }
        Ok(())
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

    fn crossings_at(&mut self, time: f64, x: &[f64], z: &mut [f64]) -> Eval {
        if self.settled
            && let Some(field) = &self.program.watched
            && self.frame.run_field(&self.program, field, time, x, z)
        {
            return Ok(());
        }
        self.crossings_there(time, x, z)
    }

    fn event(&mut self, samples: &[bool], terminal: bool) -> Eval<Effects> {
        let mut effects = Effects::default();
        self.event_into(samples, terminal, &mut effects)?;
        Ok(effects)
    }

    fn event_into(&mut self, samples: &[bool], terminal: bool, effects: &mut Effects) -> Eval {
        effects.clear();
        self.frame.lenient = true;
        self.frame.contradiction = None;
        std::mem::swap(&mut self.frame.pins, &mut self.pins);
        let done = self.evaluate_event(samples, terminal, effects);
        std::mem::swap(&mut self.frame.pins, &mut self.pins);
        self.frame.lenient = false;
        effects.contradiction = self.frame.contradiction.take();
        done
    }

    fn pass(&mut self, samples: &[bool]) -> Option<Passage> {
        if !self.pins.is_empty() {
            return None;
        }
        self.pass_through(samples)
    }

    fn advance_pre(&mut self) -> Changes {
        let mut changes = Changes::default();
        self.advance_pre_into(&mut changes);
        changes
    }

    fn advance_pre_into(&mut self, changes: &mut Changes) {
        changes.clear();
        if !std::mem::take(&mut self.decided) && self.program.pre.is_empty() {
            return;
        }
        self.settled = false;
        if self.wave.focused {
            return self.advance_followed(changes);
        }
        let Self { program, frame, wave, fresh, relations, relations_before, .. } = self;
        let readers = |before: Slot| program.reach.readers_of(before);
        let mut read = false;
        for (k, &(now, before)) in program.discrete.iter().enumerate() {
            let value = frame.get(now);
            if value != frame.get(before) {
                frame.set(before, value);
                wave.push(readers(before));
                changes.discrete.push(now);
                read |= program.discrete_read[k];
                fresh.see(program.discrete_seen[k], wave, changes);
            }
        }
        for &(now, before) in &program.pre {
            let value = frame.get(now);
            if value.to_bits() != frame.get(before).to_bits() {
                frame.set(before, value);
                wave.push(readers(before));
                read = true;
            }
        }
        for (k, (now, before)) in relations.iter().zip(relations_before).enumerate() {
            if now != before {
                *before = *now;
                changes.relations.push(k as u32);
                fresh.see(program.relation_seen[k], wave, changes);
            }
        }
        changes.again = read && !(changes.discrete.is_empty() && changes.relations.is_empty());
    }

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

    fn replanned(&mut self, relations: &mut Vec<u32>) -> bool {
        self.plans_changed(relations)
    }

    fn pin(&mut self, relations: &[(u32, bool)]) -> bool {
        let first = self.program.memory.relations;
        let pin = |&(relation, value): &(u32, bool)| (first + relation, f64::from(u8::from(value)));
        self.pins.clear();
        self.pins.extend(relations.iter().map(pin));
        true
    }

    fn relations(&self) -> &[bool] {
        &self.relations
    }

    fn time_event(&mut self, relation: usize) -> Eval<f64> {
        match self.known_plan(relation) {
            Some(next) => Ok(next),
            None => self.next_instant(relation),
        }
    }

    fn sampler(&mut self, index: usize) -> Eval<(f64, f64)> {
        let program = self.program.clone();
        let (tape, start, interval) = &program.samplers[index];
        self.frame.run(&program, tape)?;
        Ok((self.frame.get(*start), self.frame.get(*interval)))
    }

    fn jacobian(&mut self, values: &mut [Vec<f64>]) -> Eval<bool> {
        self.bring(Fresh::Derivatives)?;
        let program = self.program.clone();
        self.frame.state_jacobian(&program, values)
    }

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

    fn select(&mut self) -> Eval {
        let program = self.program.clone();
        self.frame.reselect(&program)?;
        self.stale();
        Ok(())
    }

    fn selected(&self) -> Vec<u32> {
        let states = self.program.info.states.iter();
        states.map(|&slot| self.frame.candidate(&self.program, slot).unwrap_or(slot)).collect()
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

    fn snapshot(&self, values: &mut Vec<f64>) -> bool {
        values.extend(self.program.carried.iter().chain(&self.guessed).map(|&slot| self.frame.get(slot)));
        !self.program.info.needs_history
    }

    fn restore(&mut self, values: &[f64]) -> bool {
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

    fn quicken(&self) {
        if let Some(native) = &self.frame.native {
            native.complete();
        }
    }

    fn clone_machine(&self) -> Box<dyn Machine> {
        Box::new(self.clone())
    }
}
