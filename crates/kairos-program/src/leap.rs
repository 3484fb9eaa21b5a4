//! A whole step of the explicit method as one field: its six stages with the derivatives in place, states and slopes in
//! registers.

use crate::field::Field;
use crate::program::{Memory, Program};
use crate::tape::{Op, Slot};
use crate::writer::Writer;
use kairos_expr::BinOp;
use kairos_numerics::integrate::leap::{AT, BEND, ERROR, ROWS, WEIGHTS};

/// Longer ones are made stage by stage: what is saved is little beside them, and would have to be compiled.
const LONGEST: usize = 800;

/// Makes the step out of the derivatives, as `kairos_numerics::integrate::leap` tells it.
pub fn find(program: &mut Program) {
    let Program { memory, motion, watched, .. } = program;
    let Some(motion) = motion else { return };
    let shorter = |watched: &&Field| 2 * watched.body + 30 * motion.states.len() + length(motion) <= LONGEST;
    let watched = watched.as_ref().filter(shorter);
    program.leap = leap(memory, motion, watched);
    if program.leap.is_some() {
        let told = watched.into_iter().flat_map(|watched| &watched.results);
        program.info.glances = told.map(|(_, relation)| *relation).collect();
    }
}

/// About so many operations has a step: a row of states takes twice as many as there are slopes before it, and so do both
/// sums.
fn length(motion: &Field) -> usize {
    7 * motion.body + 80 * motion.states.len()
}

/// After the rows the step tells whether it has seen the crossing functions, and what they are in its middle and at its end:
/// where the search for events looks first.
fn leap(memory: &mut Memory, motion: &Field, watched: Option<&Field>) -> Option<Field> {
    let n = motion.states.len();
    if length(motion) > LONGEST || motion.results.len() != n {
        return None;
    }
    let derivatives = &motion.tape.ops[..motion.body];
    // Slopes stand in memory, as there are more of them than registers.
    let kept: Vec<Vec<Slot>> = (0..7).map(|_| (0..n).map(|_| memory.temporary()).collect()).collect();
    let mut writer = Writer::new(memory);
    let [time, step, end, known, unknown, factor, term, test] =
        [(); 8].map(|()| writer.memory.slots.scratch());
    let (states, first) = (writer.row(n), writer.row(n));
    let mut results = Vec::new();
    let next = &writer.row(n);
    writer.set(test, 0.0);
    let mut slopes = vec![kept[0].clone()];
    first.iter().zip(&slopes[0]).for_each(|(&from, &to)| writer.copy(to, from));
    writer.not(unknown, known);
    let begun = writer.jump_unless(unknown);
    writer.copy(motion.time, time);
    motion.states.iter().zip(&states).for_each(|(&to, &from)| writer.copy(to, from));
    writer.append_part(derivatives, &[]);
    writer.gather_finite(test, &motion.finite);
    motion.results.iter().for_each(|&(from, place)| writer.copy(slopes[0][place as usize], from));
    writer.land(begun);
    for s in 1..7 {
        let at = writer.memory.constant(AT[s]);
        writer.binary(BinOp::Mul, motion.time, at, step);
        writer.binary(BinOp::Add, motion.time, time, motion.time);
        motion.states.iter().zip(&states).for_each(|(&to, &from)| writer.copy(to, from));
        for (slopes, &weight) in slopes.iter().zip(WEIGHTS[s]).filter(|(_, weight)| **weight != 0.0) {
            let weight = writer.memory.constant(weight);
            writer.binary(BinOp::Mul, factor, step, weight);
            for (&to, &slope) in motion.states.iter().zip(slopes) {
                writer.binary(BinOp::Mul, term, factor, slope);
                writer.binary(BinOp::Add, to, to, term);
            }
        }
        match s {
            5 => writer.give(&motion.states, 4, &mut results),
            6 => {
                writer.give(&motion.states, 0, &mut results);
                next.iter().zip(&motion.states).for_each(|(&to, &from)| writer.copy(to, from));
            }
            _ => {}
        }
        writer.append_part(derivatives, &[]);
        writer.gather_finite(test, &motion.finite);
        let slope = &kept[s];
        motion.results.iter().for_each(|&(from, place)| writer.copy(slope[place as usize], from));
        slopes.push(slope.clone());
    }
    writer.give(&slopes[6], 1, &mut results);
    writer.give(&slopes[5], 5, &mut results);
    writer.give(&slopes[0], 6, &mut results);
    let [errors, bends] = [(); 2].map(|()| writer.row(n));
    for (weights, sums, row) in [(ERROR, &errors, 2), (BEND, &bends, 3)] {
        for (k, &sum) in sums.iter().enumerate() {
            writer.set(sum, 0.0);
            for (slopes, weight) in slopes.iter().zip(weights).filter(|(_, weight)| *weight != 0.0) {
                let weight = writer.memory.constant(weight);
                writer.binary(BinOp::Mul, term, weight, slopes[k]);
                writer.binary(BinOp::Add, sum, sum, term);
            }
            writer.binary(BinOp::Mul, sum, sum, step);
        }
        writer.give(sums, row, &mut results);
    }
    // What is wrong with a slope that is no number the stages tell.
    let condition = writer.memory.slots.scratch();
    let zero = writer.memory.constant(0.0);
    writer.binary(BinOp::Eq, condition, test, zero);
    writer.ops.push(Op::Require { condition });
    if let Some(watched) = watched {
        let curve =
            Curve { n, time, step, end, states: &states, slopes: [&slopes[0], &slopes[6]], bends: &bends };
        writer.glance(watched, &curve, next, &mut results);
    }
    let body = writer.ops.len();
    let given = states.into_iter().chain(first).chain([step, end, known]).collect();
    Some(Field {
        tape: writer.tape(),
        time,
        states: given,
        results,
        alone: motion.alone,
        body,
        finite: Vec::new(),
    })
}

/// What the interpolant of the step is made of.
struct Curve<'a> {
    n: usize,
    time: Slot,
    step: Slot,
    end: Slot,
    states: &'a [Slot],
    slopes: [&'a [Slot]; 2],
    bends: &'a [Slot],
}

impl Writer<'_> {
    fn row(&mut self, n: usize) -> Vec<Slot> {
        (0..n).map(|_| self.memory.slots.scratch()).collect()
    }

    /// Tells these numbers as a row of the results.
    fn give(&mut self, numbers: &[Slot], row: u32, results: &mut Vec<(Slot, u32)>) {
        for (&from, k) in numbers.iter().zip(0..) {
            let to = self.memory.slots.scratch();
            self.copy(to, from);
            results.push((to, row * numbers.len() as u32 + k));
        }
    }

    /// The crossing functions in the middle and at the end of a step, as they are found on its dense output.
    fn glance(&mut self, watched: &Field, curve: &Curve, next: &[Slot], results: &mut Vec<(Slot, u32)>) {
        let &Curve { n, time, step, end, states, slopes, bends } = curve;
        let [part, rest, sum, change, bulge, test, seen] = [(); 7].map(|()| self.memory.slots.scratch());
        let [half, one, zero] = [0.5, 1.0, 0.0].map(|value| self.memory.constant(value));
        let first = (ROWS * n) as u32;
        self.set(test, 0.0);
        self.binary(BinOp::Sub, watched.time, end, time);
        self.binary(BinOp::Mul, watched.time, half, watched.time);
        self.binary(BinOp::Add, watched.time, time, watched.time);
        self.binary(BinOp::Sub, part, watched.time, time);
        self.binary(BinOp::Div, part, part, step);
        self.binary(BinOp::Sub, rest, one, part);
        for k in 0..n {
            self.binary(BinOp::Sub, change, next[k], states[k]);
            self.binary(BinOp::Mul, bulge, step, slopes[0][k]);
            self.binary(BinOp::Sub, bulge, bulge, change);
            self.binary(BinOp::Mul, sum, step, slopes[1][k]);
            self.binary(BinOp::Sub, sum, change, sum);
            self.binary(BinOp::Sub, sum, sum, bulge);
            let terms =
                [(bends[k], rest, sum), (sum, part, bulge), (bulge, rest, change), (change, part, states[k])];
            for (term, factor, lower) in terms {
                let to = if lower == states[k] { watched.states[k] } else { lower };
                self.binary(BinOp::Mul, term, factor, term);
                self.binary(BinOp::Add, to, lower, term);
            }
        }
        let count = watched.results.len() as u32;
        for (round, point) in [None, Some(next)].into_iter().enumerate() {
            if let Some(point) = point {
                self.copy(watched.time, end);
                watched.states.iter().zip(point).for_each(|(&to, &from)| self.copy(to, from));
            }
            self.append_part(&watched.tape.ops[..watched.body], &[]);
            self.gather_finite(test, &watched.finite);
            for (&(from, _), k) in watched.results.iter().zip(0..) {
                let to = self.memory.slots.scratch();
                self.copy(to, from);
                results.push((to, first + 1 + round as u32 * count + k));
            }
        }
        self.binary(BinOp::Eq, seen, test, zero);
        results.push((seen, first));
    }
}
