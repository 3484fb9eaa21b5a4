//! The surroundings of a point on switching surfaces: machines on chosen sides of them, and how fast the surfaces are left.

use kairos_machine::{Changes, Effects, Eval, EvalError, Machine};
use kairos_numerics::linear::{Dense, RankRevealing};

/// Difference quotients move no state by more than this part of its size.
pub(super) const STEP: f64 = 1e-6;
/// Those that look for kinks nearby.
pub(super) const FINE: f64 = 1e-11;
/// How far from a surface, in parts of the sizes of the states, a side is looked at.
const ASIDE: f64 = 1e-9;
/// Gradients this much alike are dependent.
const ROUND_OFF: f64 = 1e-9;
/// Two functions whose changes are this much alike are one surface.
const ALIKE: f64 = 1e-9;
/// Branches that differ by less where they should meet do meet.
const MEETS: f64 = 1e-7;
/// Evaluations of an event before it counts as endless.
const ROUNDS: usize = 32;

/// Relations that change sides together: their functions are the same, up to the sign.
#[derive(Clone)]
pub(crate) struct Surface {
    /// The first of them stands for all.
    relations: Vec<(u32, bool)>,
}

/// A point at which some crossing functions are zero.
pub(crate) struct Surroundings<'a> {
    machine: &'a mut dyn Machine,
    t: f64,
    x: &'a [f64],
    pub surfaces: Vec<Surface>,
    /// Other relations near their zeros, which stay as they are: round-off must not decide them.
    kept: Vec<(u32, bool)>,
    /// How many of them are near their zeros, where others are held as well.
    near: Option<usize>,
}

impl<'a> Surroundings<'a> {
    /// `near` are relations whose functions are zero here, `kept` others whose functions are not far from it.
    pub fn new(machine: &'a mut dyn Machine, t: f64, x: &'a [f64], near: &[u32], kept: &[u32]) -> Eval<Self> {
        let changes = signatures(machine, t, x, near)?;
        let mut surfaces: Vec<(Surface, &[f64])> = Vec::new();
        for (&relation, change) in near.iter().zip(&changes) {
            let same =
                surfaces.iter_mut().find_map(|(surface, other)| Some((surface, alike(change, other)?)));
            match same {
                Some((surface, same)) => surface.relations.push((relation, same)),
                None => surfaces.push((Surface { relations: vec![(relation, true)] }, change)),
            }
        }
        let surfaces = surfaces.into_iter().map(|(surface, _)| surface).collect();
        let held = |r: &u32| (*r, machine.relations()[*r as usize]);
        let kept = kept.iter().filter(|r| !near.contains(r)).map(held).collect();
        Ok(Self { machine, t, x, surfaces, kept, near: None })
    }

    /// Do all relations but those of the surfaces keep their values?
    pub fn holds_all(&self) -> bool {
        self.near.is_some()
    }

    pub fn hold_all(&mut self, hold: bool) {
        match (hold, self.near.take()) {
            (true, None) => {
                self.near = Some(self.kept.len());
                let known = |r: &u32| {
                    self.kept.iter().any(|(k, _)| k == r)
                        || (0..self.surfaces.len()).any(|s| self.relations(s).any(|k| k == *r))
                };
                let relations = self.machine.relations();
                let others: Vec<(u32, bool)> = (0..relations.len() as u32)
                    .filter(|r| !known(r))
                    .map(|r| (r, relations[r as usize]))
                    .collect();
                self.kept.extend(others);
            }
            (false, Some(near)) => self.kept.truncate(near),
            (_, near) => self.near = near,
        }
    }

    /// Do the branches of a relation lead to the same motion in that mixture of the sides of a surface for which its function is zero?
    pub fn branches_meet(
        &mut self,
        t: f64,
        x: &[f64],
        sides: &[bool],
        surface: usize,
        relation: u32,
    ) -> Eval<bool> {
        let near = self.kept.clone();
        self.hold_all(true);
        let found = [false, true].map(|value| {
            for kept in self.kept.iter_mut().filter(|(r, _)| *r == relation) {
                kept.1 = value;
            }
            self.at_switch(t, x, sides, surface, relation)
        });
        (self.kept, self.near) = (near, None);
        let [one, other] = found;
        let (Some((share, motion)), Some((other_share, other_motion))) = (one?, other?) else {
            return Ok(false);
        };
        let size = motion.iter().chain(&other_motion).fold(0.0f64, |most, d| most.max(d.abs()));
        let same = |(a, b): (&f64, &f64)| (a - b).abs() <= MEETS * size;
        Ok((share - other_share).abs() <= MEETS * (1.0 + share.abs())
            && motion.iter().zip(&other_motion).all(same))
    }

    /// The share of the other side of a surface for which a crossing function is zero, and the motion there.
    fn at_switch(
        &mut self,
        t: f64,
        x: &[f64],
        sides: &[bool],
        surface: usize,
        relation: u32,
    ) -> Eval<Option<(f64, Vec<f64>)>> {
        let mut there = sides.to_vec();
        there[surface] = !there[surface];
        let mut found = Vec::new();
        for sides in [sides, &there] {
            let Some(mut machine) = self.enter(sides)? else { return Ok(None) };
            let mut z = vec![0.0; machine.info().relations.len()];
            machine.crossings_at(t, x, &mut z)?;
            let mut slope = vec![0.0; x.len()];
            machine.derivatives_at(t, x, &mut slope)?;
            found.push((z[relation as usize], slope));
        }
        let [(z, slope), (other_z, other_slope)] = &found[..] else { return Ok(None) };
        let share = z / (z - other_z);
        let mixed = slope.iter().zip(other_slope).map(|(a, b)| a + share * (b - a)).collect();
        Ok(share.is_finite().then_some((share, mixed)))
    }

    /// The relation that stands for a surface.
    pub fn relation(&self, surface: usize) -> u32 {
        self.surfaces[surface].relations[0].0
    }

    /// All relations of a surface.
    pub fn relations(&self, surface: usize) -> impl Iterator<Item = u32> + '_ {
        self.surfaces[surface].relations.iter().map(|(relation, _)| *relation)
    }

    /// The relations of surfaces of which the machine's relations say different things.
    pub fn between(&self) -> Vec<u32> {
        let (info, held) = (self.machine.info(), self.machine.relations());
        let above = |&(r, same): &(u32, bool)| {
            (held[r as usize] == (info.relations[r as usize].true_side > 0)) == same
        };
        let both =
            |surface: &&Surface| surface.relations.iter().any(above) && !surface.relations.iter().all(above);
        let between = self.surfaces.iter().filter(both);
        between.flat_map(|surface| surface.relations.iter().map(|(r, _)| *r)).collect()
    }

    /// The side of a surface on which the machine's relation says it is.
    pub fn is_above(&self, surface: usize) -> bool {
        let r = self.relation(surface) as usize;
        self.machine.relations()[r] == (self.machine.info().relations[r].true_side > 0)
    }

    /// A machine on the given side of each surface; `None` if the event that leads there does more than switch.
    pub fn enter(&mut self, above: &[bool]) -> Eval<Option<Box<dyn Machine>>> {
        let side = self.machine.clone_machine();
        self.enter_from(side, above)
    }

    /// Does the motion of a machine, which is on another side, become this one again on the given side of each surface? With
    /// hysteresis, or where passing a surface changes a location for good, it does not.
    pub fn returns(&mut self, from: &dyn Machine, above: &[bool], slope: &[f64]) -> Eval<bool> {
        let Some(mut back) = self.enter_from(from.clone_machine(), above)? else { return Ok(false) };
        let mut again = vec![0.0; slope.len()];
        back.derivatives_at(self.t, self.x, &mut again)?;
        let scale = slope.iter().fold(0.0f64, |most, d| most.max(d.abs()));
        Ok(slope.iter().zip(&again).all(|(a, b)| (a - b).abs() <= ALIKE * scale))
    }

    fn enter_from(&mut self, mut side: Box<dyn Machine>, above: &[bool]) -> Eval<Option<Box<dyn Machine>>> {
        let mut pins = self.kept.clone();
        for (surface, &above) in self.surfaces.iter().zip(above) {
            for &(r, same) in &surface.relations {
                let truth = side.info().relations[r as usize].true_side;
                pins.push((r, (above == same) == (truth > 0)));
            }
        }
        if pins.iter().all(|&(r, value)| side.relations()[r as usize] == value) {
            return Ok(Some(side));
        }
        let switched = match side.pin(&pins) {
            true => switch(side.as_mut(), self.t, self.x),
            false => match self.beside(above)? {
                Some(place) => switch(side.as_mut(), self.t, &place),
                None => return Ok(None),
            },
        };
        side.pin(&[]);
        let there = |&(r, value): &(u32, bool)| side.relations()[r as usize] == value;
        Ok((switched? && pins.iter().all(there)).then_some(side))
    }
}

impl Surroundings<'_> {
    /// A place a little off the present point, on the given side of each surface: for machines whose relations cannot be
    /// given a value.
    fn beside(&mut self, above: &[bool]) -> Eval<Option<Vec<f64>>> {
        let leaders = (0..self.surfaces.len()).map(|s| self.relation(s));
        let near: Vec<u32> = leaders.chain(self.kept.iter().map(|(r, _)| *r)).collect();
        let side =
            |&(r, value): &(u32, bool)| value == (self.machine.info().relations[r as usize].true_side > 0);
        let above: Vec<bool> = above.iter().copied().chain(self.kept.iter().map(side)).collect();
        let (values, gradients) = gradients(self.machine, self.t, self.x, &near)?;
        let mut matrix = Dense::new(near.len(), self.x.len());
        let mut aims = Vec::new();
        for (row, (gradient, &above)) in gradients.iter().zip(&above).enumerate() {
            let size = |(k, g): (usize, &f64)| g.abs() * scale(self.machine, k, self.x[k]);
            let size: f64 = gradient.iter().enumerate().map(size).sum();
            aims.push(if above { ASIDE * size } else { -ASIDE * size } - values[row]);
            gradient.iter().enumerate().for_each(|(column, &g)| matrix[(row, column)] = g);
        }
        let found = RankRevealing::new(&matrix, ROUND_OFF).solve(&matrix, &aims, ROUND_OFF);
        Ok(found.consistent.then(|| self.x.iter().zip(&found.x).map(|(x, by)| x + by).collect()))
    }
}

/// How each function changes with time and along two directions that no function is likely to be blind to.
fn signatures(machine: &mut dyn Machine, t: f64, x: &[f64], near: &[u32]) -> Eval<Vec<Vec<f64>>> {
    let mut found = vec![Vec::new(); near.len()];
    let mut rate = vec![0.0; near.len()];
    for direction in [0u32, 1] {
        let mut seed = 0x2545_f491u32.wrapping_add(direction);
        let along: Vec<f64> = (0..x.len())
            .map(|k| {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                scale(machine, k, x[k]) * (0.5 + f64::from(seed >> 8) / f64::from(1 << 24))
            })
            .collect();
        rates(machine, t, x, &along, direction == 0, near, &mut rate)?;
        found.iter_mut().zip(&rate).for_each(|(found, rate)| found.push(*rate));
    }
    Ok(found)
}

/// Are two lists of changes the same? True: with the same sign, false: with the opposite one.
fn alike(a: &[f64], b: &[f64]) -> Option<bool> {
    let size = a.iter().chain(b).fold(0.0f64, |most, x| most.max(x.abs()));
    let same = |sign: f64| size > 0.0 && a.iter().zip(b).all(|(a, b)| (a - sign * b).abs() <= ALIKE * size);
    if same(1.0) { Some(true) } else { same(-1.0).then_some(false) }
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
    rates_within(machine, t, x, along, time_goes_on, relations, STEP, found)
}

/// As `rates`, where the quotients move no state by more than the part `step` of its size.
pub(super) fn rates_within(
    machine: &mut dyn Machine,
    t: f64,
    x: &[f64],
    along: &[f64],
    time_goes_on: bool,
    relations: &[u32],
    step: f64,
    found: &mut [f64],
) -> Eval {
    let mut z = vec![0.0; machine.info().relations.len()];
    let mut place = vec![0.0; x.len()];
    let mut by = if time_goes_on { step * t.abs().max(1.0) } else { f64::INFINITY };
    for (k, (x, d)) in x.iter().zip(along).enumerate().filter(|(_, (_, d))| **d != 0.0) {
        by = by.min(step * scale(machine, k, *x) / d.abs());
    }
    found.fill(0.0);
    if !by.is_finite() {
        return Ok(());
    }
    let mut look = |by: f64, weight: f64, found: &mut [f64]| -> Eval {
        for ((p, x), d) in place.iter_mut().zip(x).zip(along) {
            *p = x + by * d;
        }
        machine.crossings_at(if time_goes_on { t + by } else { t }, &place, &mut z)?;
        found.iter_mut().zip(relations).for_each(|(rate, &r)| *rate += weight * z[r as usize]);
        Ok(())
    };
    let central = look(by, 0.5 / by, found).and_then(|()| look(-by, -0.5 / by, found));
    let Err(EvalError::Recoverable(_)) = central else { return central };
    // Some branch in force leaves its domain near here: one side is enough.
    let mut failed = central;
    for by in [-by, by] {
        found.fill(0.0);
        failed = look(by, 1.0 / by, found).and_then(|()| look(0.0, -1.0 / by, found));
        if failed.is_ok() {
            break;
        }
    }
    failed
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

/// An event with the relations as they are pinned; false if it does more than switch.
fn switch(side: &mut dyn Machine, t: f64, x: &[f64]) -> Eval<bool> {
    side.set_time(t);
    side.set_states(x);
    side.left_limit()?;
    let (mut effects, mut changes) = (Effects::default(), Changes::default());
    side.advance_pre(&mut changes);
    let none = vec![false; side.info().samplers.len()];
    for _ in 0..ROUNDS {
        side.event(&none, false, &mut effects)?;
        if !effects.reinits.is_empty() || !effects.restarts.is_empty() || effects.terminate.is_some() {
            return Ok(false);
        }
        side.advance_pre(&mut changes);
        if effects.contradiction.is_some() && !changes.again {
            return Ok(false);
        }
        if changes.discrete.is_empty() && changes.relations.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}
