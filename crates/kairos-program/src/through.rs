//! A whole event in one tape: evaluated until nothing changes, with all that has to be known before the motion goes on.

use crate::program::{Program, RelationCode};
use crate::reach;
use crate::structure::Seen;
use crate::tape::{Op, Slot, Tape};
use crate::writer::Writer;
use kairos_expr::{BinOp, Builtin, UnOp};

/// An iteration that is longer is left to the machine, which knows how to tell of it.
const ROUNDS: f64 = 8.0;
/// Equations longer than this are evaluated round by round.
const LONGEST: usize = 1500;
/// An instant may lie behind by so much, relative to times.
const BEHIND: f64 = 1e-9;

#[derive(Clone, Debug)]
pub struct Through {
    pub tape: Tape,
    /// What it tells: evaluations, whether the event is over, whether anything has changed, a discrete variable among
    /// it, or something that the motion reads.
    pub rounds: Slot,
    /// The relations as the last of these has left them.
    pub kept: Vec<Slot>,
    pub settled: Slot,
    pub changed: Slot,
    pub visible: Slot,
    pub affected: Slot,
    /// The next instant of each time relation; not a number where it has to be searched for.
    pub plans: Vec<Option<Slot>>,
}

impl Through {
    /// The tape for a program, unless an event needs the machine. `momentary` are conditions that fall when ticks end, if
    /// that is all that changes then.
    pub fn new(program: &mut Program, momentary: Option<&[Slot]>) -> Option<Through> {
        let no_source = program.relations.is_empty() && program.samplers.is_empty();
        let asserts: usize = program.asserts.iter().map(|assert| assert.tape.ops.len()).sum();
        let left = LONGEST.checked_sub(asserts + program.settled.ops.len())?;
        if no_source || !program.calls.is_empty() {
            return None;
        }
        let (event, done, all) = program.event.whole(&mut program.memory, left)?;
        let mut tapes = program.asserts.iter().map(|assert| &assert.tape).chain([&event, &program.settled]);
        if !tapes.all(is_plain) {
            return None;
        }
        // Where an evaluation fails in the middle, the machine has to know these.
        let rounds = program.memory.temporary();
        let kept: Vec<Slot> = program.relations.iter().map(|_| program.memory.temporary()).collect();
        let told = [(); 4].map(|()| program.memory.temporary());
        let Program { memory, .. } = program;
        let mut writer = Writer::new(memory);
        let own = [(); 4].map(|()| writer.memory.slots.scratch());
        let [settled, changed, visible, affected] = own;
        let relations: Vec<Slot> =
            (0..program.relations.len() as Slot).map(|r| writer.memory.relations + r).collect();
        let [news, read, over] = [(); 3].map(|()| writer.memory.slots.scratch());
        [rounds].iter().chain(&own).for_each(|&slot| writer.set(slot, 0.0));
        program.pre.iter().for_each(|&(now, before)| writer.copy(before, now));
        let ticked = writer.memory.slots.scratch();
        writer.set(ticked, 0.0);
        program.sampler_flags.iter().for_each(|&flag| writer.binary(BinOp::Or, ticked, ticked, flag));
        let turn = writer.here();
        relations.iter().zip(&kept).for_each(|(&now, &kept)| writer.copy(kept, now));
        // One evaluation, with a way out wherever there is more to do than to compute.
        writer.append(&event, &[]);
        let mut exits = Vec::new();
        let all = writer.memory.constant(all);
        writer.binary(BinOp::Eq, over, done, all);
        exits.push(writer.jump_unless(over));
        writer.finite(over, program.definitions.iter().map(|definition| definition.slot));
        exits.push(writer.jump_unless(over));
        for assert in &program.asserts {
            writer.append(&assert.tape, &[]);
            exits.push(writer.jump_unless(assert.condition));
        }
        for when in &program.whens {
            if when.actions.is_empty() {
                writer.binary(BinOp::Or, changed, changed, when.fire);
            } else {
                writer.not(over, when.fire);
                exits.push(writer.jump_unless(over));
            }
        }
        // What has changed, who sees it, and who reads what it was.
        let one = writer.memory.constant(1.0);
        writer.binary(BinOp::Add, rounds, rounds, one);
        writer.set(news, 0.0);
        writer.set(read, 0.0);
        let note = |writer: &mut Writer, now: Slot, before: Slot, flags: &[(Slot, bool)]| {
            let other = writer.memory.slots.scratch();
            writer.binary(BinOp::Ne, other, now, before);
            for (flag, _) in flags.iter().filter(|(_, concerned)| *concerned) {
                writer.binary(BinOp::Or, *flag, *flag, other);
            }
        };
        for (k, &(now, before)) in program.discrete.iter().enumerate() {
            let motion = program.discrete_seen[k] == Seen::Motion;
            let is_read = program.discrete_read[k];
            note(
                &mut writer,
                now,
                before,
                &[(news, true), (visible, true), (affected, motion), (read, is_read)],
            );
            writer.copy(before, now);
        }
        for ((&now, &kept), seen) in relations.iter().zip(&kept).zip(&program.relation_seen) {
            note(&mut writer, now, kept, &[(news, true), (affected, *seen == Seen::Motion)]);
        }
        for &(now, before) in &program.pre {
            note(&mut writer, now, before, &[(read, true)]);
            writer.copy(before, now);
        }
        writer.binary(BinOp::Or, changed, changed, news);
        writer.binary(BinOp::And, news, news, read);
        // Ticks end with the first evaluation: conditions made of them must be seen to fall.
        for &flag in &program.sampler_flags {
            if momentary.is_none() {
                writer.binary(BinOp::Or, news, news, flag);
            }
            writer.set(flag, 0.0);
        }
        let still = writer.jump_unless(news);
        let longest = writer.memory.constant(ROUNDS);
        writer.binary(BinOp::Ge, over, rounds, longest);
        writer.ops.push(Op::JumpUnless { condition: over, target: turn });
        let mut ends = vec![writer.jump()];
        writer.land(still);
        writer.set(settled, 1.0);
        if let Some(momentary) = momentary {
            momentary.iter().for_each(|&condition| writer.set(condition, 0.0));
            // The evaluation that is left out counts as if it had been made.
            writer.binary(BinOp::Eq, over, rounds, one);
            writer.binary(BinOp::And, over, over, ticked);
            writer.binary(BinOp::Add, rounds, rounds, over);
        }
        writer.append(&program.settled, &[]);
        let plans =
            program.relations.iter().zip(&relations).map(|(code, &held)| writer.plan(code, held)).collect();
        ends.push(writer.jump());
        // As if the evaluation had not been begun.
        exits.into_iter().for_each(|exit| writer.land(exit));
        relations.iter().zip(&kept).for_each(|(&now, &kept)| writer.copy(now, kept));
        ends.into_iter().for_each(|end| writer.land(end));
        told.iter().zip(&own).for_each(|(&told, &own)| writer.copy(told, own));
        let tape = writer.tape();
        let [settled, changed, visible, affected] = told;
        Some(Through { tape, rounds, kept, settled, changed, visible, affected, plans })
    }
}

/// Operations that neither need the machine nor give up, which would be to begin anew.
fn is_plain(tape: &Tape) -> bool {
    tape.ops.iter().all(|op| !(op.calls_out() || matches!(op, Op::Require { .. } | Op::GiveUp)))
}

impl Writer<'_> {
    /// The next instant of a time relation, as `Machine::time_event` finds it where nothing is rounded astray.
    fn plan(&mut self, code: &RelationCode, held: Slot) -> Option<Slot> {
        let (tape, slope, rest, literal) = code.time.as_ref().filter(|(tape, ..)| reach::is_plain(tape))?;
        let plan = self.memory.temporary();
        let [next, soon, test, last] = [(); 4].map(|()| self.memory.slots.scratch());
        let (zero, one, behind) =
            (self.memory.constant(0.0), self.memory.constant(1.0), self.memory.constant(BEHIND));
        let now = self.memory.time;
        self.append(tape, &[]);
        self.binary(BinOp::Div, next, *rest, *slope);
        self.unary(UnOp::Neg, next, next);
        // What it comes to in the end it keeps.
        match code.op {
            BinOp::Lt | BinOp::Le => self.binary(BinOp::Lt, last, *slope, zero),
            BinOp::Gt | BinOp::Ge => self.binary(BinOp::Gt, last, *slope, zero),
            _ => self.not(last, held),
        }
        self.set(plan, f64::INFINITY);
        let mut out = Vec::new();
        self.finite(test, [next].into_iter());
        out.push(self.jump_unless(test));
        self.binary(BinOp::Ne, test, held, last);
        out.push(self.jump_unless(test));
        self.ops.push(Op::Function1 { f: Builtin::Abs, to: soon, a: now });
        self.binary(BinOp::Add, soon, soon, one);
        self.binary(BinOp::Mul, soon, soon, behind);
        self.binary(BinOp::Sub, soon, now, soon);
        self.binary(BinOp::Ge, test, next, soon);
        out.push(self.jump_unless(test));
        self.set(plan, f64::NAN);
        self.binary(BinOp::Gt, test, next, now);
        out.push(self.jump_unless(test));
        // It must be the first instant at which the relation, as computed, has its other value.
        self.append(tape, &[(now, next)]);
        self.binary(BinOp::Ne, test, *literal, held);
        out.push(self.jump_unless(test));
        self.copy(plan, next);
        out.into_iter().for_each(|jump| self.land(jump));
        Some(plan)
    }
}
