//! Motion along switching surfaces: which of them hold it, and how it goes on.
//!
//! Where both sides of a surface push towards it, neither branch describes what follows. The motion stays on the surface,
//! with a mixture of both sides whose share follows from staying there (Filippov). On several surfaces at once some may hold
//! the motion while others are left, and which ones depends on all of them together. Where each surface has an effect of its
//! own (`affine.rs`) that is a complementarity problem, solved by pivoting for any number of surfaces; otherwise all
//! combinations of sides are weighed (`multilinear.rs`), for a few surfaces.

mod affine;
mod multilinear;
mod sides;

pub(crate) use affine::Affine;
pub(crate) use multilinear::{Multilinear, SURFACES};
pub(crate) use sides::{Surroundings, gradients, independent, rates};

use crate::side::Side;
use kairos_machine::{Eval, EvalError, Fault, Machine};
use serde::{Deserialize, Serialize};

/// A slack this small beside what adds up to it is none.
const NONE: f64 = 1e-9;
/// What a surface does to itself counts beside its size.
const COUNTS: f64 = 1e-9;

#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Slide {
    /// A relation for each surface.
    pub relations: Vec<u32>,
    /// All relations that change sides with them.
    pub silent: Vec<u32>,
    /// Relations that are held while the motion lasts, although their functions differ between the sides.
    pub carried: Vec<u32>,
    /// For each surface the share of the side above it.
    pub shares: Vec<f64>,
    mixture: Mixture,
}

#[derive(Clone, Serialize, Deserialize)]
enum Mixture {
    Affine(Box<Affine>),
    Multilinear(Multilinear),
}

/// What becomes of a motion on switching surfaces.
pub(crate) enum Decision {
    /// Nothing holds it, and nothing is known of where it goes.
    Free,
    /// All surfaces are left, on the sides where the machine is.
    Leaves(Box<dyn Machine>),
    /// It stays on some of them. The machine is on the sides on which the others are left.
    Holds(Box<Slide>, Box<dyn Machine>),
    /// There are several ways to stay, and nothing decides between them.
    Ambiguous,
    /// The surfaces act on each other, and are too many to weigh all combinations of their sides.
    TooMany(Vec<u32>),
}

/// Decides how the motion goes on from a point at which the functions of the relations `edges` are zero. Surfaces in
/// `fixed` are near, too, but their side is given (true: above). Those in `kept` are not far from
/// zero and stay as they are. `numbers` are the slots of variables that results show.
pub(crate) fn decide(
    machine: &mut dyn Machine,
    t: f64,
    x: &[f64],
    edges: &[u32],
    fixed: &[(u32, bool)],
    kept: &[u32],
    numbers: &[u32],
) -> Eval<Decision> {
    // Conditions that are true on a side of their own, as equalities of numbers, are no switches.
    let switches = |r: &u32| machine.info().relations[*r as usize].true_side != 0;
    let given: Vec<u32> = fixed.iter().map(|f| f.0).filter(switches).collect();
    let free = edges.iter().copied().filter(|r| switches(r) && !given.contains(r));
    let near: Vec<u32> = given.iter().copied().chain(free).collect();
    let mut around = Surroundings::new(machine, t, x, &near, kept)?;
    let side_of = |r: u32| fixed.iter().find(|f| f.0 == r).map(|f| f.1);
    let count = around.surfaces.len();
    let mut sides: Vec<bool> =
        (0..count).map(|s| side_of(around.relation(s)).unwrap_or_else(|| around.is_above(s))).collect();
    let mut moving: Vec<usize> = (0..count).filter(|&s| side_of(around.relation(s)).is_none()).collect();
    loop {
        if moving.is_empty() {
            let entered = if given.is_empty() { None } else { around.enter(&sides)? };
            return Ok(entered.map_or(Decision::Free, Decision::Leaves));
        }
        let mut mixture = match Affine::new(&mut around, t, x, &sides, &moving, numbers)? {
            Ok(mixture) => mixture,
            Err(Some(_)) if !around.holds_all() => {
                // What a jump to the other side would set off does not happen on the surface.
                around.hold_all(true);
                continue;
            }
            Err(Some(k)) => {
                around.hold_all(false);
                // A condition with hysteresis cannot be passed to and fro.
                moving.remove(k);
                continue;
            }
            Err(None) => return Ok(Decision::Free),
        };
        // What follows a surface without a jump of its own follows the mixture, not the sides.
        if !around.holds_all() && followers_meet(&mut around, &mixture, t, x, &sides, &moving)? {
            around.hold_all(true);
            continue;
        }
        // A surface that does nothing to its own rate does not hold anything.
        let acts: Vec<bool> = (0..moving.len()).map(|k| acts_on_itself(&mixture, k)).collect();
        if acts.contains(&false) {
            let mut acts = acts.into_iter();
            moving.retain(|_| acts.next().unwrap_or(false));
            continue;
        }
        if moving.len() > 1 && !mixture.adds_up(&mut around, t, x, &sides, &moving)? {
            return weigh(&mut around, t, x, &sides, &moving);
        }
        let Some(flipped) = mixture.decide() else { return Ok(Decision::Free) };
        mixture.set(flipped);
        let (mut left, mut held) = (Vec::new(), Vec::new());
        for (k, &surface) in moving.iter().enumerate() {
            let (slack, scale) = mixture.slack(k);
            if slack.abs() <= NONE * scale { held.push(surface) } else { left.push((surface, k)) }
        }
        if left.is_empty() {
            let stays = attracts(&mixture) && (mixture.is_open() || mixture.holds_nearby(t, x)?);
            return Ok(if stays { holds(mixture) } else { Decision::Free });
        }
        // The others are left: the base goes over to the sides where they are.
        for (surface, k) in left {
            sides[surface] = mixture.is_above(k) != (mixture.flipped()[k] > 0.5);
        }
        if held.is_empty() {
            return Ok(around.enter(&sides)?.map_or(Decision::Free, Decision::Leaves));
        }
        moving = held;
    }
}

/// Are there relations that switch with a surface because it moves their functions, and do the branches of all of them meet where they
/// switch? Between the sides these are what they are for the mixture: a clutch holds or slips by the torque there is. Where branches
/// do not meet (a relay driven by the output of another one) the relation is part of the surface.
fn followers_meet(
    around: &mut Surroundings,
    mixture: &Affine,
    t: f64,
    x: &[f64],
    sides: &[bool],
    moving: &[usize],
) -> Eval<bool> {
    let followers = mixture.followers();
    for &(relation, k) in &followers {
        if !around.branches_meet(t, x, sides, moving[k], relation)? {
            return Ok(false);
        }
    }
    Ok(!followers.is_empty())
}

/// Relations of surfaces on which the machine is on neither side: of opposite ones neither holds.
pub(crate) fn between(machine: &mut dyn Machine, t: f64, x: &[f64], edges: &[u32]) -> Eval<Vec<u32>> {
    let switches = |r: &u32| machine.info().relations[*r as usize].true_side != 0;
    let near: Vec<u32> = edges.iter().copied().filter(switches).collect();
    Surroundings::new(machine, t, x, &near, &[]).map(|around| around.between())
}

fn holds(mixture: Affine) -> Decision {
    let machine = mixture.base().clone_machine();
    let slide = Slide {
        relations: mixture.relations.clone(),
        silent: mixture.silent.clone(),
        carried: mixture.carried(),
        shares: mixture.shares(),
        mixture: Mixture::Affine(Box::new(mixture)),
    };
    Decision::Holds(Box::new(slide), machine)
}

fn acts_on_itself(mixture: &Affine, k: usize) -> bool {
    let rate = mixture.matrix[(k, k)].abs();
    let others = (0..mixture.relations.len()).map(|row| mixture.matrix[(row, k)].abs());
    let moves = mixture.effect(k).iter().any(|d| *d != 0.0);
    moves && rate > COUNTS * others.fold(mixture.offsets[k].abs(), f64::max)
}

/// Does each surface draw the motion back to it, with the shares of the others as they are? On a surface that repels, a
/// mixture is an equilibrium that nothing reaches.
fn attracts(mixture: &Affine) -> bool {
    let draws = |k: usize| (mixture.matrix[(k, k)] < 0.0) != mixture.is_above(k);
    (0..mixture.relations.len()).all(draws)
}

/// All combinations of the sides, where they do not add up.
fn weigh(around: &mut Surroundings, t: f64, x: &[f64], sides: &[bool], moving: &[usize]) -> Eval<Decision> {
    let relations: Vec<u32> = moving.iter().map(|&s| around.relation(s)).collect();
    if moving.len() > SURFACES {
        return Ok(Decision::TooMany(relations));
    }
    let Some(mut mixture) = Multilinear::new(around, sides, moving, x.len())? else {
        return Ok(Decision::Free);
    };
    let Some(base) = around.enter(sides)? else { return Ok(Decision::Free) };
    Ok(match mixture.judge(t, x)? {
        multilinear::Verdict::Holds(shares) => {
            let silent = moving.iter().flat_map(|&s| around.relations(s)).collect();
            let mixture = Mixture::Multilinear(mixture);
            let carried = Vec::new();
            Decision::Holds(Box::new(Slide { relations, silent, carried, shares, mixture }), base)
        }
        multilinear::Verdict::Leaves => Decision::Free,
        multilinear::Verdict::Ambiguous => Decision::Ambiguous,
    })
}

/// Machines on all combinations of sides of a few surfaces; `None` if some cannot be entered.
pub(crate) fn all_sides(
    machine: &mut dyn Machine,
    t: f64,
    x: &[f64],
    relations: &[u32],
) -> Eval<Option<Vec<Box<dyn Machine>>>> {
    let mut around = Surroundings::new(machine, t, x, relations, &[])?;
    let count = around.surfaces.len();
    if count > SURFACES {
        return Ok(None);
    }
    let moving: Vec<usize> = (0..count).collect();
    Ok(Multilinear::new(&mut around, &vec![false; count], &moving, x.len())?.map(Multilinear::into_sides))
}

impl Slide {
    /// The machines of the mixture.
    pub fn visit_sides(&mut self, visit: &mut dyn FnMut(&mut Side)) {
        match &mut self.mixture {
            Mixture::Affine(mixture) => mixture.visit_sides(visit),
            Mixture::Multilinear(mixture) => mixture.visit_sides(visit),
        }
    }

    /// Brings the shares to a point. Outside of 0 and 1 they say on which side of which surface the motion goes on.
    pub fn follow(&mut self, t: f64, x: &[f64]) -> Eval {
        let found = match &mut self.mixture {
            Mixture::Affine(mixture) => {
                mixture.evaluate(t, x)?;
                mixture.balance().then(|| mixture.shares())
            }
            Mixture::Multilinear(mixture) => mixture.follow(t, x, &self.shares)?,
        };
        match found {
            Some(shares) => {
                self.shares = shares;
                Ok(())
            }
            None => Err(EvalError::Recoverable(Fault {
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

    /// The crossing functions of carried relations in the mixture, with the present shares.
    pub fn carry(&mut self, t: f64, x: &[f64], z: &mut [f64]) -> Eval {
        match &mut self.mixture {
            Mixture::Affine(mixture) if !self.carried.is_empty() => mixture.carry(t, x, z),
            _ => Ok(()),
        }
    }

    /// Moves the states onto the surfaces.
    pub fn settle(&mut self, t: f64, x: &mut [f64]) -> Eval {
        match &mut self.mixture {
            Mixture::Affine(mixture) => mixture.settle(t, x),
            Mixture::Multilinear(_) => Ok(()),
        }
    }

    /// Are the shares one choice of several that lead to the same motion?
    pub fn is_open(&self) -> bool {
        matches!(&self.mixture, Mixture::Affine(mixture) if mixture.is_open())
    }

    /// Is a share so near its limit that only what follows tells whether its surface holds?
    pub fn is_tied(&self) -> bool {
        matches!(&self.mixture, Mixture::Affine(mixture) if mixture.is_tied())
    }

    /// Functions that are positive as long as each surface holds the motion: of its end below, and of its end above.
    pub fn margins(&self, exits: &mut [f64]) {
        for (k, pair) in exits.chunks_exact_mut(2).take(self.relations.len()).enumerate() {
            let margins = match &self.mixture {
                Mixture::Affine(mixture) => mixture.margins(k),
                Mixture::Multilinear(_) => [self.shares[k], 1.0 - self.shares[k]],
            };
            pair.copy_from_slice(&margins);
        }
    }

    /// The motion with the present shares.
    pub fn mix(&self, dx: &mut [f64]) {
        match &self.mixture {
            Mixture::Affine(mixture) => mixture.mix(dx),
            Mixture::Multilinear(mixture) => mixture.mix(&self.shares, dx),
        }
    }

    /// Variables that the sides have different values for, mixed: the equivalent control among them.
    pub fn show(&mut self, t: f64, x: &[f64], slots: &[u32], values: &mut [f64]) -> Eval {
        self.follow(t, x)?;
        match &mut self.mixture {
            Mixture::Affine(mixture) => mixture.show(t, x, slots, values),
            Mixture::Multilinear(mixture) => mixture.show(t, x, &self.shares, slots, values),
        }
    }
}
