//! Discrete equations that nobody else reads, with all their events in one tape: it iterates each event, finds the
//! next instant by itself and goes on as long as nothing else is planned before.

use super::{Write, WriteKind};
use crate::program::Memory;
use crate::tape::{Op, Slot, Tape};
use kairos_expr::{BinOp, UnOp};
use std::collections::HashMap;

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
    let mut maker = Maker { memory, ops: Vec::new(), local: HashMap::new() };
    let (zero, one) = (maker.memory.constant(0.0), maker.memory.constant(1.0));
    let time = maker.memory.time;
    let mut own = vec![time];
    own.extend(writes.iter().flat_map(|write| [Some(write.slot), write.before]).flatten());
    own.extend(&flags);
    own.sort_unstable();
    own.dedup();
    for &slot in &own {
        let local = maker.memory.slots.scratch();
        maker.local.insert(slot, local);
        maker.copy(local, slot);
    }
    let [count, sum, round, again, news, candidate] = [(); 6].map(|()| maker.memory.slots.scratch());
    maker.copy(count, zero);
    maker.copy(sum, zero);
    maker.copy(settled, one);
    let clock = match &next {
        Next::Unknown => Clock::None,
        Next::Relation(_) => Clock::Relation,
        Next::Sampler(_) => {
            let [start, interval, tick] = [(); 3].map(|()| maker.memory.temporary());
            Clock::Ticks { start, interval, tick }
        }
    };
    let event = maker.here();
    maker.binary(BinOp::Add, count, count, one);
    maker.copy(round, zero);
    let turn = maker.here();
    let before = writes.iter().filter(|write| matches!(write.kind, WriteKind::Relation(_)));
    let before: Vec<(Slot, Slot)> = before
        .map(|write| {
            let kept = maker.memory.slots.scratch();
            let local = maker.local[&write.slot];
            maker.copy(kept, local);
            (local, kept)
        })
        .collect();
    maker.append(body, &[]);
    maker.copy(again, zero);
    maker.copy(news, zero);
    for (now, kept) in before {
        maker.differ(again, now, kept);
    }
    for write in writes {
        let Some(limit) = write.before else { continue };
        let (now, before) = (maker.local[&write.slot], maker.local[&limit]);
        maker.differ(if write.kind == WriteKind::Discrete { again } else { news }, now, before);
        maker.copy(before, now);
    }
    for flag in &flags {
        // Ticks end with the first evaluation: what is made of them must be seen to fall.
        let local = maker.local[flag];
        maker.binary(BinOp::Or, again, again, local);
        maker.copy(local, zero);
    }
    maker.binary(BinOp::Add, round, round, one);
    let rest = maker.jump_unless(again);
    let longest = maker.memory.constant(ROUNDS);
    let long = maker.memory.slots.scratch();
    maker.binary(BinOp::Ge, long, round, longest);
    maker.ops.push(Op::JumpUnless { condition: long, target: turn });
    maker.copy(settled, zero);
    maker.land(rest);
    maker.binary(BinOp::Add, sum, sum, round);
    let mut out = vec![maker.jump_unless(settled)];
    match next {
        Next::Unknown => {}
        Next::Sampler(flag) => {
            let Clock::Ticks { start, interval, tick } = clock else { unreachable!("made for it above") };
            let after = maker.memory.slots.scratch();
            maker.binary(BinOp::Add, after, tick, one);
            maker.binary(BinOp::Mul, candidate, after, interval);
            maker.binary(BinOp::Add, candidate, start, candidate);
            out.extend(maker.unless_next(candidate, limit, count, most));
            maker.copy(tick, after);
            let local = maker.local[&flag];
            maker.copy(local, one);
        }
        Next::Relation(instant) => {
            maker.append(instant.tape, &[]);
            maker.binary(BinOp::Div, candidate, instant.rest, instant.slope);
            maker.ops.push(Op::Unary { op: UnOp::Neg, to: candidate, a: candidate });
            out.extend(maker.unless_next(candidate, limit, count, most));
            // The instant must be the first at which the relation, as computed, has its other value.
            maker.append(instant.tape, &[(time, candidate)]);
            let (other, held) = (maker.memory.slots.scratch(), maker.local[&instant.relation]);
            maker.binary(BinOp::Ne, other, instant.literal, held);
            out.push(maker.jump_unless(other));
        }
    }
    if !matches!(clock, Clock::None) {
        let local = maker.local[&time];
        maker.copy(local, candidate);
        maker.ops.push(Op::Jump { target: event });
    }
    out.into_iter().for_each(|jump| maker.land(jump));
    for slot in own {
        let local = maker.local[&slot];
        maker.copy(slot, local);
    }
    maker.copy(events, count);
    maker.copy(rounds, sum);
    maker.copy(late, news);
    let ops = maker.ops;
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

struct Maker<'a> {
    memory: &'a mut Memory,
    ops: Vec<Op>,
    /// What the tape carries round by itself, in slots of its own.
    local: HashMap<Slot, Slot>,
}

impl Maker<'_> {
    fn here(&self) -> u32 {
        self.ops.len() as u32
    }

    fn copy(&mut self, to: Slot, a: Slot) {
        self.ops.push(Op::Copy { to, a });
    }

    fn binary(&mut self, op: BinOp, to: Slot, a: Slot, b: Slot) {
        self.ops.push(Op::Binary { op, to, a, b });
    }

    /// Sets `flag` where two numbers differ.
    fn differ(&mut self, flag: Slot, a: Slot, b: Slot) {
        let other = self.memory.slots.scratch();
        self.binary(BinOp::Ne, other, a, b);
        self.binary(BinOp::Or, flag, flag, other);
    }

    /// A jump forward, to be landed.
    fn jump_unless(&mut self, condition: Slot) -> usize {
        self.ops.push(Op::JumpUnless { condition, target: 0 });
        self.ops.len() - 1
    }

    fn land(&mut self, jump: usize) {
        let here = self.here();
        if let Op::JumpUnless { target, .. } = &mut self.ops[jump] {
            *target = here;
        }
    }

    /// Jumps unless the candidate is the next event, and there may be one.
    fn unless_next(&mut self, candidate: Slot, limit: Slot, count: Slot, most: Slot) -> [usize; 3] {
        let [later, early, few] = [(); 3].map(|()| self.memory.slots.scratch());
        let now = self.local[&self.memory.time];
        self.binary(BinOp::Gt, later, candidate, now);
        self.binary(BinOp::Lt, early, candidate, limit);
        self.binary(BinOp::Lt, few, count, most);
        [later, early, few].map(|condition| self.jump_unless(condition))
    }

    /// Operations of another tape, with other slots for what is carried round and for what is given.
    fn append(&mut self, tape: &Tape, given: &[(Slot, Slot)]) {
        let Self { ops, local, .. } = self;
        tape.append(ops, &mut |slot| {
            let given = given.iter().find(|(from, _)| *from == slot).map(|(_, to)| *to);
            given.or_else(|| local.get(&slot).copied()).unwrap_or(slot)
        });
    }
}
