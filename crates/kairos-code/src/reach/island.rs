//! Discrete equations that nobody else reads, with all their events in one tape: it iterates each event, finds the
//! next instant by itself and goes on as long as nothing else is planned before.

use super::{Write, WriteKind};
use crate::program::Memory;
use crate::tape::{Op, Slot, Tape};
use crate::writer::Writer;
use kairos_expr::{BinOp, UnOp};

/// An iteration that is longer is left to the evaluation by cells, which knows how to tell of it.
const ROUNDS: f64 = 8.0;
/// Equations longer than this are evaluated by cells.
pub const LONGEST: usize = 500;

/// How an island's own source says when it comes next.
#[derive(Clone, Debug)]
pub enum Clock {
    /// It does not: there are others, or none that is plain.
    None,
    /// Start, interval and tick, as numbers that the machine sets.
    Ticks {
        start: Slot,
        interval: Slot,
        tick: Slot,
    },
    Relation,
}

#[derive(Clone, Debug)]
pub struct Island {
    pub tape: Tape,
    pub clock: Clock,
    /// What the tape is told: events must lie before this, and there may be so many.
    pub limit: Slot,
    pub most: Slot,
    /// What it tells: events, evaluations, whether the last event has settled, and whether left limits of the
    /// compiler's own variables have changed at its end.
    pub events: Slot,
    pub rounds: Slot,
    pub settled: Slot,
    pub late: Slot,
    /// Flags of the samplers that it reads.
    pub flags: Vec<Slot>,
    /// Relations that it decides: number and slot.
    pub relations: Vec<(u32, Slot)>,
    /// All its cells, and the plans of the time relations that read what it gives.
    pub cells: Vec<u32>,
    pub plans: Vec<u32>,
}

/// The instant of a time relation, as `RelationCode::time` has it, with the relation itself.
pub struct Instant<'a> {
    pub tape: &'a Tape,
    pub slope: Slot,
    pub rest: Slot,
    pub literal: Slot,
    pub relation: Slot,
}

/// The next event of an island comes from here.
pub enum Next<'a> {
    Unknown,
    Sampler(Slot),
    Relation(Instant<'a>),
}

/// Are all operations numeric? Others look for their arguments in the memory, where a tape that goes round has none.
pub fn is_plain(tape: &Tape) -> bool {
    tape.ops.iter().all(|op| {
        !matches!(
            op,
            Op::Invoke { .. }
                | Op::Call { .. }
                | Op::CallTangent { .. }
                | Op::Evaluate { .. }
                | Op::Delay { .. }
                | Op::Load { .. }
                | Op::Store { .. }
                | Op::Check { .. }
                | Op::Require { .. }
                | Op::GiveUp
        )
    })
}

/// Makes the tape around the equations in `body`, which write `writes`.
pub fn island(memory: &mut Memory, body: &Tape, writes: &[Write], flags: Vec<Slot>, next: Next) -> Island {
    let interface = [(); 6].map(|()| memory.temporary());
    let [limit, most, events, rounds, settled, late] = interface;
    let mut writer = Writer::new(memory);
    let (zero, one) = (writer.memory.constant(0.0), writer.memory.constant(1.0));
    let time = writer.memory.time;
    let mut own = vec![time];
    own.extend(writes.iter().flat_map(|write| [Some(write.slot), write.before]).flatten());
    own.extend(&flags);
    own.sort_unstable();
    own.dedup();
    for &slot in &own {
        let local = writer.memory.slots.scratch();
        writer.local.insert(slot, local);
        writer.copy(local, slot);
    }
    let [count, sum, round, again, news, candidate] = [(); 6].map(|()| writer.memory.slots.scratch());
    writer.copy(count, zero);
    writer.copy(sum, zero);
    writer.copy(settled, one);
    let clock = match &next {
        Next::Unknown => Clock::None,
        Next::Relation(_) => Clock::Relation,
        Next::Sampler(_) => {
            let [start, interval, tick] = [(); 3].map(|()| writer.memory.temporary());
            Clock::Ticks { start, interval, tick }
        }
    };
    let event = writer.here();
    writer.binary(BinOp::Add, count, count, one);
    writer.copy(round, zero);
    let turn = writer.here();
    let before = writes.iter().filter(|write| matches!(write.kind, WriteKind::Relation(_)));
    let before: Vec<(Slot, Slot)> = before
        .map(|write| {
            let kept = writer.memory.slots.scratch();
            let local = writer.local[&write.slot];
            writer.copy(kept, local);
            (local, kept)
        })
        .collect();
    writer.append(body, &[]);
    writer.copy(again, zero);
    writer.copy(news, zero);
    for (now, kept) in before {
        writer.differ(again, now, kept);
    }
    for write in writes {
        let Some(limit) = write.before else { continue };
        let (now, before) = (writer.local[&write.slot], writer.local[&limit]);
        writer.differ(if write.kind == WriteKind::Discrete { again } else { news }, now, before);
        writer.copy(before, now);
    }
    for flag in &flags {
        // Ticks end with the first evaluation: what is made of them must be seen to fall.
        let local = writer.local[flag];
        writer.binary(BinOp::Or, again, again, local);
        writer.copy(local, zero);
    }
    writer.binary(BinOp::Add, round, round, one);
    let rest = writer.jump_unless(again);
    let longest = writer.memory.constant(ROUNDS);
    let long = writer.memory.slots.scratch();
    writer.binary(BinOp::Ge, long, round, longest);
    writer.ops.push(Op::JumpUnless { condition: long, target: turn });
    writer.copy(settled, zero);
    writer.land(rest);
    writer.binary(BinOp::Add, sum, sum, round);
    let mut out = vec![writer.jump_unless(settled)];
    match next {
        Next::Unknown => {}
        Next::Sampler(flag) => {
            let Clock::Ticks { start, interval, tick } = clock else { unreachable!("made for it above") };
            let after = writer.memory.slots.scratch();
            writer.binary(BinOp::Add, after, tick, one);
            writer.binary(BinOp::Mul, candidate, after, interval);
            writer.binary(BinOp::Add, candidate, start, candidate);
            out.extend(writer.unless_next(candidate, limit, count, most));
            writer.copy(tick, after);
            let local = writer.local[&flag];
            writer.copy(local, one);
        }
        Next::Relation(instant) => {
            writer.append(instant.tape, &[]);
            writer.binary(BinOp::Div, candidate, instant.rest, instant.slope);
            writer.ops.push(Op::Unary { op: UnOp::Neg, to: candidate, a: candidate });
            out.extend(writer.unless_next(candidate, limit, count, most));
            // The instant must be the first at which the relation, as computed, has its other value.
            writer.append(instant.tape, &[(time, candidate)]);
            let (other, held) = (writer.memory.slots.scratch(), writer.local[&instant.relation]);
            writer.binary(BinOp::Ne, other, instant.literal, held);
            out.push(writer.jump_unless(other));
        }
    }
    if !matches!(clock, Clock::None) {
        let local = writer.local[&time];
        writer.copy(local, candidate);
        writer.ops.push(Op::Jump { target: event });
    }
    out.into_iter().for_each(|jump| writer.land(jump));
    for slot in own {
        let local = writer.local[&slot];
        writer.copy(slot, local);
    }
    writer.copy(events, count);
    writer.copy(rounds, sum);
    writer.copy(late, news);
    let ops = writer.ops;
    let relation = |write: &Write| match write.kind {
        WriteKind::Relation(r) => Some((r, write.slot)),
        _ => None,
    };
    Island {
        tape: memory.tape(ops),
        clock,
        limit,
        most,
        events,
        rounds,
        settled,
        late,
        flags,
        relations: writes.iter().filter_map(relation).collect(),
        cells: Vec::new(),
        plans: Vec::new(),
    }
}

impl Writer<'_> {
    /// Jumps unless the candidate is the next event, and there may be one.
    fn unless_next(&mut self, candidate: Slot, limit: Slot, count: Slot, most: Slot) -> [usize; 3] {
        let [later, early, few] = [(); 3].map(|()| self.memory.slots.scratch());
        let now = self.local[&self.memory.time];
        self.binary(BinOp::Gt, later, candidate, now);
        self.binary(BinOp::Lt, early, candidate, limit);
        self.binary(BinOp::Lt, few, count, most);
        [later, early, few].map(|condition| self.jump_unless(condition))
    }
}
