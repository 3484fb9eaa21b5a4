//! The surroundings of a point on switching surfaces: machines on chosen sides of them, and how fast the surfaces are left.

use kairos_machine::{Eval, Machine};
use kairos_numerics::linear::{Dense, DenseLu};

/// How far from a surface, in parts of what its function has been, a side is looked at.
const ASIDE: f64 = 1e-9;
/// Difference quotients move no state by more than this part of its size.
const STEP: f64 = 1e-6;
/// Evaluations of an event beside the point before it counts as endless.
const ROUNDS: usize = 32;

/// A point near the zeros of some crossing functions.
pub(crate) struct Surroundings<'a> {
    machine: &'a mut dyn Machine,
    t: f64,
    x: &'a [f64],
    pub near: Vec<u32>,
    values: Vec<f64>,
    gradients: Vec<Vec<f64>>,
    sizes: Vec<f64>,
    /// Numbers of the functions of which none follows from those before it: the surfaces.
    pub surfaces: Vec<usize>,
}

impl<'a> Surroundings<'a> {
    /// `near` are relations whose functions are zero here; `size` tells how large each has been.
    pub fn new(
        machine: &'a mut dyn Machine,
        t: f64,
        x: &'a [f64],
        near: Vec<u32>,
        size: &dyn Fn(u32) -> f64,
    ) -> Eval<Self> {
        let (values, gradients) = gradients(machine, t, x, &near)?;
        let sizes = near.iter().map(|&r| size(r)).collect();
        let surfaces = independent(&gradients);
        Ok(Self { machine, t, x, near, values, gradients, sizes, surfaces })
    }

    /// The side of a function, by its number in `near`, on which the machine's relation says it is.
    pub fn is_above(&self, k: usize) -> bool {
        let r = self.near[k] as usize;
        match self.machine.info().relations[r].true_side {
            0 => self.values[k] > 0.0,
            side => self.machine.relations()[r] == (side > 0),
        }
    }

    /// A machine on the given side of each surface, in their order; `None` if an event there does more than switch, or
    /// does not lead there.
    pub fn enter(&mut self, above: &[bool]) -> Eval<Option<Box<dyn Machine>>> {
        let mut side = self.machine.clone_machine();
        if self.surfaces.iter().zip(above).all(|(&k, &above)| self.is_above(k) == above) {
            return Ok(Some(side));
        }
        let aims: Vec<f64> = (self.surfaces.iter().zip(above))
            .map(|(&k, &above)| (if above { 1.0 } else { -1.0 }) * ASIDE * self.sizes[k] - self.values[k])
            .collect();
        let rows: Vec<&[f64]> = self.surfaces.iter().map(|&k| self.gradients[k].as_slice()).collect();
        let Some(place) = shifted(self.x, &rows, &aims) else { return Ok(None) };
        if !switch(side.as_mut(), self.t, &place)? {
            return Ok(None);
        }
        let there = self.surfaces.iter().zip(above).all(|(&k, &above)| {
            let r = self.near[k] as usize;
            let truth = side.info().relations[r].true_side;
            truth == 0 || side.relations()[r] == (above == (truth > 0))
        });
        Ok(there.then_some(side))
    }
}

/// How fast crossing functions change along a direction, by central differences; time goes on with it or stands still.
pub(crate) fn rates(
    machine: &mut dyn Machine,
    t: f64,
    x: &[f64],
    along: &[f64],
    time_goes_on: bool,
    relations: &[u32],
    found: &mut [f64],
) -> Eval {
    let mut z = vec![0.0; machine.info().relations.len()];
    let mut place = vec![0.0; x.len()];
    let mut by = if time_goes_on { STEP * t.abs().max(1.0) } else { f64::INFINITY };
    for (k, (x, d)) in x.iter().zip(along).enumerate().filter(|(_, (_, d))| **d != 0.0) {
        by = by.min(STEP * scale(machine, k, *x) / d.abs());
    }
    found.fill(0.0);
    if !by.is_finite() {
        return Ok(());
    }
    for by in [by, -by] {
        for ((p, x), d) in place.iter_mut().zip(x).zip(along) {
            *p = x + by * d;
        }
        machine.crossings_at(if time_goes_on { t + by } else { t }, &place, &mut z)?;
        for (rate, &r) in found.iter_mut().zip(relations) {
            *rate += z[r as usize] / (2.0 * by);
        }
    }
    Ok(())
}

/// The size of a state: its value or its nominal one.
fn scale(machine: &dyn Machine, state: usize, x: f64) -> f64 {
    let nominal = machine.info().nominal.get(state).copied().filter(|n| n.is_finite() && *n != 0.0);
    x.abs().max(nominal.unwrap_or(1.0).abs())
}

/// Crossing functions and their gradients in the space of states.
pub(crate) fn gradients(
    machine: &mut dyn Machine,
    t: f64,
    x: &[f64],
    relations: &[u32],
) -> Eval<(Vec<f64>, Vec<Vec<f64>>)> {
    let mut z = vec![0.0; machine.info().relations.len()];
    let mut read = |machine: &mut dyn Machine, place: &[f64]| -> Eval<Vec<f64>> {
        machine.crossings_at(t, place, &mut z)?;
        Ok(relations.iter().map(|&r| z[r as usize]).collect())
    };
    let values = read(machine, x)?;
    let mut gradients = vec![vec![0.0; x.len()]; relations.len()];
    let mut place = x.to_vec();
    for j in 0..x.len() {
        let by = STEP * scale(machine, j, x[j]);
        place[j] = x[j] + by;
        let after = read(machine, &place)?;
        place[j] = x[j] - by;
        let before = read(machine, &place)?;
        place[j] = x[j];
        for (gradient, (a, b)) in gradients.iter_mut().zip(after.iter().zip(&before)) {
            gradient[j] = (a - b) / (2.0 * by);
        }
    }
    machine.set_states(x);
    Ok((values, gradients))
}

/// Numbers of gradients of which none follows from those before it.
pub(crate) fn independent(gradients: &[Vec<f64>]) -> Vec<usize> {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut kept: Vec<(usize, Vec<f64>)> = Vec::new();
    for (k, gradient) in gradients.iter().enumerate() {
        let mut rest = gradient.clone();
        for (_, other) in &kept {
            let part = dot(&rest, other);
            rest.iter_mut().zip(other).for_each(|(rest, other)| *rest -= part * other);
        }
        let (left, whole) = (dot(&rest, &rest).sqrt(), dot(gradient, gradient).sqrt());
        if left > 1e-6 * whole {
            rest.iter_mut().for_each(|r| *r /= left);
            kept.push((k, rest));
        }
    }
    kept.into_iter().map(|(k, _)| k).collect()
}

/// The nearest point at which linear functions with these gradients have changed by what is aimed at.
fn shifted(x: &[f64], gradients: &[&[f64]], aims: &[f64]) -> Option<Vec<f64>> {
    let count = aims.len();
    let mut products = Dense::new(count, count);
    for i in 0..count {
        for j in 0..count {
            products[(i, j)] = gradients[i].iter().zip(gradients[j]).map(|(a, b)| a * b).sum();
        }
    }
    let mut factors = DenseLu::<f64>::new(count);
    factors.factor(&products).ok()?;
    let mut multipliers = aims.to_vec();
    factors.solve(&mut multipliers);
    let mut place = x.to_vec();
    for (gradient, multiplier) in gradients.iter().zip(&multipliers) {
        place.iter_mut().zip(*gradient).for_each(|(x, g)| *x += multiplier * g);
    }
    Some(place)
}

/// An event beside the present point; false if it does more than switch.
fn switch(side: &mut dyn Machine, t: f64, place: &[f64]) -> Eval<bool> {
    side.set_time(t);
    side.set_states(place);
    side.left_limit()?;
    side.advance_pre();
    let none = vec![false; side.info().samplers.len()];
    for _ in 0..ROUNDS {
        let effects = side.event(&none, false)?;
        if !effects.reinits.is_empty() || !effects.restarts.is_empty() || effects.terminate.is_some() {
            return Ok(false);
        }
        let changes = side.advance_pre();
        if effects.contradiction.is_some() && !changes.again {
            return Ok(false);
        }
        if changes.discrete.is_empty() && changes.relations.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}
