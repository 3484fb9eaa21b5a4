//! A mixture of all combinations of sides, where the effects of surfaces depend on each other.
//!
//! The sides above and below each surface mix in the same proportion whatever the others do, so that `n` shares describe a
//! mixture of `2^n` sides; they follow from the `n` crossing functions, whose rates must vanish. With two relays that
//! multiply, say, there may be several such mixtures: one is entered only if it is the only one that attracts.

use super::sides::{Surroundings, rates};
use crate::side::Side;
use kairos_machine::{Eval, Machine};
use kairos_numerics::linear::{Dense, DenseLu};
use serde::{Deserialize, Serialize};

/// So many surfaces at most are weighed in all combinations.
pub(crate) const SURFACES: usize = 4;
/// Iterations for the shares; they are bilinear in each other, so a few suffice.
const ITERATIONS: usize = 30;
/// Rates this small beside those of the sides are zero.
const STILL: f64 = 1e-10;

#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Multilinear {
    relations: Vec<u32>,
    /// A machine for each combination of sides: bit `k` of its number is set above surface `k`.
    sides: Vec<Side>,
    slopes: Vec<Vec<f64>>,
    /// For each side the rates of the surfaces' functions under its equations.
    rates: Vec<Vec<f64>>,
}

/// What the surroundings of an intersection say about motion on it.
pub(crate) enum Verdict {
    /// All sides push towards it, and there is one way to stay.
    Holds(Vec<f64>),
    /// Some side leads away.
    Leaves,
    /// There are several ways to stay, and nothing decides between them.
    Ambiguous,
}

impl Multilinear {
    /// All combinations of sides of the surfaces `moving`, with the others where `sides` says.
    pub fn new(
        around: &mut Surroundings,
        sides: &[bool],
        moving: &[usize],
        states: usize,
    ) -> Eval<Option<Self>> {
        let mut machines = Vec::new();
        for code in 0..1usize << moving.len() {
            let mut there = sides.to_vec();
            moving.iter().enumerate().for_each(|(bit, &s)| there[s] = code >> bit & 1 == 1);
            let Some(machine) = around.enter(&there)? else { return Ok(None) };
            machines.push(machine.into());
        }
        Ok(Some(Self {
            relations: moving.iter().map(|&s| around.relation(s)).collect(),
            slopes: vec![vec![0.0; states]; machines.len()],
            rates: vec![vec![0.0; moving.len()]; machines.len()],
            sides: machines,
        }))
    }

    pub fn into_sides(self) -> Vec<Box<dyn Machine>> {
        self.sides.into_iter().map(Side::into_machine).collect()
    }

    /// The machines of all sides.
    pub fn visit_sides(&mut self, visit: &mut dyn FnMut(&mut Side)) {
        self.sides.iter_mut().for_each(visit);
    }

    /// Does the motion stay here, and in one way only?
    pub fn judge(&mut self, t: f64, x: &[f64]) -> Eval<Verdict> {
        self.evaluate(t, x)?;
        let count = self.relations.len();
        let mut found: Vec<Vec<f64>> = Vec::new();
        for code in 0..3usize.pow(count as u32) {
            let start = (0..count).map(|k| [0.5, 0.1, 0.9][code / 3usize.pow(k as u32) % 3]).collect();
            let Some(shares) = self.solve(start) else { continue };
            let inside = shares.iter().all(|share| (0.0..=1.0).contains(share));
            let new = |other: &Vec<f64>| other.iter().zip(&shares).any(|(a, b)| (a - b).abs() > 1e-6);
            if inside && found.iter().all(new) && self.attracts(&shares) {
                found.push(shares);
            }
        }
        Ok(match (found.pop(), found.is_empty()) {
            (Some(shares), true) => Verdict::Holds(shares),
            (Some(_), false) => Verdict::Ambiguous,
            (None, _) => Verdict::Leaves,
        })
    }

    /// The shares at a point, from those before; `None` where no mixture stays.
    pub fn follow(&mut self, t: f64, x: &[f64], shares: &[f64]) -> Eval<Option<Vec<f64>>> {
        self.evaluate(t, x)?;
        Ok(self.solve(shares.to_vec()))
    }

    pub fn mix(&self, shares: &[f64], dx: &mut [f64]) {
        dx.fill(0.0);
        for (side, slope) in self.slopes.iter().enumerate() {
            let weight = weight(side, shares);
            dx.iter_mut().zip(slope).for_each(|(dx, slope)| *dx += weight * slope);
        }
    }

    pub fn show(&mut self, t: f64, x: &[f64], shares: &[f64], slots: &[u32], values: &mut [f64]) -> Eval {
        for side in &mut self.sides {
            side.set_time(t);
            side.set_states(x);
            side.outputs()?;
        }
        for slot in slots.iter().map(|&slot| slot as usize) {
            let weighed = self.sides.iter().enumerate();
            values[slot] = weighed.map(|(k, side)| weight(k, shares) * side.values()[slot]).sum();
        }
        Ok(())
    }

    fn evaluate(&mut self, t: f64, x: &[f64]) -> Eval {
        let Self { sides, slopes, rates: found, relations, .. } = self;
        for ((side, slope), found) in sides.iter_mut().zip(slopes).zip(found) {
            side.derivatives_at(t, x, slope)?;
            rates(side.as_mut(), t, x, slope, true, relations, found)?;
        }
        Ok(())
    }

    /// Shares for which all rates vanish, by Newton's method.
    fn solve(&self, mut shares: Vec<f64>) -> Option<Vec<f64>> {
        let count = shares.len();
        let largest = |k: usize| self.rates.iter().fold(0.0f64, |m, rates| m.max(rates[k].abs()));
        let mut factors = DenseLu::<f64>::new(count);
        for _ in 0..ITERATIONS {
            let (mut rest, slope) = self.mixed_rates(&shares);
            let done = rest.iter().enumerate().all(|(k, r)| r.abs() <= STILL * largest(k));
            factors.factor(&slope).ok()?;
            factors.solve(&mut rest);
            shares.iter_mut().zip(&rest).for_each(|(share, step)| *share -= step);
            if !shares.iter().all(|share| share.is_finite() && share.abs() < 1e3) {
                return None;
            }
            if done {
                return Some(shares);
            }
        }
        None
    }

    /// The rates of the mixture, and how they change with the shares.
    fn mixed_rates(&self, shares: &[f64]) -> (Vec<f64>, Dense) {
        let count = shares.len();
        let (mut sum, mut slope) = (vec![0.0; count], Dense::new(count, count));
        for (side, rates) in self.rates.iter().enumerate() {
            let whole = weight(side, shares);
            for k in 0..count {
                sum[k] += whole * rates[k];
            }
            for j in 0..count {
                let others = (0..count).filter(|&k| k != j).map(|k| portion(side, k, shares[k]));
                let partial = others.product::<f64>() * if side >> j & 1 == 1 { 1.0 } else { -1.0 };
                for k in 0..count {
                    slope[(k, j)] += partial * rates[k];
                }
            }
        }
        (sum, slope)
    }

    /// A share grows with its crossing function; do shares beside these come back to them?
    fn attracts(&self, shares: &[f64]) -> bool {
        let count = shares.len();
        let (_, mut slope) = self.mixed_rates(shares);
        for k in 0..count {
            let largest = self.rates.iter().fold(f64::MIN_POSITIVE, |m, rates| m.max(rates[k].abs()));
            (0..count).for_each(|j| slope[(k, j)] /= largest);
        }
        is_stable(&slope)
    }
}

/// All eigenvalues have negative real parts: powers of the Cayley transform vanish.
fn is_stable(a: &Dense) -> bool {
    let n = a.rows();
    let mut factors = DenseLu::<f64>::new(n);
    let mut minus = Dense::new(n, n);
    let unit = |i: usize, j: usize| f64::from(u8::from(i == j));
    for i in 0..n {
        for j in 0..n {
            minus[(i, j)] = unit(i, j) - a[(i, j)];
        }
    }
    if factors.factor(&minus).is_err() {
        return false;
    }
    let mut power = Dense::new(n, n);
    for j in 0..n {
        let mut column: Vec<f64> = (0..n).map(|i| unit(i, j) + a[(i, j)]).collect();
        factors.solve(&mut column);
        (0..n).for_each(|i| power[(i, j)] = column[i]);
    }
    for _ in 0..24 {
        let mut square = Dense::new(n, n);
        for i in 0..n {
            for j in 0..n {
                square[(i, j)] = (0..n).map(|k| power[(i, k)] * power[(k, j)]).sum();
            }
        }
        power = square;
        let size = power.data().iter().fold(0.0f64, |m, x| m.max(x.abs()));
        if !size.is_finite() || size > 1e100 {
            return false;
        }
        if size < 1e-3 {
            return true;
        }
    }
    false
}

fn portion(side: usize, k: usize, share: f64) -> f64 {
    if side >> k & 1 == 1 { share } else { 1.0 - share }
}

fn weight(side: usize, shares: &[f64]) -> f64 {
    shares.iter().enumerate().map(|(k, &share)| portion(side, k, share)).product()
}
