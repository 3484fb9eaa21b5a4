//! A whole event of a small model in one tape.

use super::Interpreter;
use crate::fresh::Fresh;
use crate::shortcuts::Passage;
use kairos_program::tape::Slot;

impl Interpreter {
    /// Evaluates an event of the whole model as far as one tape can.
    pub(crate) fn pass_through(&mut self, samples: &[bool]) -> Option<Passage> {
        let through = self.program.through.as_ref()?;
        // A condition that was violated is worth a word when it holds again.
        if self.wave.focused || !self.violated.is_empty() {
            return None;
        }
        let (program, frame) = (&self.program, &mut self.frame);
        for (k, &flag) in program.sampler_flags.iter().enumerate() {
            let ticks = samples.get(k).copied().unwrap_or(false);
            frame.set(flag, f64::from(u8::from(ticks)));
        }
        frame.set(program.terminal_flag, 0.0);
        let done = frame.run(program, &through.tape).is_ok();
        let holds = |slot: Slot| frame.get(slot) != 0.0;
        let rounds = frame.get(through.rounds) as u32;
        let mut passage = Passage {
            rounds,
            settled: holds(through.settled),
            changed: holds(through.changed),
            visible: holds(through.visible),
            affected: holds(through.affected),
        };
        if !done {
            // What the evaluations before have changed has not been told.
            let some = rounds > 0;
            passage = Passage { rounds, settled: false, changed: some, visible: some, affected: some };
            for (&kept, to) in through.kept.iter().zip(program.memory.relations..) {
                let before = frame.get(kept);
                frame.set(to, before);
            }
        }
        let first = program.memory.relations as usize;
        let decided = frame.values[first..].iter().map(|&value| value != 0.0);
        for ((now, before), held) in self.relations.iter_mut().zip(&mut self.relations_before).zip(decided) {
            (*now, *before) = (held, held);
        }
        self.stale();
        self.wave.begin_whole();
        (self.settled, self.decided) = (passage.settled, !passage.settled);
        if passage.settled {
            self.fresh = Fresh::Everything;
            self.planned = true;
        }
        Some(passage)
    }

    /// The next instant of a time relation, if the last event has left it.
    pub(crate) fn known_plan(&self, relation: usize) -> Option<f64> {
        let plan = self.program.through.as_ref().filter(|_| self.planned)?.plans[relation]?;
        Some(self.frame.get(plan)).filter(|next| !next.is_nan())
    }
}
