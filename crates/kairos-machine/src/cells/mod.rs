//! Events of the interpreter by cells: what fired, what it changes, and so on.

mod wave;

pub use wave::Wave;

use crate::fresh::Fresh;
use crate::interpreter::Interpreter;
use crate::machine::{Changes, Effects, Eval, Machine, Source, Trigger};
use crate::shortcuts::{Burst, Leave, Reached};
use kairos_program::program::Program;
use kairos_program::reach::{Clock, Scope, Work, Write, WriteKind};
use kairos_program::tape::Slot;

/// Relations of less than this may be decided either way.
const ROUND_OFF: f64 = 1e-11;
/// To interpret so many events takes as long as to compile their tape.
const HOT: u32 = 2000;

impl Interpreter {
    pub(crate) fn scope(&self, source: Source) -> &Scope {
        self.program.reach.scope(source)
    }

    pub(crate) fn reached_from(&self, source: Source) -> Reached<'_> {
        match self.scope(source) {
            Scope::Whole => Reached::default(),
            Scope::Part(part) => {
                // To compare with the whole needs them all.
                let states = (!self.verify).then_some(part.states.as_slice());
                Reached { quiet: part.quiet, states, regions: Some(&part.regions) }
            }
        }
    }

    /// Begins an event: only what is reached from the trigger will be evaluated, if that is worth it.
    pub(crate) fn follow(&mut self, trigger: &Trigger) -> Eval {
        if self.wave.lost {
            return Ok(());
        }
        if trigger.sources().any(|source| matches!(self.scope(source), Scope::Whole)) {
            return Ok(());
        }
        let program = self.program.clone();
        self.wave.samplers.clone_from(&trigger.samplers);
        for source in trigger.sources() {
            let Scope::Part(part) = program.reach.scope(source) else { continue };
            self.pull(&program, &part.limit_cells)?;
            for &(now, before) in &part.limits {
                self.frame.values[before as usize] = self.frame.values[now as usize];
            }
            self.wave.push(&part.seeds);
        }
        self.wave.push(&program.reach.always);
        self.wave.ran.clear();
        self.wave.focused = true;
        Ok(())
    }

    /// One evaluation of what waits.
    pub(crate) fn event_followed(&mut self, samples: &[bool], effects: &mut Effects) -> Eval {
        let program = self.program.clone();
        let mut ran = std::mem::take(&mut self.wave.ran);
        self.wave.push(&ran);
        ran.clear();
        self.wave.ran = ran;
        for at in 0..self.wave.samplers.len() {
            let k = self.wave.samplers[at] as usize;
            let flag = program.sampler_flags[k];
            let ticks = f64::from(u8::from(samples.get(k).copied().unwrap_or(false)));
            if self.frame.get(flag) != ticks {
                self.frame.set(flag, ticks);
                self.wave.push(program.reach.readers_of(flag));
            }
        }
        let done = self.sweep(&program, effects);
        done.map_err(|error| self.blame(error))
    }

    /// As `event_followed`, beside an evaluation of the whole model from the same values.
    pub(crate) fn event_verified(&mut self, samples: &[bool], effects: &mut Effects) -> Eval {
        let mut whole = self.clone();
        whole.wave.focused = false;
        let mut expected = Effects::default();
        let evaluated = whole.event(samples, false, &mut expected);
        self.event_followed(samples, effects)?;
        if evaluated.is_err() {
            return Ok(());
        }
        let program = self.program.clone();
        let time = self.frame.get(program.memory.time);
        let mut gaps = vec![f64::INFINITY; program.relations.len()];
        whole.crossings(&mut gaps)?;
        for (k, (part, all)) in self.relations.iter().zip(&whole.relations).enumerate() {
            let size = whole.frame.get(program.relations[k].right).abs().max(1.0);
            if part != all && gaps[k].abs() < ROUND_OFF * size {
                // About to cross by itself.
                return Ok(());
            }
            let text = &program.info.relations[k].text;
            assert!(part == all, "`{text}` is {part} at time {time}, not {all}");
        }
        for &(slot, _) in &program.discrete {
            let (part, all) = (self.frame.get(slot), whole.frame.get(slot));
            let name = || program.memory.slot_of.iter().position(|&s| s == slot).map(|v| &program.names[v]);
            let same = part == all || part.is_nan() && all.is_nan();
            assert!(same, "{:?} is {part} at time {time}, not {all}", name());
        }
        assert_eq!((&effects.reinits, &effects.fired), (&expected.reinits, &expected.fired));
        Ok(())
    }

    fn sweep(&mut self, program: &Program, effects: &mut Effects) -> Eval {
        while let Some(cell) = self.wave.first() {
            if cell >= program.reach.plans {
                break;
            }
            let support = &program.reach.cells[cell as usize].support;
            if !support.is_empty() {
                self.pull(program, support)?;
                // A block that was brought to the present may have decided something.
                if self.wave.first() != Some(cell) {
                    continue;
                }
            }
            let pushed = self.wave.take(cell);
            if let Err(error) = self.run_cell(program, cell, pushed, effects) {
                self.wave.push(&[cell]);
                self.wave.lost = true;
                return Err(error);
            }
        }
        Ok(())
    }

    /// Brings what moves to the present, each cell after those that it needs.
    fn pull(&mut self, program: &Program, cells: &[u32]) -> Eval {
        if self.fresh == Fresh::Everything || cells.is_empty() {
            return Ok(());
        }
        let wave = &mut self.wave;
        let (mut stack, mut found) = (std::mem::take(&mut wave.stack), std::mem::take(&mut wave.pulled));
        stack.clear();
        found.clear();
        stack.extend(cells);
        while let Some(cell) = stack.pop() {
            if !wave.is_present(cell) {
                wave.set_present(cell);
                found.push(cell);
                stack.extend(&program.reach.cells[cell as usize].support);
            }
        }
        found.sort_unstable();
        let done = found.iter().try_for_each(|&cell| {
            let pushed = self.wave.take(cell);
            self.run_cell(program, cell, pushed, &mut Effects::default())
        });
        if done.is_err() {
            self.wave.moved();
        }
        (self.wave.stack, self.wave.pulled) = (stack, found);
        done
    }

    fn run_cell(&mut self, program: &Program, at: u32, pushed: bool, effects: &mut Effects) -> Eval {
        let reach = &program.reach;
        let cell = &reach.cells[at as usize];
        self.wave.ran.push(at);
        let codes = match &cell.work {
            Work::Code(codes) => codes,
            Work::Assert(k) => return self.watch_assert(program, &program.asserts[*k as usize], effects),
            Work::Call(k) => return self.frame.run(program, &program.calls[*k as usize]),
            Work::When(k) => return self.act(program, &program.whens[*k as usize], effects),
            Work::Plan(_) => return Ok(()),
        };
        let writes = &reach.writes[cell.writes.0 as usize..cell.writes.1 as usize];
        let mut old = std::mem::take(&mut self.wave.old);
        old.clear();
        old.extend(writes.iter().map(|write| self.frame.get(write.slot)));
        let done = self.frame.run_sequence(program, codes);
        self.wave.old = old;
        done?;
        if cell.moves {
            self.wave.set_present(at);
        }
        if let Some(k) = cell.definition {
            self.check_definition(&program.definitions[k as usize])?;
        }
        for (k, write) in writes.iter().enumerate() {
            let (now, before) = (self.frame.get(write.slot), self.wave.old[k]);
            let changed = match write.kind {
                WriteKind::Text => true,
                WriteKind::Acts => now != 0.0 || before != 0.0,
                // With time it changes anyhow; that is no news unless something else has changed it.
                WriteKind::Moving => pushed && now.to_bits() != before.to_bits(),
                _ => now.to_bits() != before.to_bits(),
            };
            if changed {
                self.note(program, write, cell.writes.0 + k as u32);
            }
        }
        Ok(())
    }

    /// A number has changed: its readers wait, and its left limit follows when the evaluation is over.
    fn note(&mut self, program: &Program, write: &Write, number: u32) {
        if let WriteKind::Relation(r) = write.kind {
            self.relations[r as usize] = self.frame.get(write.slot) != 0.0;
        }
        if write.before.is_some() || matches!(write.kind, WriteKind::Relation(_)) {
            self.wave.touched.push(number);
        }
        self.wave.push(program.reach.readers_of(write.slot));
    }

    /// States that were set during an event; are some of them others?
    pub(crate) fn states_set(&mut self, x: &[f64]) -> bool {
        let program = self.program.clone();
        let first = program.reach.writes.len() as u32;
        let mut moved = false;
        for (k, (write, &value)) in program.reach.states.iter().zip(x).enumerate() {
            if self.frame.get(write.slot).to_bits() != value.to_bits() {
                self.frame.set(write.slot, value);
                self.note(&program, write, first + k as u32);
                moved = true;
            }
        }
        moved
    }

    /// A number that is set from outside during an event.
    pub(crate) fn input_set(&mut self, slot: Slot, value: f64) {
        let program = self.program.clone();
        let reach = &program.reach;
        if self.frame.get(slot).to_bits() == value.to_bits() {
            return;
        }
        self.frame.set(slot, value);
        if let Ok(at) = reach.inputs.binary_search_by_key(&slot, |(slot, _)| *slot) {
            let number = reach.inputs[at].1;
            self.note(&program, &reach.states[number as usize], reach.writes.len() as u32 + number);
        }
    }

    /// Left limits of what has changed.
    pub(crate) fn advance_followed(&mut self, changes: &mut Changes) {
        let program = self.program.clone();
        let reach = &program.reach;
        let touched = std::mem::take(&mut self.wave.touched);
        self.wave.ran.clear();
        let mut read = false;
        for &number in &touched {
            let number = number as usize;
            let write = match number.checked_sub(reach.writes.len()) {
                Some(state) => &reach.states[state],
                None => &reach.writes[number],
            };
            if let WriteKind::Relation(r) = write.kind {
                let r = r as usize;
                if self.relations[r] != self.relations_before[r] {
                    self.relations_before[r] = self.relations[r];
                    changes.relations.push(r as u32);
                    self.fresh.see(write.seen, &mut self.wave, changes);
                }
            }
            let Some(before) = write.before else { continue };
            let value = self.frame.get(write.slot);
            if value.to_bits() == self.frame.get(before).to_bits() {
                continue;
            }
            let differs = value != self.frame.get(before);
            read |= write.read;
            self.frame.set(before, value);
            self.wave.push(reach.readers_of(before));
            if write.kind == WriteKind::Discrete && differs {
                changes.discrete.push(write.slot);
                self.fresh.see(write.seen, &mut self.wave, changes);
            }
        }
        self.wave.touched = touched;
        self.wave.touched.clear();
        changes.again = read && !(changes.discrete.is_empty() && changes.relations.is_empty());
    }

    /// Time relations whose instants may be others; false: all.
    pub(crate) fn plans_changed(&mut self, relations: &mut Vec<u32>) -> bool {
        let first = self.program.reach.plans;
        relations.clear();
        self.wave.drain_from(first, |cell| relations.push(cell - first));
        !std::mem::take(&mut self.wave.whole)
    }
}

impl Interpreter {
    /// Events of an island, by its own tape.
    pub(crate) fn run_island(&mut self, source: Source, leave: Leave) -> Eval<Option<Burst>> {
        let island = match self.scope(source) {
            Scope::Part(part) if !self.verify && !self.wave.lost => part.island,
            _ => None,
        };
        let Some(island) = island else { return Ok(None) };
        let Self { program, frame, wave, relations, relations_before, .. } = self;
        let program: &Program = program;
        let island = &program.reach.islands[island as usize];
        if let Source::Sampler(k) = source {
            frame.set(program.sampler_flags[k as usize], 1.0);
        }
        if let Clock::Ticks { start, interval, tick } = island.clock {
            frame.set(start, leave.ticks.0);
            frame.set(interval, leave.ticks.1);
            frame.set(tick, leave.ticks.2 as f64);
        }
        frame.set(island.limit, leave.limit);
        // A loop that proves long is compiled before it goes on.
        let hot = wave.looped >= HOT;
        frame.set(island.most, f64::from(if hot { leave.most } else { leave.most.min(HOT) }));
        match hot {
            true => frame.run_loop(program, &island.tape)?,
            false => frame.run(program, &island.tape)?,
        }
        for &(r, slot) in &island.relations {
            let held = frame.get(slot) != 0.0;
            (relations[r as usize], relations_before[r as usize]) = (held, held);
        }
        wave.looped = wave.looped.saturating_add(frame.get(island.events) as u32);
        let settled = frame.get(island.settled) != 0.0;
        if settled && frame.get(island.late) == 0.0 {
            island.cells.iter().for_each(|&cell| {
                wave.take(cell);
            });
        } else {
            wave.push(&island.cells);
        }
        wave.push(&island.plans);
        let burst = Burst {
            events: frame.get(island.events) as u64,
            iterations: frame.get(island.rounds) as u64,
            time: frame.get(program.memory.time),
            settled,
        };
        // The motion reads nothing of it.
        self.decided = true;
        self.stale();
        Ok(Some(burst))
    }
}
