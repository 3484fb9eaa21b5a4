//! The interpreter as a machine.

use super::Interpreter;
use crate::fresh::Fresh;
use crate::machine::{Changes, Effects, Eval, Given, Machine, MachineInfo, Plan, Source, Start};
use crate::shortcuts::Shortcuts;
use kairos_base::Span;
use kairos_expr::Value;
use kairos_program::tape::Slot;

impl Machine for Interpreter {
    fn info(&self) -> &MachineInfo {
        &self.program.info
    }

    fn values(&self) -> &[f64] {
        &self.frame.values
    }

    fn string(&self, slot: u32) -> &str {
        let memory = &self.program.memory;
        let at = memory.slot_of.iter().position(|&s| s == slot).and_then(|v| memory.other_of[v]);
        let text = self.frame.texts.of(self.frame.get(slot));
        text.or(at.map(|k| &self.frame.others[k as usize])).and_then(Value::as_str).unwrap_or("")
    }

    fn set_time(&mut self, time: f64) {
        self.come_to(time);
    }

    fn set_states(&mut self, x: &[f64]) {
        self.stand_at(x);
    }

    fn derivatives(&mut self, dx: &mut [f64]) -> Eval {
        self.bring(Fresh::Derivatives)?;
        self.tell_derivatives(dx)
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

    fn relations(&self) -> &[bool] {
        &self.relations
    }

    fn clone_machine(&self) -> Box<dyn Machine> {
        Box::new(self.clone())
    }

    fn set(&mut self, slot: u32, given: Given<'_>) {
        match given {
            Given::Number(value) => {
                self.values_mut()[slot as usize] = value;
                self.note_input(slot, || Value::Real(value));
            }
            Given::Text(text) => {
                self.set_text(slot, text);
                self.note_input(slot, || Value::str(text));
            }
        }
    }

    fn initialise(&mut self) -> Eval<Start> {
        self.compute_parameters()?;
        (self as &dyn Machine).check_parameters()?;
        let assumptions = self.find_start()?;
        Ok(Start { assumptions, terminated: self.act_at_start()? })
    }

    fn event(&mut self, samples: &[bool], terminal: bool, effects: &mut Effects) -> Eval {
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

    fn advance_pre(&mut self, changes: &mut Changes) {
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

    fn plan(&mut self, source: Source) -> Eval<Plan> {
        match source {
            Source::Relation(relation) => {
                let first = match self.known_plan(relation as usize) {
                    Some(next) => next,
                    None => self.next_instant(relation as usize)?,
                };
                Ok(Plan { first, interval: f64::INFINITY })
            }
            Source::Sampler(index) => {
                let (tape, start, interval) = &self.program.samplers[index as usize];
                self.frame.run(&self.program, tape)?;
                Ok(Plan { first: self.frame.get(*start), interval: self.frame.get(*interval) })
            }
        }
    }

    fn save(&self, to: &mut Vec<u8>) -> Result<(), String> {
        self.save_state(to)
    }

    fn restore(&mut self, mut from: &[u8]) -> Result<(), String> {
        self.restore_state(&mut from)
    }

    fn shortcuts(&self) -> Option<&dyn Shortcuts> {
        Some(self)
    }

    fn shortcuts_mut(&mut self) -> Option<&mut dyn Shortcuts> {
        Some(self)
    }
}
