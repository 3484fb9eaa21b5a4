//! Linear equations solved within a tape, so that native code need not come back for them.

use crate::program::{Memory, Solve};
use crate::specialise::{at_zero, besides, depending, hoist};
use crate::tape::{Op, Slot, Tape};
use crate::writer::Writer;
use kairos_base::hash::HashSet;
use kairos_expr::{BinOp, UnOp};

/// Longer tapes are not made.
const LONGEST: usize = 600;
/// More unknowns are left to the factors.
pub const UNKNOWNS: usize = 8;

/// All of a solution in one tape.
#[derive(Clone, Debug)]
pub struct Closed {
    pub tape: Tape,
    /// Whether it came to one. Where it did not, the unknowns are as they were.
    pub solved: Slot,
    /// Of one unknown: how many operations give it, and all that follows from it, before they are judged. What it is given by
    /// is finite only if there is a solution.
    pub single: Option<(usize, Slot)>,
    /// Of several unknowns: what the tape has to know.
    pub kept: Option<Kept>,
}

/// Inverses of a matrix, each good for what it was computed from: a system goes round a few modes.
#[derive(Clone, Debug)]
pub struct Kept {
    /// Is there a present one?
    pub ready: Slot,
    /// Where each input stands, and what it was for the present one.
    pub inputs: Vec<(Slot, Slot)>,
    /// The present one, row after row.
    pub inverse: Vec<Slot>,
    /// All that are known, inputs and inverse of each in a row, and how many.
    pub first: Slot,
    pub count: Slot,
}

impl Kept {
    /// How many inverses are kept.
    pub const MOST: usize = 16;

    fn new(memory: &mut Memory, inputs: &[Slot], n: usize) -> Self {
        let inputs: Vec<(Slot, Slot)> = inputs.iter().map(|&slot| (slot, memory.temporary())).collect();
        let inverse: Vec<Slot> = (0..n * n).map(|_| memory.temporary()).collect();
        let [ready, count] = [(); 2].map(|()| memory.temporary());
        let first = memory.slots.block(Self::MOST * (inputs.len() + inverse.len()));
        Self { ready, inputs, inverse, first, count }
    }

    /// The slots of a known one.
    pub fn place(&self, number: usize) -> std::ops::Range<usize> {
        let size = self.inputs.len() + self.inverse.len();
        let first = self.first as usize + number * size;
        first..first + size
    }
}

/// The tape that solves for one unknown, from zero.
pub fn single(memory: &mut Memory, solve: &Solve) -> Option<Closed> {
    let factor = *solve.columns.first()?;
    if !is_single(solve) {
        return None;
    }
    let mut writer = Writer::new(memory);
    writer.factor(solve);
    // The factor has been computed with all that does not depend on the unknown.
    let first = depending(&solve.tape, &solve.unknowns).unwrap_or_else(|| solve.tape.clone());
    let first = at_zero(writer.memory, &first, &solve.unknowns, &solve.residuals).unwrap_or(first);
    Some(writer.step(solve, BinOp::Div, factor, &first))
}

/// The same where the factor stays as it is between events: `before` gets what is to be done after each.
pub fn steady(
    memory: &mut Memory,
    solve: &Solve,
    varying: &HashSet<Slot>,
    before: &mut Vec<Op>,
) -> Option<Closed> {
    if !is_single(solve) {
        return None;
    }
    let inverse = memory.temporary();
    let mut writer = Writer::new(memory);
    writer.factor(solve);
    let one = writer.memory.constant(1.0);
    writer.binary(BinOp::Div, inverse, one, solve.columns[0]);
    Tape::new(writer.ops).append(before, &mut |slot| slot);
    let first = at_zero(memory, &solve.tape, &solve.unknowns, &solve.residuals);
    let mut first = first.unwrap_or_else(|| solve.tape.clone());
    hoist(memory, &mut first, varying, before);
    Some(Writer::new(memory).step(solve, BinOp::Mul, inverse, &first))
}

fn is_single(solve: &Solve) -> bool {
    solve.whole.is_none()
        && solve.linear
        && solve.unknowns.len() == 1
        && 2 * solve.tape.ops.len() + solve.tangent.ops.len() <= LONGEST
}

/// The same for several unknowns, with the inverse of a matrix that does not change between events.
pub fn several(memory: &mut Memory, solve: &Solve, inputs: &[Slot]) -> Option<Closed> {
    if solve.whole.is_some() {
        return None;
    }
    let n = solve.unknowns.len();
    let part = depending(&solve.tape, &solve.unknowns);
    let again = part.as_ref().unwrap_or(&solve.tape);
    let length = solve.tape.ops.len() + 2 * again.ops.len() + 6 * n * n + 7 * inputs.len();
    if n > UNKNOWNS || length > LONGEST {
        return None;
    }
    let solved = memory.temporary();
    let kept = Kept::new(memory, inputs, n);
    let mut writer = Writer::new(memory);
    let unknown = writer.choose(&kept, solved);
    let start = writer.begin_at_zero(&solve.unknowns);
    for round in 0..2 {
        writer.append(if round == 0 { &solve.tape } else { again }, &[]);
        for (row, &x) in kept.inverse.chunks_exact(n).zip(&solve.unknowns) {
            for (&factor, &residual) in row.iter().zip(&solve.residuals) {
                let term = writer.memory.slots.scratch();
                writer.binary(BinOp::Mul, term, factor, residual);
                writer.binary(BinOp::Sub, x, x, term);
            }
        }
    }
    writer.append(again, &[]);
    writer.judge(&solve.unknowns, &solve.residuals, &start, solved);
    writer.land(unknown);
    Some(Closed { tape: writer.tape(), solved, single: None, kept: Some(kept) })
}

impl Writer<'_> {
    /// What one unknown is multiplied by.
    fn factor(&mut self, solve: &Solve) {
        let seed = solve.seeds[0];
        self.set(seed, 1.0);
        let factor = besides(&solve.tangent, &solve.tape, &solve.unknowns);
        self.append(factor.as_ref().unwrap_or(&solve.tangent), &[]);
        self.set(seed, 0.0);
    }

    /// The solution for one unknown: `first` gives the residual at zero, `op` with `factor` makes it a step. From zero that is the solution up to
    /// the round-off of its largest term; another step would only find that again.
    fn step(mut self, solve: &Solve, op: BinOp, factor: Slot, first: &Tape) -> Closed {
        let (x, residual) = (solve.unknowns[0], solve.residuals[0]);
        let solved = self.memory.temporary();
        let step = self.memory.slots.scratch();
        let start = self.begin_at_zero(&[x]);
        let part = depending(&solve.tape, &[x]);
        let again = part.as_ref().unwrap_or(&solve.tape);
        self.append(first, &[]);
        self.binary(op, step, residual, factor);
        self.unary(UnOp::Neg, x, step);
        self.append(again, &[]);
        let single = Some((self.ops.len(), x));
        self.judge(&[x], &[residual], &start, solved);
        Closed { tape: self.tape(), solved, single, kept: None }
    }

    /// Makes the inverse that goes with the inputs the present one; the jump that is taken if none is known.
    fn choose(&mut self, kept: &Kept, solved: Slot) -> usize {
        let [other, same, place, index, found] = [(); 5].map(|()| self.memory.slots.scratch());
        let one = self.memory.constant(1.0);
        self.not(other, kept.ready);
        for &(now, then) in &kept.inputs {
            self.differ(other, now, then);
        }
        self.set(solved, 1.0);
        let present = self.jump_unless(other);
        self.set(place, 0.0);
        let turn = self.here();
        self.binary(BinOp::Lt, solved, place, kept.count);
        let unknown = self.jump_unless(solved);
        let size = self.memory.constant((kept.inputs.len() + kept.inverse.len()) as f64);
        self.binary(BinOp::Mul, index, place, size);
        self.binary(BinOp::Add, place, place, one);
        self.set(same, 1.0);
        let base = kept.first;
        for &(now, _) in &kept.inputs {
            self.ops.push(Op::Load { to: found, base, index });
            self.binary(BinOp::Eq, found, found, now);
            self.binary(BinOp::And, same, same, found);
            self.binary(BinOp::Add, index, index, one);
        }
        self.ops.push(Op::JumpUnless { condition: same, target: turn });
        kept.inputs.iter().for_each(|&(now, then)| self.copy(then, now));
        for &to in &kept.inverse {
            self.ops.push(Op::Load { to, base, index });
            self.binary(BinOp::Add, index, index, one);
        }
        self.set(kept.ready, 1.0);
        self.land(present);
        unknown
    }

    /// Sets the unknowns to zero, so that the result does not depend on what was there before; gives what they were.
    fn begin_at_zero(&mut self, unknowns: &[Slot]) -> Vec<Slot> {
        let keep = |&x: &Slot| {
            let start = self.memory.slots.scratch();
            self.copy(start, x);
            self.set(x, 0.0);
            start
        };
        unknowns.iter().map(keep).collect()
    }

    /// Decides whether the unknowns are a solution, and puts them back if not.
    fn judge(&mut self, unknowns: &[Slot], residuals: &[Slot], start: &[Slot], solved: Slot) {
        // The residuals alone do not tell: a branch may leave an unknown out.
        let failed = self.memory.slots.scratch();
        self.finite(solved, unknowns.iter().chain(residuals).copied());
        self.not(failed, solved);
        let fine = self.jump_unless(failed);
        for (&x, &start) in unknowns.iter().zip(start) {
            self.copy(x, start);
        }
        self.land(fine);
    }
}
