//! What rests on the zero of a crossing function moves by errors of integration, which are no motion.

use super::Run;
use crate::sliding::gradients;
use kairos_machine::Eval;
use kairos_numerics::linear::{Dense, DenseLu};

/// More states than these are left as they are: gradients of many would cost more than the event.
const MOST: usize = 400;
/// Round-off of the gradients leaves less each time, until the function is exactly zero; after so many rounds it will not be.
const EXACT: usize = 6;
const ROUNDS: usize = 12;
/// Corrections are of the order of the tolerance, or something else has moved the function.
const LARGEST: f64 = 1e3;

/// The equations are followed over this part of the time since the last restart at most.
const PART: f64 = 0.1;

impl Run<'_> {
    /// A body at rest on the floor keeps its distance of zero only up to the errors of integration. They must not decide
    /// whether it is above the floor when something else asks.
    #[inline(never)]
    pub(super) fn undo_drift(&mut self) {
        if !self.watch.some_rest() || self.x.is_empty() || self.x.len() > MOST || self.surface.is_some() {
            return;
        }
        if let Ok(Some(place)) = self.without_drift() {
            self.x = place;
            self.corrected = true;
        }
        self.machine.set_time(self.t);
        self.machine.set_states(&self.x);
    }

    /// Finds out which functions near zero are not accelerated: those that are have only come by.
    #[inline(never)]
    pub(super) fn look_for_rest(&mut self) {
        let doubtful = self.watch.doubtful();
        if doubtful.is_empty() || self.x.is_empty() || self.surface.is_some() {
            return;
        }
        if let Ok(flow) = self.flow(self.t, self.x.clone(), self.watch.horizon()) {
            self.watch.calm_down(doubtful, &flow);
        }
        self.machine.set_time(self.t);
        self.machine.set_states(&self.x);
    }

    /// Was all that the search has found moved by errors of integration only? A motion from rest is an accelerated one.
    #[inline(never)]
    pub(super) fn only_drifts(&mut self) -> bool {
        if !self.watch.some_rest() || self.surface.is_some() || self.x.is_empty() {
            return false;
        }
        let leaving = self.watch.leaving_rest();
        let end = self.watch.step_end;
        let time = end - self.restarted;
        if leaving.is_empty() || time.is_nan() || time <= 0.0 {
            return false;
        }
        let mut there = self.x.clone();
        self.solver.at(end, &mut there);
        let (began, ends) = self.solver.span();
        // A small part of the time at rest, and of the step, over which the equations are followed nearly exactly.
        let by = (PART * time).min(0.1 * (ends - began));
        let part = by / time;
        let Ok([z, next, later]) = self.flow(end, there, by) else { return false };
        let drifts = |&r: &u32| {
            let (here, r) = (z[r as usize], r as usize);
            let (moves, bends) = (next[r] - here, later[r] - 2.0 * next[r] + here);
            let largest = self.watch.drift(r as u32);
            bends.abs() <= (0.1 * part * part * here.abs()).max(self.watch.round_off_of(r as u32))
                && moves.abs() <= part * largest
                && here.abs() <= largest
        };
        if !leaving.iter().all(drifts) {
            return false;
        }
        leaving.iter().all(|&r| self.watch.still_rests(r, z[r as usize]))
    }

    /// Crossing functions at a point and where the equations lead from there, one and two little steps later.
    fn flow(&mut self, t: f64, mut x: Vec<f64>, by: f64) -> Eval<[Vec<f64>; 3]> {
        let Run { machine, watch, .. } = self;
        let count = machine.info().relations.len();
        let mut z = [watch.z.clone(), watch.z.clone(), watch.z.clone()];
        for (k, z) in z.iter_mut().enumerate() {
            let now = t + k as f64 * by;
            machine.crossings_at(now, &x, &mut z[..count])?;
            // The classical method: errors of its fifth power of a part of the step are beyond round-off.
            let mut sum = vec![0.0; x.len()];
            let mut slope = sum.clone();
            for (part, weight) in [(0.0, 1.0), (0.5, 2.0), (0.5, 2.0), (1.0, 1.0)] {
                let at: Vec<f64> = x.iter().zip(&slope).map(|(x, slope)| x + part * by * slope).collect();
                machine.derivatives_at(now + part * by, &at, &mut slope)?;
                sum.iter_mut().zip(&slope).for_each(|(sum, slope)| *sum += weight * slope);
            }
            x.iter_mut().zip(&sum).for_each(|(x, sum)| *x += by / 6.0 * sum);
        }
        Ok(z)
    }

    /// Where all that rests is exactly on its zero, or at least on the side that is held.
    fn without_drift(&mut self) -> Eval<Option<Vec<f64>>> {
        let Run { machine, watch, x, t, held, options, .. } = self;
        let mut z = watch.z.clone();
        let count = machine.info().relations.len();
        machine.crossings_at(*t, x, &mut z[..count])?;
        let (resting, near) = watch.resting(&z);
        if !near[..resting].iter().any(|&r| watch.contradicts(r, &z, held).is_some()) {
            return Ok(None);
        }
        let before = z.clone();
        let (_, gradients) = gradients(&mut **machine, *t, x, &near)?;
        let pivots = pivots(&gradients);
        let mut place = x.clone();
        let mut aims = vec![0.0; near.len()];
        for (aim, &r) in aims.iter_mut().zip(&near).skip(resting) {
            *aim = before[r as usize];
        }
        for round in 0..ROUNDS {
            let rest: Vec<f64> = near.iter().zip(&aims).map(|(&r, aim)| aim - z[r as usize]).collect();
            if !shift(&mut place, &gradients, &pivots, rest) {
                return Ok(None);
            }
            machine.crossings_at(*t, &place, &mut z[..count])?;
            let exactly = |z: &[f64]| near[..resting].iter().all(|&r| z[r as usize] == 0.0);
            let mut exact = exactly(&z);
            if !exact && round + 1 == EXACT {
                // The last bits of one state may make the difference.
                for (j, by) in last_bits(&gradients[..resting]) {
                    let kept = place[j];
                    place[j] = beside(kept, by);
                    machine.crossings_at(*t, &place, &mut z[..count])?;
                    exact = exactly(&z);
                    if exact {
                        break;
                    }
                    place[j] = kept;
                }
                if !exact {
                    machine.crossings_at(*t, &place, &mut z[..count])?;
                }
            }
            let held_so = || near[..resting].iter().all(|&r| watch.contradicts(r, &z, held).is_none());
            if exact || round >= EXACT && held_so() {
                let moved = place.iter().zip(x.iter());
                let small = |(new, old): (&f64, &f64)| {
                    (new - old).abs() <= LARGEST * options.tolerance * old.abs().max(1.0)
                };
                let sides = |&r: &u32| watch.is_beyond(r, &z) == watch.is_beyond(r, &before);
                let good = moved.clone().all(small) && near[resting..].iter().all(sides);
                return Ok(good.then_some(place));
            }
            if round + 1 >= EXACT {
                // Zero itself is no value of the function: round-off must be on the right side.
                for (aim, &r) in aims.iter_mut().zip(&near[..resting]) {
                    *aim = watch.contradicts(r, &z, held).unwrap_or(*aim);
                }
            }
        }
        Ok(None)
    }
}

/// States that these functions depend on, each with the neighbours of its value to be tried.
fn last_bits(gradients: &[Vec<f64>]) -> Vec<(usize, i64)> {
    let states = 0..gradients.first().map_or(0, Vec::len);
    let read = states.filter(|&j| gradients.iter().any(|gradient| gradient[j] != 0.0));
    read.take(16).flat_map(|j| [1, -1, 2, -2, 3, -3, 4, -4].map(|by| (j, by))).collect()
}

/// The number so many places beside a number.
fn beside(x: f64, by: i64) -> f64 {
    let next = f64::from_bits(x.to_bits().wrapping_add_signed(by));
    if x != 0.0 && next.is_finite() { next } else { x }
}

/// A state for each row of gradients by which it is corrected, those with the largest factors first; rows that follow from
/// others have none. Few states move then, and what was equal before the drift becomes equal again to the last bit.
fn pivots(gradients: &[Vec<f64>]) -> Vec<(usize, usize)> {
    let mut rows: Vec<Vec<f64>> = gradients.to_vec();
    let mut pivots: Vec<(usize, usize)> = Vec::new();
    for k in 0..rows.len() {
        let size = gradients[k].iter().fold(0.0f64, |m, g| m.max(g.abs()));
        let best = (0..rows[k].len()).max_by(|&a, &b| rows[k][a].abs().total_cmp(&rows[k][b].abs()));
        let Some(column) = best.filter(|&c| rows[k][c].abs() > 1e-6 * size) else { continue };
        pivots.push((k, column));
        let (done, rest) = rows.split_at_mut(k + 1);
        for row in rest {
            let factor = row[column] / done[k][column];
            row.iter_mut().zip(&done[k]).for_each(|(r, d)| *r -= factor * d);
        }
    }
    pivots
}

/// Moves the states of the pivots so that linear functions with these gradients change by `rest`; false if that is undetermined.
fn shift(x: &mut [f64], gradients: &[Vec<f64>], pivots: &[(usize, usize)], rest: Vec<f64>) -> bool {
    let count = pivots.len();
    let mut matrix = Dense::new(count, count);
    for (i, &(row, _)) in pivots.iter().enumerate() {
        for (j, &(_, column)) in pivots.iter().enumerate() {
            matrix[(i, j)] = gradients[row][column];
        }
    }
    let mut factors = DenseLu::<f64>::new(count);
    let mut by: Vec<f64> = pivots.iter().map(|&(row, _)| rest[row]).collect();
    if factors.factor(&matrix).is_err() {
        return false;
    }
    factors.solve(&mut by);
    pivots.iter().zip(&by).for_each(|(&(_, column), by)| x[column] += by);
    true
}
