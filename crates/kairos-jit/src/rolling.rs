//! Repetitions in tapes: operations that are the same but for their slots, as arrays and loops make them, become one loop.
//!
//! That is less to compile, and less to fetch: the code of a large model does not fit into the caches.

use kairos_base::hash::HashMap;
use kairos_program::slots::Slots;
use kairos_program::tape::{Op, Slot, Tape};
use std::ops::Range;

/// Tapes with fewer operations are straight: their code fits into the cache.
const TAPE: usize = 2_000;
/// The longest round of a loop, the fewest rounds, and the fewest operations that are worth one.
const ROUND: usize = 1_500;
const COUNT: usize = 8;
const WORTH: usize = 400;
/// So many operations must be alike before a repetition is looked for, so many of its possible lengths are tried.
const ALIKE: usize = 4;
const TRIED: usize = 16;
/// How many operations may be looked at in vain, for each that there is.
const EFFORT: usize = 30;

/// Operations that come again and again, each time with other slots.
#[derive(Clone, Debug, PartialEq)]
pub struct Repetition {
    /// The operations of the first round.
    pub first: Range<usize>,
    pub count: usize,
}

impl Repetition {
    pub fn rounds(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        let (start, length) = (self.first.start, self.first.len());
        (0..self.count).map(move |k| start + k * length..start + (k + 1) * length)
    }

    pub fn end(&self) -> usize {
        self.first.start + self.count * self.first.len()
    }

    /// The slots of the first round that are others in the next, and where they are then. What is in registers in all
    /// rounds has no place.
    pub fn moving(&self, ops: &[Op], slots: &Slots, is_register: impl Fn(Slot) -> bool) -> Vec<Moving> {
        let rounds: Vec<Vec<Slot>> = self.rounds().map(|round| slots_of(&ops[round])).collect();
        let same = places(&rounds[0]);
        let mut out = Vec::new();
        for (at, &slot) in rounds[0].iter().enumerate() {
            if same[at] as usize != at || slots.value(slot).is_some() {
                continue;
            }
            let all: Vec<Slot> = rounds.iter().map(|round| round[at]).collect();
            if all.iter().all(|&s| s == slot) || all.iter().all(|&s| is_register(s)) {
                continue;
            }
            let stride = i64::from(all[1]) - i64::from(slot);
            let even = all.windows(2).all(|pair| i64::from(pair[1]) - i64::from(pair[0]) == stride);
            out.push(Moving { slot, motion: if even { Motion::Even(stride) } else { Motion::Listed(all) } });
        }
        out
    }
}

/// A slot of the first round that stands for others in the next.
pub struct Moving {
    pub slot: Slot,
    pub motion: Motion,
}

pub enum Motion {
    /// So many slots further in each round.
    Even(i64),
    /// In each round this one.
    Listed(Vec<Slot>),
}

/// The repetitions in a tape; `cuts` says before which operations no jump passes.
pub fn repetitions(ops: &[Op], cuts: &[bool], slots: &Slots) -> Vec<Repetition> {
    let mut out = Vec::new();
    if ops.len() < TAPE {
        return out;
    }
    let kinds: Vec<u64> = ops.iter().enumerate().map(|(at, op)| kind(*op, at)).collect();
    let next = recurrences(&kinds);
    let mut search = Search { ops, cuts, slots, kinds, next, effort: EFFORT * ops.len() };
    let mut at = 0;
    while at < ops.len() && search.effort > 0 {
        let found = cuts[at].then(|| repetition(&mut search, at)).flatten();
        at = found.as_ref().map_or(at + 1, Repetition::end);
        out.extend(found);
    }
    out
}

fn repetition(search: &mut Search, start: usize) -> Option<Repetition> {
    let mut again = start;
    for _ in 0..TRIED {
        again = search.next[again] as usize;
        let length = again.wrapping_sub(start);
        if again >= search.ops.len() || length > ROUND {
            return None;
        }
        let is_worth = |found: &Repetition| found.count > COUNT && found.count * length >= WORTH;
        let Some(found) = search.rounds(start, length).filter(is_worth) else { continue };
        let from = search.seam(&found.first);
        return if from == start {
            Some(found)
        } else {
            search.rounds(from, length).filter(is_worth).or(Some(found))
        };
    }
    None
}

struct Search<'a> {
    ops: &'a [Op],
    cuts: &'a [bool],
    slots: &'a Slots,
    kinds: Vec<u64>,
    /// Where the operations from here on come again.
    next: Vec<u32>,
    /// How many operations may still be looked at in vain.
    effort: usize,
}

impl Search<'_> {
    /// As many rounds of this length as there are from here on.
    fn rounds(&mut self, start: usize, length: usize) -> Option<Repetition> {
        let first = start..start + length;
        if first.end > self.ops.len() || !self.cuts[start] {
            return None;
        }
        let own = slots_of(&self.ops[first.clone()]);
        let same = places(&own);
        let mut count = 1;
        loop {
            let round = start + count * length..start + (count + 1) * length;
            let fits = round.end <= self.ops.len()
                && self.cuts[round.start]
                && self.kinds[round.clone()] == self.kinds[first.clone()]
                && is_alike(&own, &same, &slots_of(&self.ops[round]), self.slots);
            if !fits {
                break;
            }
            count += 1;
        }
        self.effort = self.effort.saturating_sub(count * length);
        let end = start + count * length;
        if end < self.ops.len() && !self.cuts[end] {
            count -= 1;
        }
        Some(Repetition { first, count })
    }

    /// Where the rounds should begin, within the first of them: where the fewest values are on their way, since what goes from
    /// one round into the next cannot stay in a register.
    fn seam(&self, first: &Range<usize>) -> usize {
        let length = first.len();
        let window = first.start..first.start + 3 * length;
        let mut lives: HashMap<Slot, (usize, usize)> = HashMap::default();
        for at in window.clone() {
            Tape::rename(&mut self.ops[at].clone(), &mut |slot| {
                if self.slots.is_scratch(slot) {
                    lives.entry(slot).or_insert((at, at)).1 = at;
                }
                slot
            });
        }
        // How many are on their way before each operation of the window, as differences.
        let mut changes = vec![0i32; 3 * length + 2];
        for (begin, end) in lives.values() {
            changes[begin + 1 - window.start] += 1;
            changes[end + 1 - window.start] -= 1;
        }
        let mut alive = 0;
        let counts: Vec<i32> = changes
            .iter()
            .map(|change| {
                alive += change;
                alive
            })
            .collect();
        let best = (0..length).filter(|&k| self.cuts[first.start + k]).min_by_key(|&k| counts[length + k]);
        first.start + best.unwrap_or(0)
    }
}

/// Do the slots of a round correspond to those of the first, one to one, with the same constants among them?
fn is_alike(own: &[Slot], same: &[u32], other: &[Slot], slots: &Slots) -> bool {
    let constant = |slot: Slot| slots.value(slot).map(f64::to_bits);
    places(other) == same && own.iter().zip(other).all(|(&a, &b)| constant(a) == constant(b))
}

/// For each slot of a list where it stands first.
fn places(list: &[Slot]) -> Vec<u32> {
    let mut first: HashMap<Slot, u32> = HashMap::default();
    list.iter().zip(0..).map(|(&slot, at)| *first.entry(slot).or_insert(at)).collect()
}

fn slots_of(ops: &[Op]) -> Vec<Slot> {
    let mut out = Vec::with_capacity(3 * ops.len());
    for op in ops {
        Tape::rename(&mut op.clone(), &mut |slot| {
            out.push(slot);
            slot
        });
    }
    out
}

/// What an operation is, whatever its slots. What needs the machine or may end the tape is like nothing else.
fn kind(op: Op, at: usize) -> u64 {
    let (class, detail) = match op {
        Op::Copy { .. } => (0, 0),
        Op::Unary { op, .. } => (1, op as u64),
        Op::Binary { op, .. } => (2, op as u64),
        Op::Function1 { f, .. } => (3, f as u64),
        Op::Function2 { f, .. } => (4, f as u64),
        Op::Jump { target } => (5, u64::from(target).wrapping_sub(at as u64)),
        Op::JumpUnless { target, .. } => (6, u64::from(target).wrapping_sub(at as u64)),
        _ => (7, at as u64),
    };
    detail << 3 | class
}

/// For each operation where it and those after it come again next; beyond the end where they do not.
fn recurrences(kinds: &[u64]) -> Vec<u32> {
    let mut next = vec![u32::MAX; kinds.len()];
    let mut seen: HashMap<[u64; ALIKE], u32> = HashMap::default();
    for (at, window) in kinds.windows(ALIKE).enumerate().rev() {
        let Ok(window) = <[u64; ALIKE]>::try_from(window) else { continue };
        if let Some(later) = seen.insert(window, at as u32) {
            next[at] = later;
        }
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;
    use kairos_expr::BinOp;

    fn add(to: Slot, a: Slot, b: Slot) -> Op {
        Op::Binary { op: BinOp::Add, to, a, b }
    }

    fn slots() -> Slots {
        let mut slots = Slots::default();
        (0..10).for_each(|_| _ = slots.temporary());
        (10..2_000).for_each(|_| _ = slots.scratch());
        (2_000..12_000).for_each(|_| _ = slots.temporary());
        slots
    }

    fn found(ops: &[Op]) -> Vec<Repetition> {
        repetitions(ops, &vec![true; ops.len()], &slots())
    }

    /// Rounds of two operations with different ones before and after them.
    fn ladder(rounds: u32) -> Vec<Op> {
        let mut ops = vec![Op::Copy { to: 0, a: 1 }, add(2, 3, 4)];
        for k in 0..rounds {
            ops.extend([Op::Copy { to: 10 + k, a: 5000 + 2 * k }, add(9000 + k, 10 + k, 7)]);
        }
        ops.push(Op::Copy { to: 3, a: 9000 });
        ops
    }

    #[test]
    fn slots_move_evenly_or_by_a_list() {
        let mut ops = ladder(1500);
        let list = found(&ops);
        assert_eq!(list, [Repetition { first: 2..4, count: 1500 }]);
        let strides = |ops: &[Op]| -> Vec<(Slot, Option<i64>)> {
            let moving = list[0].moving(ops, &slots(), |_| false).into_iter();
            let stride = |motion| if let Motion::Even(stride) = motion { Some(stride) } else { None };
            moving.map(|moving| (moving.slot, stride(moving.motion))).collect()
        };
        assert_eq!(strides(&ops), [(5000, Some(2)), (10, Some(1)), (9000, Some(1))]);
        // One operand elsewhere: the slots of that place are listed.
        ops[100] = Op::Copy { to: 59, a: 8999 };
        assert_eq!(found(&ops), list);
        assert_eq!(strides(&ops)[0], (5000, None));
    }

    #[test]
    fn a_round_that_connects_its_slots_otherwise_ends_the_loop() {
        let mut ops = ladder(1500);
        // The sum of round 999 does not read what this round has copied.
        ops[2001] = add(9999, 8, 7);
        let list = found(&ops);
        assert_eq!(list.len(), 2, "{list:?}");
        assert!(list.iter().all(|r| r.end() <= 2001 || r.first.start > 2001), "{list:?}");
        let covered: usize = list.iter().map(|r| r.end() - r.first.start).sum();
        assert!(covered > 2900, "{list:?}");
        assert!(found(&ladder(900)).is_empty(), "short tapes stay as they are");
    }
}
