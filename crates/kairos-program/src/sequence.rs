//! Code that is run in order, neighbouring pieces of it as one tape: native code goes through them in one call.

use crate::program::{Code, Memory, MixedCode};
use crate::tape::{Op, Slot, Tape};
use crate::writer::Writer;
use kairos_expr::BinOp;

/// Longer tapes are not made: the time to compile one grows faster than its length.
const LONGEST: usize = 600;
/// A mixed block is left to the machine unless it settles in so many rounds.
const ROUNDS: f64 = 4.0;

#[derive(Clone, Debug, Default)]
pub struct Sequence {
    pub codes: Vec<Code>,
    pub joints: Vec<Joint>,
}

/// Some neighbouring codes as one tape.
#[derive(Clone, Debug)]
pub struct Joint {
    pub first: usize,
    pub end: usize,
    pub tape: Tape,
    /// How many of its codes are dealt with; the others are the machine's.
    pub done: Slot,
    pub all: f64,
}

impl From<Vec<Code>> for Sequence {
    fn from(codes: Vec<Code>) -> Self {
        Self { codes, joints: Vec::new() }
    }
}

impl Sequence {
    /// Makes tapes of neighbouring codes, once the systems among them have theirs.
    pub fn join(&mut self, memory: &mut Memory) {
        let mut first = 0;
        while first < self.codes.len() {
            let (mut end, mut total) = (first, 0);
            while let Some(length) = self.codes.get(end).and_then(length) {
                total += length;
                if total > LONGEST {
                    break;
                }
                end += 1;
            }
            let codes = &self.codes[first..end];
            if codes.len() > 1 || matches!(codes, [Code::Mixed(_)]) {
                let done = memory.temporary();
                let (tape, all) = (joint(memory, codes, done), codes.len() as f64);
                self.joints.push(Joint { first, end, tape, done, all });
            }
            first = end.max(first + 1);
        }
    }

    /// All of it as one tape of at most this length, and the slot and the number that tell that it has done all.
    pub fn whole(&self, memory: &mut Memory, longest: usize) -> Option<(Tape, Slot, f64)> {
        let total = self.codes.iter().map(length).sum::<Option<usize>>()?;
        if self.codes.is_empty() || total > longest {
            return None;
        }
        let done = memory.temporary();
        Some((joint(memory, &self.codes, done), done, self.codes.len() as f64))
    }

    /// The tapes that it usually runs.
    pub fn tapes<'a>(&'a self, out: &mut Vec<&'a Tape>) {
        let mut at = 0;
        for joint in &self.joints {
            tapes(&self.codes[at..joint.first], out);
            out.push(&joint.tape);
            at = joint.end;
        }
        tapes(&self.codes[at..], out);
    }

    /// Those of systems before tearing.
    pub fn whole_tapes<'a>(&'a self, out: &mut Vec<&'a Tape>) {
        whole_tapes(&self.codes, out);
    }
}

fn tapes<'a>(codes: &'a [Code], out: &mut Vec<&'a Tape>) {
    for code in codes {
        match code {
            Code::Tape(tape) => out.push(tape),
            Code::Solve(solve) => {
                out.extend([&solve.tape, &solve.tangent]);
                out.extend(solve.closed.as_ref().map(|closed| &closed.tape));
            }
            Code::Mixed(mixed) => {
                tapes(&mixed.continuous, out);
                tapes(&mixed.discrete, out);
                out.push(&mixed.decide);
            }
        }
    }
}

fn whole_tapes<'a>(codes: &'a [Code], out: &mut Vec<&'a Tape>) {
    for code in codes {
        match code {
            Code::Tape(_) => {}
            Code::Solve(solve) => {
                out.extend(solve.whole.iter().flat_map(|whole| [&whole.tape, &whole.tangent]));
            }
            Code::Mixed(mixed) => {
                whole_tapes(&mixed.continuous, out);
                whole_tapes(&mixed.discrete, out);
            }
        }
    }
}

/// The length of what can be part of a tape: it may be run again without harm, and needs no help.
fn length(code: &Code) -> Option<usize> {
    match code {
        Code::Tape(tape) => is_numeric(tape).then_some(tape.ops.len()),
        Code::Solve(solve) => {
            let closed = solve.closed.as_ref().filter(|closed| is_numeric(&closed.tape))?;
            Some(closed.tape.ops.len())
        }
        Code::Mixed(mixed) => {
            let all = |codes: &[Code]| codes.iter().map(length).sum::<Option<usize>>();
            let own = 4 * (mixed.relations.len() + mixed.variables.len());
            let decide = is_numeric(&mixed.decide).then_some(mixed.decide.ops.len() + own)?;
            Some(all(&mixed.continuous)? + 2 * all(&mixed.discrete)? + decide)
        }
    }
}

fn is_numeric(tape: &Tape) -> bool {
    let calls = |op: &Op| matches!(op, Op::Call { .. } | Op::CallTangent { .. } | Op::Evaluate { .. });
    !tape.ops.iter().any(calls)
}

fn joint(memory: &mut Memory, codes: &[Code], done: Slot) -> Tape {
    let mut writer = Writer::new(memory);
    let mut exits = Vec::new();
    for (k, code) in codes.iter().enumerate() {
        if !matches!(code, Code::Tape(_)) {
            writer.set(done, k as f64);
        }
        writer.code(code, &mut exits);
    }
    writer.set(done, codes.len() as f64);
    exits.into_iter().for_each(|exit| writer.land(exit));
    writer.tape()
}

impl Writer<'_> {
    fn code(&mut self, code: &Code, exits: &mut Vec<usize>) {
        match code {
            Code::Tape(tape) => self.append(tape, &[]),
            Code::Solve(solve) => {
                let Some(closed) = &solve.closed else { return };
                self.append(&closed.tape, &[]);
                exits.push(self.jump_unless(closed.solved));
            }
            Code::Mixed(mixed) => self.mixed(mixed, exits),
        }
    }

    /// As `Frame::mixed`: from the last values of the relations, each evaluation decides the next.
    fn mixed(&mut self, mixed: &MixedCode, exits: &mut Vec<usize>) {
        let [round, wrong, right, more] = [(); 4].map(|()| self.memory.slots.scratch());
        let keep = |writer: &mut Self, slots: &[Slot]| -> Vec<Slot> {
            let mut copy = |&slot: &Slot| {
                let kept = writer.memory.slots.scratch();
                writer.copy(kept, slot);
                kept
            };
            slots.iter().map(&mut copy).collect()
        };
        let start = keep(self, &mixed.relations);
        self.set(round, 0.0);
        let turn = self.here();
        let mut stuck = Vec::new();
        for code in mixed.discrete.iter().chain(&mixed.continuous) {
            self.code(code, &mut stuck);
        }
        let before = keep(self, &mixed.variables);
        for code in &mixed.discrete {
            self.code(code, &mut stuck);
        }
        self.set(wrong, 0.0);
        for (&variable, &before) in mixed.variables.iter().zip(&before) {
            self.differ(wrong, variable, before);
        }
        self.not(right, wrong);
        stuck.push(self.jump_unless(right));
        self.append(&mixed.decide, &[]);
        for (&relation, &decided) in mixed.relations.iter().zip(&mixed.decided) {
            self.differ(wrong, relation, decided);
        }
        let settled = self.jump_unless(wrong);
        for (&relation, &decided) in mixed.relations.iter().zip(&mixed.decided) {
            self.copy(relation, decided);
        }
        let (one, rounds) = (self.memory.constant(1.0), self.memory.constant(ROUNDS));
        self.binary(BinOp::Add, round, round, one);
        self.binary(BinOp::Ge, more, round, rounds);
        self.ops.push(Op::JumpUnless { condition: more, target: turn });
        stuck.into_iter().for_each(|jump| self.land(jump));
        for (&relation, &start) in mixed.relations.iter().zip(&start) {
            self.copy(relation, start);
        }
        let never = self.memory.constant(0.0);
        exits.push(self.jump_unless(never));
        self.land(settled);
    }
}
