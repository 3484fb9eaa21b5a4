//! Filippov's motion on switching surfaces: the mixture of the equations on all sides that stays on every surface.
//!
//! On one surface the mixture is the convex combination of both sides. On an intersection the sides above and below
//! each surface mix in the same proportion whatever the others do, so that `n` shares describe a mixture of `2^n`
//! sides; they follow from the `n` crossing functions, whose rates must vanish.

use crate::surface::rates;
use kairos_machine::{Eval, EvalError, Machine};
use kairos_numerics::linear::{Dense, DenseLu};

/// So many surfaces at most hold a motion together.
pub(crate) const SURFACES: usize = 4;
/// Iterations for the shares; they are bilinear in each other, so a few suffice.
const ITERATIONS: usize = 30;
/// Rates this small beside those of the sides are zero.
const STILL: f64 = 1e-10;
/// How far from a surface, in parts of what its function has been, a side is looked at.
const ASIDE: f64 = 1e-9;

pub(crate) struct Slide {
    pub relations: Vec<u32>,
    /// A machine for each combination of sides: bit `k` of its number is set above surface `k`.
    sides: Vec<Box<dyn Machine>>,
    /// For each surface the share of the side above it.
    pub shares: Vec<f64>,
    slopes: Vec<Vec<f64>>,
    /// For each side the rates of the surfaces' functions under its equations.
    rates: Vec<Vec<f64>>,
    near: f64,
}

/// What the surroundings of an intersection say about motion on it.
pub(crate) enum Verdict {
    /// All sides push towards it, and there is one way to stay.
    Holds,
    /// Some side leads away.
    Leaves,
    /// There are several ways to stay, and nothing decides between them.
    Ambiguous,
}

/// What is found around an intersection.
pub(crate) enum Around {
    Sides(Slide),
    /// Some combination of sides cannot be entered.
    Nothing,
    TooMany,
}

impl Slide {
    /// Motion on one surface between two known sides.
    pub fn between(relation: u32, above: Box<dyn Machine>, below: Box<dyn Machine>, range: f64) -> Self {
        Self::new(vec![relation], vec![below, above], range)
    }

    /// The machines of all sides.
    pub fn into_sides(self) -> Vec<Box<dyn Machine>> {
        self.sides
    }

    fn new(relations: Vec<u32>, sides: Vec<Box<dyn Machine>>, range: f64) -> Self {
        let states = sides.first().map_or(0, |side| side.info().states.len());
        Self {
            shares: vec![0.5; relations.len()],
            slopes: vec![vec![0.0; states]; sides.len()],
            rates: vec![vec![0.0; relations.len()]; sides.len()],
            near: 1e-6 * range,
            relations,
            sides,
        }
    }

    /// Motion on the intersection of surfaces near which the machine is: each combination of sides is entered by an
    /// event a little beside the present point. Surfaces in `fixed` are near, too, but their side is given (true:
    /// above).
    pub fn around(
        machine: &mut dyn Machine,
        t: f64,
        x: &[f64],
        relations: &[u32],
        fixed: &[(u32, bool)],
        size: &dyn Fn(u32) -> f64,
        range: f64,
    ) -> Eval<Around> {
        let near: Vec<u32> = relations.iter().copied().chain(fixed.iter().map(|f| f.0)).collect();
        let (values, gradients) = gradients(machine, t, x, &near)?;
        let independent = independent(&gradients);
        let moving: Vec<u32> =
            (0..relations.len()).filter(|k| independent.contains(k)).map(|k| near[k]).collect();
        if moving.len() > SURFACES {
            return Ok(Around::TooMany);
        }
        if moving.is_empty() {
            return Ok(Around::Nothing);
        }
        let mut sides = Vec::new();
        for code in 0..1usize << moving.len() {
            let above = |k: usize| match moving.iter().position(|&r| r == near[k]) {
                Some(bit) => code >> bit & 1 == 1,
                None => fixed.iter().any(|&(r, above)| r == near[k] && above),
            };
            let aims: Vec<f64> = independent
                .iter()
                .map(|&k| (if above(k) { 1.0 } else { -1.0 }) * ASIDE * size(near[k]) - values[k])
                .collect();
            let rows: Vec<&[f64]> = independent.iter().map(|&k| gradients[k].as_slice()).collect();
            let Some(place) = shifted(x, &rows, &aims) else { return Ok(Around::Nothing) };
            let mut side = machine.clone_machine();
            if !enter(side.as_mut(), t, &place)? {
                return Ok(Around::Nothing);
            }
            let on_its_side = |k: &usize| {
                let (r, up) = (near[*k] as usize, above(*k));
                let truth = side.info().relations[r].true_side;
                truth == 0 || side.relations()[r] == (up == (truth > 0))
            };
            if !independent.iter().all(on_its_side) {
                return Ok(Around::Nothing);
            }
            sides.push(side);
        }
        Ok(Around::Sides(Self::new(moving, sides, range)))
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
            (Some(shares), true) => {
                self.shares = shares;
                Verdict::Holds
            }
            (Some(_), false) => Verdict::Ambiguous,
            (None, _) => Verdict::Leaves,
        })
    }

    /// Brings the shares to a point. Outside of it they say on which side of which surface the motion goes on.
    pub fn follow(&mut self, t: f64, x: &[f64]) -> Eval {
        self.evaluate(t, x)?;
        match self.solve(self.shares.clone()) {
            Some(shares) => {
                self.shares = shares;
                Ok(())
            }
            None => Err(EvalError::Recoverable(kairos_machine::Fault {
                code: "several-surfaces",
                message: "no mixture of the sides keeps the motion on its switching surfaces".into(),
                span: None,
                values: Vec::new(),
                help: vec![
                    "give one of the switches a hysteresis or a steep continuous characteristic".into(),
                ],
            })),
        }
    }

    /// How fast the function of another surface changes in this motion.
    pub fn rate_of(&mut self, relation: u32, t: f64, x: &[f64]) -> Eval<f64> {
        self.follow(t, x)?;
        let mut slope = vec![0.0; x.len()];
        self.mix(&mut slope);
        let mut rate = [0.0];
        rates(self.sides[0].as_mut(), t, x, &slope, self.near, &[relation], &mut rate)?;
        Ok(rate[0])
    }

    /// The motion with the present shares.
    pub fn mix(&self, dx: &mut [f64]) {
        dx.fill(0.0);
        let shares: Vec<f64> = self.shares.iter().map(|share| share.clamp(0.0, 1.0)).collect();
        for (side, slope) in self.slopes.iter().enumerate() {
            let weight = weight(side, &shares);
            dx.iter_mut().zip(slope).for_each(|(dx, slope)| *dx += weight * slope);
        }
    }

    /// Variables that the sides have different values for, mixed: the equivalent control among them.
    pub fn show(&mut self, t: f64, x: &[f64], slots: &[u32], values: &mut [f64]) -> Eval {
        self.follow(t, x)?;
        for side in &mut self.sides {
            side.set_time(t);
            side.set_states(x);
            side.outputs()?;
        }
        for slot in slots.iter().map(|&slot| slot as usize) {
            let weighed = self.sides.iter().enumerate();
            values[slot] = weighed.map(|(k, side)| weight(k, &self.shares) * side.values()[slot]).sum();
        }
        Ok(())
    }

    fn evaluate(&mut self, t: f64, x: &[f64]) -> Eval {
        let Self { sides, slopes, rates: found, relations, near, .. } = self;
        for ((side, slope), found) in sides.iter_mut().zip(slopes).zip(found) {
            side.derivatives_at(t, x, slope)?;
            rates(side.as_mut(), t, x, slope, *near, relations, found)?;
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
        let nominal = machine.info().nominal.get(j).copied().filter(|n| n.is_finite() && *n != 0.0);
        let by = 1e-6 * x[j].abs().max(nominal.unwrap_or(1.0).abs());
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
fn enter(side: &mut dyn Machine, t: f64, place: &[f64]) -> Eval<bool> {
    const ROUNDS: usize = 32;
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
