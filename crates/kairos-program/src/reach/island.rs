//! Discrete equations that nobody else reads, with all their events in one tape: it iterates each event, finds the
//! next instant by itself and goes on as long as nothing else is planned before.

use super::{Write, WriteKind};
use crate::program::Memory;
use crate::tape::{Op, Slot, Tape};
use crate::writer::Writer;
use kairos_expr::{BinOp, UnOp};
use std::collections::BTreeSet;

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
    let by_place = |op: &Op| matches!(op, Op::Invoke { .. } | Op::Load { .. } | Op::Store { .. });
    let may_fail = |op: &Op| matches!(op, Op::Check { .. } | Op::Require { .. } | Op::GiveUp);
    tape.ops.iter().all(|op| !(op.calls_out() || by_place(op) || may_fail(op)))
}

/// The equations of an island, in the order of evaluation.
pub struct Body {
    /// Evaluated in every round.
    pub head: Vec<Clause>,
    /// Evaluated where one of the flags acts; otherwise these variables are what they were.
    pub rest: Vec<Clause>,
    pub held: Vec<(Slot, Slot)>,
    pub acts: Vec<Slot>,
    /// A round in which nothing acts and no variable changes is as good as the last one: another would find only
    /// that conditions have fallen.
    pub calm: bool,
    /// What is true or false.
    pub truths: BTreeSet<Slot>,
}

pub enum Clause {
    Always(Tape),
    /// Where the flag does not hold, each variable has its left limit.
    When {
        acts: Slot,
        tape: Tape,
        held: Vec<(Slot, Slot)>,
    },
}

impl Clause {
    fn tape(&self) -> &Tape {
        match self {
            Clause::Always(tape) | Clause::When { tape, .. } => tape,
        }
    }
}

impl Body {
    fn tapes(&self) -> impl Iterator<Item = &Tape> {
        self.head.iter().chain(&self.rest).map(Clause::tape)
    }

    /// The one flag that acts, if nothing is evaluated but where this sampler ticks, and nothing asks whether it does.
    fn ruled_by(&self, sampler: Slot) -> Option<Slot> {
        let [acts] = *self.acts else { return None };
        let tells = match &self.head[..] {
            [] => acts == sampler,
            [Clause::Always(tape)] => matches!(*tape.ops, [Op::Copy { to, a }] if to == acts && a == sampler),
            _ => false,
        };
        let asks = |tape: &Tape| tape.mentions(acts) || tape.mentions(sampler);
        let rest = self.rest.iter().map(Clause::tape);
        (tells && !self.rest.is_empty() && !rest.into_iter().any(asks)).then_some(acts)
    }

    /// Can it stand in a tape that goes round?
    pub fn is_plain(&self) -> bool {
        self.tapes().all(is_plain) && self.tapes().map(|tape| tape.ops.len()).sum::<usize>() <= LONGEST
    }
}

/// Makes the tape around the equations in `body`, which write `writes`.
pub fn island(memory: &mut Memory, body: &Body, writes: &[Write], flags: Vec<Slot>, next: Next) -> Island {
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
        let local = writer.local_for(slot);
        match body.truths.contains(&slot) {
            true => writer.binary(BinOp::Ne, local, slot, zero),
            false => writer.copy(local, slot),
        }
    }
    let [count, sum, round] = [(); 3].map(|()| writer.memory.slots.scratch());
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
    let ticks = writer.memory.slots.scratch();
    if let Clock::Ticks { tick, .. } = clock {
        writer.copy(ticks, tick);
    }
    let event = writer.here();
    writer.binary(BinOp::Add, count, count, one);
    writer.copy(round, zero);
    let news = writer.memory.slots.scratch();
    let mut out = vec![writer.iterate(body, writes, &flags, &Tally { settled, round, sum, news })];
    let candidate = writer.memory.slots.scratch();
    match (next, &clock) {
        (Next::Sampler(flag), &Clock::Ticks { start, interval, .. }) => {
            let next_tick = |writer: &mut Writer, out: &mut Vec<usize>| {
                let after = writer.memory.slots.scratch();
                writer.binary(BinOp::Add, after, ticks, one);
                writer.binary(BinOp::Mul, candidate, after, interval);
                writer.binary(BinOp::Add, candidate, start, candidate);
                out.extend(writer.unless_next(candidate, limit, count, most));
                writer.copy(ticks, after);
            };
            next_tick(&mut writer, &mut out);
            let plain = |write: &Write| matches!(write.kind, WriteKind::Discrete | WriteKind::Acts);
            let ruled = body.ruled_by(flag).filter(|_| flags == [flag] && writes.iter().all(plain));
            if let Some(acts) = ruled {
                // Each further tick is one evaluation, and another that finds nothing to do.
                let two = writer.memory.constant(2.0);
                let now = writer.local[&time];
                writer.copy(now, candidate);
                let tick = writer.here();
                writer.binary(BinOp::Add, count, count, one);
                body.rest.iter().for_each(|clause| writer.clause(clause, Some(acts)));
                let limits = writes.iter().filter_map(|write| Some((write.slot, write.before?)));
                let limits = limits.map(|(now, before)| (writer.local[&now], writer.local[&before]));
                writer.follow(&limits.collect::<Vec<_>>());
                writer.binary(BinOp::Add, sum, sum, two);
                next_tick(&mut writer, &mut out);
                writer.go_round(tick, candidate);
            } else {
                let local = writer.local[&flag];
                writer.copy(local, one);
                writer.go_round(event, candidate);
            }
        }
        (Next::Relation(instant), _) => {
            let [slope, rest, literal] =
                [instant.slope, instant.rest, instant.literal].map(|slot| writer.local_for(slot));
            writer.append(instant.tape, &[]);
            let slope = writer.constant(instant.tape, instant.slope).unwrap_or(slope);
            writer.binary(BinOp::Div, candidate, rest, slope);
            writer.ops.push(Op::Unary { op: UnOp::Neg, to: candidate, a: candidate });
            out.extend(writer.unless_next(candidate, limit, count, most));
            // The instant must be the first at which the relation, as computed, has its other value.
            writer.append(instant.tape, &[(time, candidate)]);
            let (other, held) = (writer.memory.slots.scratch(), writer.local[&instant.relation]);
            writer.binary(BinOp::Ne, other, literal, held);
            out.push(writer.jump_unless(other));
            writer.go_round(event, candidate);
        }
        (Next::Unknown | Next::Sampler(_), _) => {}
    }
    out.into_iter().for_each(|jump| writer.land(jump));
    if let Clock::Ticks { tick, .. } = clock {
        writer.copy(tick, ticks);
    }
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

/// What the rounds of an event tell: whether they come to an end, how many there were, at this event and in all, and
/// whether left limits of the compiler's own variables have changed in the last.
struct Tally {
    settled: Slot,
    round: Slot,
    sum: Slot,
    news: Slot,
}

impl Writer<'_> {
    /// Evaluates an event round by round; gives the jump from where it does not come to an end.
    fn iterate(&mut self, body: &Body, writes: &[Write], flags: &[Slot], tally: &Tally) -> usize {
        let (zero, one) = (self.memory.constant(0.0), self.memory.constant(1.0));
        let turn = self.here();
        let relations = writes.iter().filter(|write| matches!(write.kind, WriteKind::Relation(_)));
        let relations: Vec<(Slot, Slot)> = relations
            .map(|write| {
                let kept = self.memory.slots.scratch();
                let local = self.local[&write.slot];
                self.copy(kept, local);
                (local, kept)
            })
            .collect();
        body.head.iter().for_each(|clause| self.clause(clause, None));
        let acting = self.acting(&body.acts);
        let limits = writes.iter().filter_map(|write| Some((write, write.before?)));
        let limits = limits.map(|(write, before)| (write, self.local[&write.slot], self.local[&before]));
        let limits: Vec<(&Write, Slot, Slot)> = limits.collect();
        let of_kind = |discrete: bool, read: bool| {
            let list = limits.iter().filter(move |(write, ..)| {
                (write.kind == WriteKind::Discrete) == discrete && (!discrete || write.read == read)
            });
            list.map(|&(_, now, before)| (now, before)).collect::<Vec<_>>()
        };
        let (variables, unread, helpers) = (of_kind(true, true), of_kind(true, false), of_kind(false, true));
        let (mut moved, mut stirred) = (Vec::new(), Vec::new());
        let ticks: Vec<(Slot, Slot)> = flags.iter().map(|flag| (self.local[flag], zero)).collect();
        let calm = (!body.rest.is_empty() || body.calm).then(|| self.jump_unless(acting));
        let known = body.acts.first().copied().filter(|_| body.acts.len() == 1);
        body.rest.iter().for_each(|clause| self.clause(clause, known));
        // What is computed last is the most likely to be another.
        self.unless_same(variables.iter().rev().chain(&ticks), &mut moved);
        let mut over = Vec::new();
        self.unless_in_vain(unread.iter().rev().chain(&relations), &helpers, &mut moved);
        over.push(self.jump());
        if let Some(calm) = calm {
            self.land(calm);
            self.hold(&body.held);
            let held: Vec<Slot> = body.held.iter().map(|(now, _)| self.local[now]).collect();
            let free = |(now, _): &&(Slot, Slot)| !held.contains(now);
            self.unless_same(variables.iter().filter(free).chain(&ticks), &mut moved);
            self.unless_in_vain(unread.iter().filter(free), &helpers, &mut moved);
            self.unless_in_vain(
                relations.iter(),
                &helpers,
                if body.calm { &mut stirred } else { &mut moved },
            );
            over.push(self.jump());
        }
        moved.into_iter().for_each(|jump| self.land(jump));
        let all: Vec<(Slot, Slot)> = variables.iter().chain(&unread).chain(&helpers).copied().collect();
        self.follow(&all);
        // Ticks end with the first evaluation: what is made of them must be seen to fall.
        ticks.iter().for_each(|&(tick, _)| self.copy(tick, zero));
        self.binary(BinOp::Add, tally.round, tally.round, one);
        let [longest, long] = [self.memory.constant(ROUNDS), self.memory.slots.scratch()];
        self.binary(BinOp::Ge, long, tally.round, longest);
        self.ops.push(Op::JumpUnless { condition: long, target: turn });
        self.copy(tally.settled, zero);
        self.copy(tally.news, one);
        self.binary(BinOp::Add, tally.sum, tally.sum, tally.round);
        let endless = self.jump();
        over.into_iter().for_each(|jump| self.land(jump));
        self.copy(tally.news, zero);
        for &(now, before) in &helpers {
            self.differ(tally.news, now, before);
        }
        if !stirred.is_empty() {
            let over = self.jump();
            stirred.into_iter().for_each(|jump| self.land(jump));
            // The round that is left out counts as if it had been made.
            self.binary(BinOp::Add, tally.round, tally.round, one);
            self.copy(tally.news, zero);
            self.land(over);
        }
        self.follow(&all);
        self.binary(BinOp::Add, tally.round, tally.round, one);
        self.binary(BinOp::Add, tally.sum, tally.sum, tally.round);
        endless
    }

    /// On to the event at this instant.
    fn go_round(&mut self, target: u32, instant: Slot) {
        let now = self.local[&self.memory.time];
        self.copy(now, instant);
        self.ops.push(Op::Jump { target });
    }

    /// Does any of the flags hold?
    fn acting(&mut self, acts: &[Slot]) -> Slot {
        let zero = self.memory.constant(0.0);
        match *acts {
            [] => zero,
            [acts] => self.local[&acts],
            ref several => {
                let any = self.memory.slots.scratch();
                self.copy(any, zero);
                for acts in several {
                    let acts = self.local[acts];
                    self.binary(BinOp::Or, any, any, acts);
                }
                any
            }
        }
    }

    /// Jumps away at the first two numbers that differ.
    fn unless_same<'a>(&mut self, pairs: impl Iterator<Item = &'a (Slot, Slot)>, away: &mut Vec<usize>) {
        for &(a, b) in pairs {
            let other = self.memory.slots.scratch();
            self.binary(BinOp::Ne, other, a, b);
            let same = self.jump_unless(other);
            away.push(self.jump());
            self.land(same);
        }
    }

    /// The same for numbers at whose left limits nobody looks: only if those of conditions differ, too, there is
    /// something to see.
    fn unless_in_vain<'a>(
        &mut self,
        pairs: impl Iterator<Item = &'a (Slot, Slot)>,
        helpers: &[(Slot, Slot)],
        away: &mut Vec<usize>,
    ) {
        if helpers.is_empty() {
            return;
        }
        let mut others = Vec::new();
        self.unless_same(pairs, &mut others);
        let same = self.jump();
        others.into_iter().for_each(|jump| self.land(jump));
        self.unless_same(helpers.iter(), away);
        self.land(same);
    }

    /// Left limits become what is.
    fn follow(&mut self, pairs: &[(Slot, Slot)]) {
        pairs.iter().for_each(|&(now, before)| self.copy(before, now));
    }

    /// Equations; those of a flag that is known to hold without a question.
    fn clause(&mut self, clause: &Clause, known: Option<Slot>) {
        match clause {
            Clause::Always(tape) => self.append(tape, &[]),
            Clause::When { acts, tape, .. } if known == Some(*acts) => self.append(tape, &[]),
            Clause::When { acts, tape, held } => {
                let acts = self.local[acts];
                let otherwise = self.jump_unless(acts);
                self.append(tape, &[]);
                let end = self.jump();
                self.land(otherwise);
                self.hold(held);
                self.land(end);
            }
        }
    }

    /// Gives variables their left limits.
    fn hold(&mut self, held: &[(Slot, Slot)]) {
        for (now, before) in held {
            let (now, before) = (self.local[now], self.local[before]);
            self.copy(now, before);
        }
    }

    /// The constant that a tape gives a slot.
    fn constant(&self, tape: &Tape, slot: Slot) -> Option<Slot> {
        let mut given = None;
        for op in &tape.ops {
            match *op {
                Op::Copy { to, a } if to == slot && given.is_none() => given = Some(a),
                Op::Jump { .. } | Op::JumpUnless { .. } => return None,
                _ => {}
            }
        }
        given.filter(|&a| self.memory.slots.value(a).is_some())
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
}
