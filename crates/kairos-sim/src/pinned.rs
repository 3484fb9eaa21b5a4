//! Motion past a limit of ever quicker switching: what all the switchings closed in on stays as it is.
//!
//! The limit is a point of the motion only if some mixture of the modes keeps it there: zero lies in the convex hull of the rates at which the
//! modes move the functions that are held (Filippov). Where the modes move them differently this is asked before anything is held; where they do not
//! (a relay along a curve that the motion touches only, as Fuller's), the functions are held as they are.

use crate::side::Side;
use crate::sliding::{gradients, independent, rates};
use kairos_machine::{Eval, Machine};
use kairos_numerics::linear::{Dense, DenseLu};
use serde::{Deserialize, Serialize};

/// Rates that differ by less, beside their size, do not depend on the mode.
const ALIKE: f64 = 1e-9;
/// What is so many times as fast as it was near the limit has left it.
const QUICK: f64 = 1e3;

/// A mixture of modes that moves a function by less than this part of what each of them does keeps it where it is: the modes are
/// known at the last event, not at the limit.
const KEPT: f64 = 1e-2;

/// Whether a limit of ever quicker switching can be stayed at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Limit {
    /// A mixture of the modes stays there.
    Mixture,
    /// Every mixture of the modes leaves it.
    Left,
    /// The modes differ in higher derivatives of some function only.
    Touched,
}

/// Crossing functions held at zero. What else there is moves as it did on average over the last round of modes.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Pinned {
    /// All relations that switched on the way.
    pub relations: Vec<u32>,
    /// Those whose crossing functions are independent of each other, and the directions in which each is corrected.
    held: Vec<u32>,
    directions: Vec<Vec<f64>>,
    /// The modes of the round, with the part of the time spent in each.
    sides: Vec<(f64, Side)>,
    near: f64,
    /// How fast each function moved on average as it was pinned.
    pub speeds: Vec<f64>,
    slope: Vec<f64>,
    forces: Vec<f64>,
}

impl Pinned {
    /// The machines of the modes.
    pub fn visit_sides(&mut self, visit: &mut dyn FnMut(&mut Side)) {
        self.sides.iter_mut().for_each(|(_, side)| visit(side));
    }

    /// `None` if the relations do not depend on the states.
    pub fn new(
        machine: &mut dyn Machine,
        t: f64,
        x: &[f64],
        relations: Vec<u32>,
        sides: Vec<(f64, Side)>,
        range: f64,
    ) -> Eval<Option<Self>> {
        let (_, gradients) = gradients(machine, t, x, &relations)?;
        let kept = independent(&gradients);
        let held: Vec<u32> = kept.iter().map(|&k| relations[k]).collect();
        let directions = kept.iter().map(|&k| unit(&gradients[k])).collect();
        let (near, slope) = (1e-6 * range, vec![0.0; x.len()]);
        let empty = held.is_empty();
        let (speeds, forces) = (vec![0.0; held.len()], Vec::new());
        let mut pinned = Self { relations, held, directions, sides, near, speeds, slope, forces };
        if empty {
            return Ok(None);
        }
        let mut speeds = vec![0.0; pinned.held.len()];
        let mean = pinned.mean(t, x)?;
        rates(machine, t, x, &mean, true, &pinned.held, &mut speeds)?;
        pinned.speeds = speeds;
        Ok(Some(pinned))
    }

    /// Is there a mixture of the modes that stays at the limit?
    pub fn limit(&mut self, machine: &mut dyn Machine, t: f64, x: &[f64]) -> Eval<Limit> {
        let mut rates_of = self.rates_of_sides(machine, t, x)?;
        let mut there = x.to_vec();
        self.settle(machine, t, &mut there)?;
        let at_limit = self.rates_of_sides(machine, t, &there)?;
        for k in 0..self.held.len() {
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            rates_of.iter().for_each(|rate| (low, high) = (low.min(rate[k]), high.max(rate[k])));
            let size = high.abs().max(low.abs());
            // What vanishes on the way from the last event to the limit does not decide there, however it differs here.
            let left = at_limit.iter().map(|rate| rate[k].abs()).fold(0.0, f64::max);
            if high - low <= KEPT * size || left <= KEPT * size {
                return Ok(Limit::Touched);
            }
            rates_of.iter_mut().for_each(|rate| rate[k] /= size);
        }
        Ok(if distance(&rates_of) <= KEPT { Limit::Mixture } else { Limit::Left })
    }

    /// How fast each mode moves each function that is held.
    fn rates_of_sides(&mut self, machine: &mut dyn Machine, t: f64, x: &[f64]) -> Eval<Vec<Vec<f64>>> {
        let mut rates_of = Vec::with_capacity(self.sides.len());
        for (_, side) in &mut self.sides {
            side.derivatives_at(t, x, &mut self.slope)?;
            let mut rate = vec![0.0; self.held.len()];
            rates(machine, t, x, &self.slope, true, &self.held, &mut rate)?;
            rates_of.push(rate);
        }
        Ok(rates_of)
    }

    pub fn exit_count(&self) -> usize {
        self.held.len()
    }

    /// Positive as long as some of the modes lead up and others down; where the mode does not matter, as long as that is slow
    /// beside what it was.
    pub fn exits(&mut self, machine: &mut dyn Machine, t: f64, x: &[f64], exits: &mut [f64]) -> Eval {
        let mut low = vec![f64::INFINITY; self.held.len()];
        let mut high = vec![f64::NEG_INFINITY; self.held.len()];
        let mut rate = vec![0.0; self.held.len()];
        for (_, side) in &mut self.sides {
            side.derivatives_at(t, x, &mut self.slope)?;
            rates(machine, t, x, &self.slope, true, &self.held, &mut rate)?;
            low.iter_mut().zip(&rate).for_each(|(low, rate)| *low = low.min(*rate));
            high.iter_mut().zip(&rate).for_each(|(high, rate)| *high = high.max(*rate));
        }
        for (((exit, low), high), speed) in exits.iter_mut().zip(low).zip(high).zip(&self.speeds) {
            let between = high - low;
            let alike = between <= ALIKE * (high.abs() + low.abs()) || between == 0.0;
            let slow = QUICK * speed.abs() + f64::MIN_POSITIVE;
            *exit = match alike {
                true => 1.0 - high.abs().max(low.abs()) / slow,
                false => high.min(-low) / between,
            };
        }
        Ok(())
    }

    pub fn slope(&mut self, machine: &mut dyn Machine, t: f64, x: &[f64], dx: &mut [f64]) -> Eval {
        dx.copy_from_slice(&self.mean(t, x)?);
        let mut demand = vec![0.0; self.held.len()];
        rates(machine, t, x, dx, true, &self.held, &mut demand)?;
        self.correct(machine, t, x, &demand, dx)
    }

    /// The average motion over the round.
    fn mean(&mut self, t: f64, x: &[f64]) -> Eval<Vec<f64>> {
        let mut mean = vec![0.0; x.len()];
        for (weight, side) in &mut self.sides {
            side.derivatives_at(t, x, &mut self.slope)?;
            mean.iter_mut().zip(&self.slope).for_each(|(mean, slope)| *mean += *weight * slope);
        }
        Ok(mean)
    }

    /// Moves the states onto all surfaces.
    pub fn settle(&mut self, machine: &mut dyn Machine, t: f64, x: &mut [f64]) -> Eval {
        let mut z = vec![0.0; machine.info().relations.len()];
        for _ in 0..3 {
            let here = x.to_vec();
            machine.crossings_at(t, &here, &mut z)?;
            let demand: Vec<f64> = self.held.iter().map(|&r| z[r as usize]).collect();
            self.correct(machine, t, &here, &demand, x)?;
        }
        Ok(())
    }

    /// Adds what undoes a demand of each surface, along their directions.
    fn correct(
        &mut self,
        machine: &mut dyn Machine,
        t: f64,
        x: &[f64],
        demand: &[f64],
        target: &mut [f64],
    ) -> Eval {
        let count = self.held.len();
        let mut matrix = Dense::new(count, count);
        let mut z = [(); 2].map(|()| vec![0.0; machine.info().relations.len()]);
        let mut place = vec![0.0; x.len()];
        for (j, direction) in self.directions.iter().enumerate() {
            for (by, z) in [self.near, -self.near].into_iter().zip(&mut z) {
                place.iter_mut().zip(x).zip(direction).for_each(|((p, x), d)| *p = x + by * d);
                machine.crossings_at(t, &place, z)?;
            }
            for (i, &relation) in self.held.iter().enumerate() {
                let r = relation as usize;
                matrix[(i, j)] = (z[0][r] - z[1][r]) / (2.0 * self.near);
            }
        }
        self.forces.clear();
        self.forces.extend(demand.iter().map(|z| -z));
        let mut factors = DenseLu::<f64>::new(count);
        match factors.factor(&matrix) {
            Ok(()) => factors.solve(&mut self.forces),
            Err(_) => self.forces.fill(0.0),
        }
        for (force, direction) in self.forces.iter().zip(&self.directions) {
            target.iter_mut().zip(direction).for_each(|(x, d)| *x += force * d);
        }
        Ok(())
    }
}

fn unit(direction: &[f64]) -> Vec<f64> {
    let size = direction.iter().map(|x| x * x).sum::<f64>().sqrt();
    direction.iter().map(|x| x / size).collect()
}

/// How far the convex hull of points is from zero, if that is more than `KEPT`: Gilbert's iteration towards the nearest point.
fn distance(points: &[Vec<f64>]) -> f64 {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let Some(mut near) = points.first().cloned() else { return f64::INFINITY };
    // Each step halves what is left at least where zero is inside; on the border it comes as near as the root of their number.
    for _ in 0..50_000 {
        let size = dot(&near, &near);
        let lowest = points.iter().min_by(|a, b| dot(a, &near).total_cmp(&dot(b, &near)));
        let Some(lowest) = lowest else { break };
        let gain = size - dot(lowest, &near);
        if size <= KEPT * KEPT || gain <= 1e-9 * size {
            break;
        }
        let way: Vec<f64> = lowest.iter().zip(&near).map(|(p, n)| p - n).collect();
        let part = (gain / dot(&way, &way)).clamp(0.0, 1.0);
        near.iter_mut().zip(&way).for_each(|(n, w)| *n += part * w);
    }
    dot(&near, &near).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_is_inside_on_the_border_or_outside() {
        let square = [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]].map(|p| p.to_vec());
        assert!(distance(&square) <= KEPT);
        assert!(distance(&square[..2]) > 0.99);
        assert!(distance(&[vec![1.0, -1.0], vec![-1.0, 1.0]]) <= KEPT);
        // Two tanks that one inlet fills in turn, and that lose more together than it gives.
        let tanks = [vec![0.5, -1.0], vec![-1.0, 0.5]];
        assert!((distance(&tanks) - 0.125f64.sqrt()).abs() < 1e-6);
    }
}
