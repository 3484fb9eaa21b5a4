//! A mixture of sides in which every surface has an effect of its own, whatever the others do.
//!
//! Friction forces and relays add up: with the equations of one side as the base, the motion is
//! `f = f₀ + Σ sₖ dₖ`, where `dₖ` is what changes when surface `k` is passed and `sₖ`, between 0 and 1, how much of it
//! counts. How fast the surfaces are left is then affine in the shares, too: `w = a + B s`. Staying on all of them is a
//! linear system; deciding which of them hold the motion and which are left is a complementarity problem
//! (`kairos_numerics::complementarity`).
//!
//! Each surface needs a machine on its other side. Where there are many, surfaces that change nothing in common share one:
//! of the rows that differ there, each belongs to one of them. For a chain of bodies that is a handful of machines, however
//! long the chain.

use super::sides::{FINE, STEP, Surroundings, rates_within};
use crate::side::Side;
use kairos_machine::{Eval, Machine};
use kairos_numerics::linear::{Dense, DenseLu, RankRevealing};
use serde::{Deserialize, Serialize};

/// Up to so many surfaces each has a machine of its own.
const SINGLE: usize = 6;
/// A pivot this small beside its row leaves the shares open.
const WEAK: f64 = 1e-7;
/// Shares this near to their limits are as good as there.
const TIE: f64 = 1e-6;
/// Where shares are not unique, a surface is left that moves by more than this part of what acts on it.
const LEFT: f64 = 1e-8;
/// Shares beyond their limits by more than this are so for certain, in spite of round-off in quotients over tiny distances.
const CLEAR: f64 = 1e-2;
/// Sides agree with the affine mixture up to this part of the largest difference.
const AGREES: f64 = 1e-7;

#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Affine {
    pub relations: Vec<u32>,
    /// All relations that change sides with them.
    pub silent: Vec<u32>,
    /// On which side of each surface the base is.
    above: Vec<bool>,
    base: Side,
    slope: Vec<f64>,
    groups: Vec<Group>,
    /// What passing each surface changes in the motion.
    effects: Vec<Vec<f64>>,
    /// How fast the surfaces are left in the base, and how that changes with each share.
    pub offsets: Vec<f64>,
    pub matrix: Dense,
    /// How much of each effect counts.
    flipped: Vec<f64>,
    /// The shares are one choice of several that lead to the same motion.
    open: bool,
}

/// A machine on the other side of some surfaces that change nothing in common.
#[derive(Clone, Serialize, Deserialize)]
struct Group {
    surfaces: Vec<usize>,
    machine: Side,
    slope: Vec<f64>,
    /// For each state the surface that its derivative, and for each surface number in the mixture the one whose rate, belongs
    /// to; empty where the group is one surface.
    rows: Vec<usize>,
    rates: Vec<usize>,
    /// The slots of variables that differ, with the surface that each belongs to.
    slots: Vec<(u32, usize)>,
    /// The same for the crossing functions of relations that the surfaces do not decide.
    functions: Vec<(u32, usize)>,
}

impl Affine {
    /// The mixture around a point on the surfaces `moving`, by their places in the surroundings, with all surfaces on the
    /// given sides in the base. Otherwise the place in `moving` of a surface that cannot be passed, or none where the base
    /// itself cannot be entered.
    pub fn new(
        around: &mut Surroundings,
        t: f64,
        x: &[f64],
        sides: &[bool],
        moving: &[usize],
        numbers: &[u32],
    ) -> Eval<Result<Affine, Option<usize>>> {
        let Some(base) = around.enter(sides)? else { return Ok(Err(None)) };
        let relations: Vec<u32> = moving.iter().map(|&s| around.relation(s)).collect();
        let count = moving.len();
        let silent = moving.iter().flat_map(|&s| around.relations(s)).collect();
        let mut mixture = Affine {
            silent,
            above: moving.iter().map(|&s| sides[s]).collect(),
            slope: vec![0.0; x.len()],
            groups: Vec::new(),
            effects: vec![vec![0.0; x.len()]; count],
            offsets: vec![0.0; count],
            matrix: Dense::new(count, count),
            flipped: vec![0.0; count],
            open: false,
            relations,
            base: base.into(),
        };
        let mut slope = vec![0.0; x.len()];
        mixture.base.derivatives_at(t, x, &mut slope)?;
        for (k, &surface) in moving.iter().enumerate() {
            let mut other = sides.to_vec();
            other[surface] = !other[surface];
            let Some(machine) = around.enter(&other)? else { return Ok(Err(Some(k))) };
            if !around.returns(&*machine, sides, &slope)? {
                return Ok(Err(Some(k)));
            }
            mixture.groups.push(Group::single(k, machine, x.len()));
        }
        mixture.evaluate(t, x)?;
        mixture.find_functions(t, x)?;
        if count > SINGLE {
            mixture.share_machines(around, t, x, sides, moving, numbers)?;
        }
        Ok(Ok(mixture))
    }

    /// Puts surfaces that change nothing in common on the other side of one machine.
    fn share_machines(
        &mut self,
        around: &mut Surroundings,
        t: f64,
        x: &[f64],
        sides: &[bool],
        moving: &[usize],
        numbers: &[u32],
    ) -> Eval {
        let count = moving.len();
        self.base.set_time(t);
        self.base.set_states(x);
        self.base.outputs()?;
        let mut touched: Vec<Touched> = Vec::new();
        for k in 0..count {
            let machine = &mut self.groups[k].machine;
            machine.set_time(t);
            machine.set_states(x);
            machine.outputs()?;
            let (values, base) = (machine.values(), self.base.values());
            let slots = numbers.iter().copied().filter(|&s| values[s as usize] != base[s as usize]).collect();
            let rows = (0..x.len()).filter(|&row| self.effects[k][row] != 0.0).collect();
            let rates = (0..count).filter(|&row| self.matrix[(row, k)] != 0.0).collect();
            let functions = self.groups[k].functions.iter().map(|&(r, _)| r).collect();
            touched.push((rows, rates, slots, functions));
        }
        let mut groups: Vec<(Vec<usize>, Group)> = Vec::new();
        for k in 0..count {
            let apart =
                |members: &Vec<usize>| members.iter().all(|&other| disjoint(&touched[k], &touched[other]));
            match groups.iter_mut().find(|(members, _)| apart(members)) {
                Some((members, _)) => members.push(k),
                None => groups.push((vec![k], Group::single(k, self.base.clone_machine(), x.len()))),
            }
        }
        let mut shared = Vec::new();
        for (members, mut group) in groups {
            let mut other = sides.to_vec();
            members.iter().for_each(|&k| other[moving[k]] = !other[moving[k]]);
            // Where several cannot be passed at once, each keeps its own machine.
            let Some(machine) = around.enter(&other)? else { return Ok(()) };
            group.machine = machine.into();
            group.rows = vec![usize::MAX; x.len()];
            group.rates = vec![usize::MAX; count];
            for &k in &members {
                touched[k].0.iter().for_each(|&row| group.rows[row] = k);
                touched[k].1.iter().for_each(|&row| group.rates[row] = k);
                group.slots.extend(touched[k].2.iter().map(|&slot| (slot, k)));
                group.functions.extend(touched[k].3.iter().map(|&r| (r, k)));
            }
            group.surfaces = members;
            shared.push(group);
        }
        let alone = (self.effects.clone(), std::mem::replace(&mut self.groups, shared));
        self.evaluate(t, x)?;
        let scale = alone.0.iter().flatten().fold(0.0f64, |most, d| most.max(d.abs()));
        let same = |(a, b): (&f64, &f64)| (a - b).abs() <= AGREES * scale;
        if !self.effects.iter().flatten().zip(alone.0.iter().flatten()).all(same) {
            self.groups = alone.1;
            self.evaluate(t, x)?;
        }
        Ok(())
    }

    /// Finds the relations that no surface decides although their functions differ between the sides, as one that compares a torque which
    /// friction bears: what they say follows from the mixture.
    fn find_functions(&mut self, t: f64, x: &[f64]) -> Eval {
        let count = self.base.info().relations.len();
        let (mut here, mut there) = (vec![0.0; count], vec![0.0; count]);
        self.base.crossings_at(t, x, &mut here)?;
        let mut silent = vec![false; count];
        self.silent.iter().for_each(|&r| silent[r as usize] = true);
        for (k, group) in self.groups.iter_mut().enumerate() {
            group.machine.crossings_at(t, x, &mut there)?;
            // Those that switch with a surface are part of its sides.
            let held = group.machine.relations().iter().zip(self.base.relations());
            let same = |(r, (a, b)): (usize, (&bool, &bool))| (a == b).then_some(r);
            let differs = |r: &usize| {
                (here[*r] - there[*r]).abs() > AGREES * here[*r].abs().max(there[*r].abs()) && !silent[*r]
            };
            group.functions =
                held.enumerate().filter_map(same).filter(differs).map(|r| (r as u32, k)).collect();
        }
        let followers = self.followers();
        let follows = |r: u32| followers.iter().any(|(follower, _)| *follower == r);
        self.groups.iter_mut().for_each(|group| group.functions.retain(|(r, _)| !follows(*r)));
        Ok(())
    }

    /// Relations that switch with a surface although they are none of its own, each with the first surface that it follows.
    pub fn followers(&self) -> Vec<(u32, usize)> {
        let mut found: Vec<(u32, usize)> = Vec::new();
        for group in &self.groups {
            let [k] = *group.surfaces else { continue };
            for (r, (a, b)) in group.machine.relations().iter().zip(self.base.relations()).enumerate() {
                let r = r as u32;
                if a != b && !self.silent.contains(&r) && found.iter().all(|(known, _)| *known != r) {
                    found.push((r, k));
                }
            }
        }
        found
    }

    /// The relations whose functions differ between the sides.
    pub fn carried(&self) -> Vec<u32> {
        let mut found: Vec<u32> =
            self.groups.iter().flat_map(|group| group.functions.iter().map(|&(r, _)| r)).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Their functions in the mixture, where `z` has those of the base.
    pub fn carry(&mut self, t: f64, x: &[f64], z: &mut [f64]) -> Eval {
        let mut there = vec![0.0; self.base.info().relations.len()];
        let mut here = there.clone();
        self.base.crossings_at(t, x, &mut here)?;
        self.carried().iter().for_each(|&r| z[r as usize] = here[r as usize]);
        for group in self.groups.iter_mut().filter(|group| !group.functions.is_empty()) {
            group.machine.crossings_at(t, x, &mut there)?;
            for &(r, k) in &group.functions {
                z[r as usize] += self.flipped[k] * (there[r as usize] - here[r as usize]);
            }
        }
        Ok(())
    }

    /// Do the sides of several surfaces together differ from the base by what each does alone?
    pub fn adds_up(
        &self,
        around: &mut Surroundings,
        t: f64,
        x: &[f64],
        sides: &[bool],
        moving: &[usize],
    ) -> Eval<bool> {
        let count = moving.len();
        let scale = self.effects.iter().flatten().fold(0.0f64, |most, d| most.max(d.abs()));
        let mut slope = vec![0.0; x.len()];
        for step in [1, 2, 3] {
            let members: Vec<usize> = (0..count).filter(|k| k % step == 0).collect();
            if members.len() < 2 {
                continue;
            }
            let mut other = sides.to_vec();
            members.iter().for_each(|&k| other[moving[k]] = !other[moving[k]]);
            let Some(mut machine) = around.enter(&other)? else { return Ok(false) };
            machine.derivatives_at(t, x, &mut slope)?;
            for (row, &slope) in slope.iter().enumerate() {
                let sum: f64 = self.slope[row] + members.iter().map(|&k| self.effects[k][row]).sum::<f64>();
                if (slope - sum).abs() > AGREES * scale {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Brings motion and rates of all sides to a point.
    pub fn evaluate(&mut self, t: f64, x: &[f64]) -> Eval {
        self.evaluate_within(t, x, STEP)
    }

    fn evaluate_within(&mut self, t: f64, x: &[f64], step: f64) -> Eval {
        let Affine { relations, base, slope, groups, effects, offsets, matrix, .. } = self;
        base.derivatives_at(t, x, slope)?;
        rates_within(base.as_mut(), t, x, slope, true, relations, step, offsets)?;
        let mut found = vec![0.0; relations.len()];
        for group in groups {
            group.machine.derivatives_at(t, x, &mut group.slope)?;
            group.slope.iter_mut().zip(slope.iter()).for_each(|(d, base)| *d -= base);
            rates_within(base.as_mut(), t, x, &group.slope, false, relations, step, &mut found)?;
            if let [k] = *group.surfaces {
                effects[k].copy_from_slice(&group.slope);
                found.iter().enumerate().for_each(|(row, rate)| matrix[(row, k)] = *rate);
                continue;
            }
            for (row, (&k, &d)) in group.rows.iter().zip(&group.slope).enumerate() {
                if k != usize::MAX {
                    effects[k][row] = d;
                }
            }
            for (row, (&k, &rate)) in group.rates.iter().zip(&found).enumerate() {
                if k != usize::MAX {
                    matrix[(row, k)] = rate;
                }
            }
        }
        Ok(())
    }

    /// Moves the states onto all surfaces, each along what it does to the motion: errors of integration and of the search for
    /// events must not decide which of them is come upon first.
    pub fn settle(&mut self, t: f64, x: &mut [f64]) -> Eval {
        let mut z = vec![0.0; self.base.info().relations.len()];
        for _ in 0..2 {
            self.evaluate(t, x)?;
            self.base.crossings_at(t, x, &mut z)?;
            let gaps: Vec<f64> = self.relations.iter().map(|&r| z[r as usize]).collect();
            let by = RankRevealing::new(&self.matrix, WEAK).solve(&self.matrix, &gaps, WEAK).x;
            for (effect, by) in self.effects.iter().zip(&by).filter(|(_, by)| by.is_finite()) {
                x.iter_mut().zip(effect).for_each(|(x, d)| *x -= by * d);
            }
        }
        Ok(())
    }

    /// Do the surfaces hold the motion where rates are taken from a point much nearer, too? Quotients that reach beyond a kink (`v*abs(v)` where
    /// `v` is nearly zero) say nothing of what happens before it.
    pub fn holds_nearby(&mut self, t: f64, x: &[f64]) -> Eval<bool> {
        let there = self.evaluate_within(t, x, FINE);
        let holds = there.is_ok()
            && self.balance()
            && self.flipped.iter().all(|share| (-CLEAR..=1.0 + CLEAR).contains(share));
        self.evaluate(t, x)?;
        Ok(holds && self.balance())
    }

    /// Shares for which no surface is left, as the last evaluation says; false if there are none.
    pub fn balance(&mut self) -> bool {
        let count = self.offsets.len();
        let mut factors = DenseLu::<f64>::new(count);
        let mut shares: Vec<f64> = self.offsets.iter().map(|rate| -rate).collect();
        self.open = factors.factor(&self.matrix).is_err() || factors.weakest_pivot() < WEAK;
        if !self.open {
            factors.solve(&mut shares);
        } else if let Some(middle) = self.middle() {
            shares = middle;
        } else {
            // Forces that are not unique, as between three bodies that all stick to each other: any that are possible.
            match self.decide() {
                Some(found) => shares = found,
                None => return false,
            }
        }
        let finite = shares.iter().all(|share| share.is_finite());
        if finite {
            self.flipped = shares;
        }
        finite
    }

    /// Of shares that are not unique those nearest to one half, if they are possible.
    fn middle(&self) -> Option<Vec<f64>> {
        let count = self.offsets.len();
        let half = |row: usize| 0.5 * (0..count).map(|k| self.matrix[(row, k)]).sum::<f64>();
        let rest: Vec<f64> = (0..count).map(|row| -self.offsets[row] - half(row)).collect();
        let found = RankRevealing::new(&self.matrix, WEAK).solve(&self.matrix, &rest, WEAK);
        let shares: Vec<f64> = found.x.iter().map(|by| 0.5 + by).collect();
        (found.consistent && shares.iter().all(|share| (0.0..=1.0).contains(share))).then_some(shares)
    }

    /// Positive as long as a surface holds the motion: a number for its end below, and one for its end above.
    pub fn margins(&self, k: usize) -> [f64; 2] {
        let share = if self.above[k] { 1.0 - self.flipped[k] } else { self.flipped[k] };
        if !self.open {
            return [share, 1.0 - share];
        }
        // A share at its limit says nothing where others can take over; a surface that is left in spite of them does.
        let (slack, size) = self.slack(k);
        let rate = if self.above[k] { -slack } else { slack } / (LEFT * size.max(f64::MIN_POSITIVE));
        [1.0 + rate, 1.0 - rate]
    }

    /// Is a share so near its limit that only what follows tells whether the surface holds?
    pub fn is_tied(&self) -> bool {
        !self.open && self.flipped.iter().any(|share| share.min(1.0 - share) < TIE)
    }

    /// How much of each effect counts, decided by which surfaces hold the motion and which are left.
    pub fn decide(&self) -> Option<Vec<f64>> {
        let count = self.offsets.len();
        let sign = |k: usize| if self.above[k] { 1.0 } else { -1.0 };
        let mut matrix = Dense::new(count, count);
        for row in 0..count {
            (0..count).for_each(|k| matrix[(row, k)] = sign(row) * self.matrix[(row, k)]);
        }
        let offsets: Vec<f64> = (0..count).map(|k| sign(k) * self.offsets[k]).collect();
        kairos_numerics::complementarity::shares(&matrix, &offsets)
    }

    /// Takes shares as they are.
    pub fn set(&mut self, flipped: Vec<f64>) {
        self.flipped = flipped;
    }

    /// How fast a surface is left with the present shares, away from the side of the base if positive, and the size of what
    /// adds up to it.
    pub fn slack(&self, k: usize) -> (f64, f64) {
        let terms = (0..self.offsets.len()).map(|j| self.matrix[(k, j)] * self.flipped[j]);
        let (sum, size) = terms.fold((self.offsets[k], self.offsets[k].abs()), |(sum, size), term| {
            (sum + term, size.max(term.abs()))
        });
        (if self.above[k] { -sum } else { sum }, size)
    }

    /// The share of the side above each surface.
    pub fn shares(&self) -> Vec<f64> {
        let share = |(&flipped, &above): (&f64, &bool)| if above { 1.0 - flipped } else { flipped };
        self.flipped.iter().zip(&self.above).map(share).collect()
    }

    pub fn is_open(&self) -> bool {
        self.open
    }

    pub fn flipped(&self) -> &[f64] {
        &self.flipped
    }

    pub fn is_above(&self, k: usize) -> bool {
        self.above[k]
    }

    pub fn effect(&self, k: usize) -> &[f64] {
        &self.effects[k]
    }

    /// The machines of the base and of all groups.
    pub fn visit_sides(&mut self, visit: &mut dyn FnMut(&mut Side)) {
        visit(&mut self.base);
        self.groups.iter_mut().for_each(|group| visit(&mut group.machine));
    }

    pub fn base(&self) -> &dyn Machine {
        self.base.as_ref()
    }

    /// The motion with the present shares.
    pub fn mix(&self, dx: &mut [f64]) {
        dx.copy_from_slice(&self.slope);
        for (effect, share) in self.effects.iter().zip(&self.flipped) {
            // A step may look past the end of a share: up to there the motion stays smooth and on its surfaces.
            dx.iter_mut().zip(effect).for_each(|(dx, d)| *dx += share * d);
        }
    }

    /// Variables in the mixture.
    pub fn show(&mut self, t: f64, x: &[f64], slots: &[u32], values: &mut [f64]) -> Eval {
        let place = |machine: &mut dyn Machine| {
            machine.set_time(t);
            machine.set_states(x);
            machine.outputs()
        };
        place(self.base.as_mut())?;
        let base = self.base.values();
        slots.iter().for_each(|&slot| values[slot as usize] = base[slot as usize]);
        for group in &mut self.groups {
            place(group.machine.as_mut())?;
            let there = group.machine.values();
            let mut add = |slot: u32, k: usize| {
                let slot = slot as usize;
                values[slot] += self.flipped[k] * (there[slot] - base[slot]);
            };
            match *group.surfaces {
                [k] => slots.iter().for_each(|&slot| add(slot, k)),
                _ => group.slots.iter().for_each(|&(slot, k)| add(slot, k)),
            }
        }
        Ok(())
    }
}

impl Group {
    fn single(k: usize, machine: Box<dyn Machine>, states: usize) -> Self {
        let slope = vec![0.0; states];
        Self {
            surfaces: vec![k],
            machine: machine.into(),
            slope,
            rows: Vec::new(),
            rates: Vec::new(),
            slots: Vec::new(),
            functions: Vec::new(),
        }
    }
}

/// The derivatives, rates, variables and crossing functions that passing a surface changes.
type Touched = (Vec<usize>, Vec<usize>, Vec<u32>, Vec<u32>);

/// Nothing in common, neither in the motion, nor in what the surfaces do, nor in what is shown.
fn disjoint(a: &Touched, b: &Touched) -> bool {
    fn apart<T: PartialOrd>(a: &[T], b: &[T]) -> bool {
        let (mut i, mut j) = (0, 0);
        while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
            if x == y {
                return false;
            }
            if x < y { i += 1 } else { j += 1 }
        }
        true
    }
    apart(&a.0, &b.0) && apart(&a.1, &b.1) && apart(&a.2, &b.2) && apart(&a.3, &b.3)
}
