//! Motion along a switching surface: between two modes that both push towards it, or held by recurring impacts.

use crate::pinned::Pinned;
use crate::side::Side;
use crate::sliding::{Slide, rates};
use kairos_machine::{Eval, EvalError, Fault, Machine};
use kairos_numerics as numerics;
use kairos_numerics::integrate::Ode;
use kairos_numerics::linear::{Dense, DenseLu};
use serde::{Deserialize, Serialize};

/// The margin with which a share begins at least, and how far it may begin beyond its limit by round-off.
const LEAST: f64 = 1e-9;
const TIE: f64 = 1e-6;
/// The time in which what is held comes back to its surface, in distances of difference quotients.
const SOFT: f64 = 100.0;
/// A speed that settling has brought to zero is at most this, beside impacts of size one.
const STILL: f64 = 1e-8;

/// A mode that the equations of no single branch describe.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Surface {
    pub kind: SurfaceKind,
    /// The distance in time for difference quotients.
    far: f64,
    slopes: [Vec<f64>; 3],
    forces: Vec<f64>,
    /// What is added to the functions of the ends: a share that begins at its limit has yet to leave it.
    bias: Vec<f64>,
    pub fault: Option<Fault>,
}

#[derive(Clone, Serialize, Deserialize)]
pub(crate) enum SurfaceKind {
    /// All sides push towards the surface, or the intersection of several.
    Sliding(Slide),
    /// Limits of ever smaller impacts: their directions carry the forces that keep the surfaces.
    Held(Held),
    /// The limit of ever quicker switching.
    Pinned(Pinned),
}

/// Contacts that impacts have closed.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Held {
    pub contacts: Vec<Contact>,
    /// Relations whose functions are at zero as long as the contacts are closed, as those of relative speeds.
    pub resting: Vec<u32>,
}

/// A crossing function held at zero by a force along the direction of its impacts.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Contact {
    pub relation: u32,
    pub direction: Vec<f64>,
}

impl Surface {
    pub fn new(kind: SurfaceKind, machine: &dyn Machine, range: f64) -> Self {
        let n = machine.info().states.len();
        let zeros = || vec![0.0; n];
        Self {
            kind,
            far: 1e-4 * range,
            slopes: [zeros(), zeros(), zeros()],
            forces: Vec::new(),
            bias: Vec::new(),
            fault: None,
        }
    }

    /// The machines that it consists of.
    pub fn visit_sides(&mut self, visit: &mut dyn FnMut(&mut Side)) {
        match &mut self.kind {
            SurfaceKind::Sliding(slide) => slide.visit_sides(visit),
            SurfaceKind::Held(_) => {}
            SurfaceKind::Pinned(pinned) => pinned.visit_sides(visit),
        }
    }

    /// The relations that are not watched while the mode lasts.
    pub fn relations(&self) -> Vec<u32> {
        match &self.kind {
            SurfaceKind::Sliding(slide) => slide.silent.clone(),
            SurfaceKind::Held(held) => held
                .contacts
                .iter()
                .map(|contact| contact.relation)
                .chain(held.resting.iter().copied())
                .collect(),
            SurfaceKind::Pinned(pinned) => pinned.relations.clone(),
        }
    }

    /// How many functions `exits` writes.
    pub fn exit_count(&self) -> usize {
        match &self.kind {
            SurfaceKind::Sliding(slide) => 2 * slide.relations.len(),
            SurfaceKind::Held(held) => held.contacts.len(),
            SurfaceKind::Pinned(pinned) => pinned.exit_count(),
        }
    }

    /// Functions that are positive as long as the mode lasts: of a contact its force, of a surface the shares of the
    /// sides above and below it.
    pub fn exits(&mut self, machine: &mut dyn Machine, t: f64, x: &[f64], exits: &mut [f64]) -> Eval {
        match &mut self.kind {
            SurfaceKind::Sliding(slide) => match slide.follow(t, x) {
                Ok(()) => {
                    slide.margins(exits);
                    exits.iter_mut().zip(&self.bias).for_each(|(exit, bias)| *exit += bias);
                }
                // No mixture stays on the surfaces any more.
                Err(EvalError::Recoverable(_)) => exits[..2 * slide.relations.len()].fill(-1.0),
                Err(fatal) => return Err(fatal),
            },
            SurfaceKind::Held(held) => {
                let count = held.contacts.len();
                self.solve_forces(machine, t, x)?;
                exits[..count].copy_from_slice(&self.forces[..count]);
            }
            SurfaceKind::Pinned(pinned) => pinned.exits(machine, t, x, exits)?,
        }
        Ok(())
    }

    /// Crossing functions in the mixture of sides, after `exits` has looked at the same point.
    pub fn carry(&mut self, t: f64, x: &[f64], z: &mut [f64]) -> Eval {
        match &mut self.kind {
            SurfaceKind::Sliding(slide) => slide.carry(t, x, z),
            SurfaceKind::Held(_) | SurfaceKind::Pinned(_) => Ok(()),
        }
    }

    /// Relations that keep their values at events because the mixture decides them.
    pub fn carried(&self) -> &[u32] {
        match &self.kind {
            SurfaceKind::Sliding(slide) => &slide.carried,
            SurfaceKind::Held(_) | SurfaceKind::Pinned(_) => &[],
        }
    }

    /// The motion begins here: no share has come to its end yet.
    pub fn begin(&mut self, machine: &mut dyn Machine, t: f64, x: &[f64]) -> Eval {
        if let SurfaceKind::Sliding(_) = &self.kind {
            let mut margins = vec![0.0; self.exit_count()];
            self.bias.clear();
            self.exits(machine, t, x, &mut margins)?;
            self.bias.extend(margins.iter().map(|margin| (LEAST - margin).clamp(0.0, TIE)));
        }
        Ok(())
    }

    /// The motion along the surface.
    pub fn slope(&mut self, machine: &mut dyn Machine, t: f64, x: &[f64], dx: &mut [f64]) -> Eval {
        match &mut self.kind {
            SurfaceKind::Sliding(slide) => {
                slide.follow(t, x)?;
                slide.mix(dx);
            }
            SurfaceKind::Pinned(pinned) => pinned.slope(machine, t, x, dx)?,
            SurfaceKind::Held(_) => {
                self.solve_forces(machine, t, x)?;
                dx.copy_from_slice(&self.slopes[0]);
                let SurfaceKind::Held(held) = &self.kind else { return Ok(()) };
                for (contact, force) in held.contacts.iter().zip(&self.forces) {
                    dx.iter_mut().zip(&contact.direction).for_each(|(dx, d)| *dx += force * d);
                }
            }
        }
        Ok(())
    }

    /// The forces along the impacts' directions that keep the crossing functions at rest. What errors have moved comes back
    /// slowly (Baumgarte).
    fn solve_forces(&mut self, machine: &mut dyn Machine, t: f64, x: &[f64]) -> Eval {
        let SurfaceKind::Held(held) = &self.kind else { return Ok(()) };
        let contacts = held.contacts.clone();
        let mut slope = std::mem::take(&mut self.slopes[0]);
        let mut z = vec![0.0; machine.info().relations.len()];
        let (far, soft) = (self.far, self.far * SOFT);
        let done = machine.derivatives_at(t, x, &mut slope).and_then(|()| {
            machine.crossings_at(t, x, &mut z)?;
            self.balance(machine, t, x, &contacts, |surface, machine, r| {
                // Of fourth order: what is held may move quickly.
                let mut quotient = |by: f64| {
                    let free = Direction { along: &slope, by, time: by };
                    surface.acceleration(machine, t, x, &free, r)
                };
                let (near, wide) = (quotient(far)?, quotient(2.0 * far)?);
                let speed = surface.speed(machine, t, x, r)?;
                Ok((4.0 * near - wide) / 3.0 + 2.0 * speed / soft + z[r] / (soft * soft))
            })
        });
        self.slopes[0] = slope;
        done
    }

    /// Solves for the factors of the directions that undo what `demand` finds for each contact.
    fn balance(
        &mut self,
        machine: &mut dyn Machine,
        t: f64,
        x: &[f64],
        contacts: &[Contact],
        mut demand: impl FnMut(&mut Self, &mut dyn Machine, usize) -> Eval<f64>,
    ) -> Eval {
        let count = contacts.len();
        let mut matrix = Dense::new(count, count);
        self.forces.resize(count, 0.0);
        for (i, contact) in contacts.iter().enumerate() {
            let r = contact.relation as usize;
            self.forces[i] = -demand(self, machine, r)?;
            for (j, other) in contacts.iter().enumerate() {
                let push = Direction { along: &other.direction, by: self.far, time: 0.0 };
                matrix[(i, j)] = self.acceleration(machine, t, x, &push, r)?;
            }
        }
        let mut factors = DenseLu::<f64>::new(count);
        match factors.factor(&matrix) {
            Ok(()) => factors.solve(&mut self.forces),
            Err(_) => self.forces.fill(0.0),
        }
        Ok(())
    }

    /// The change of a crossing function's rate along a direction in the space of states and time.
    fn acceleration(
        &mut self,
        machine: &mut dyn Machine,
        t: f64,
        x: &[f64],
        direction: &Direction,
        relation: usize,
    ) -> Eval<f64> {
        let mut place = std::mem::take(&mut self.slopes[1]);
        let mut side = |sign: f64, surface: &mut Self| {
            for ((p, x), d) in place.iter_mut().zip(x).zip(direction.along) {
                *p = x + sign * direction.by * d;
            }
            surface.speed(machine, t + sign * direction.time, &place, relation)
        };
        let both = side(1.0, self).and_then(|after| Ok(after - side(-1.0, self)?));
        self.slopes[1] = place;
        Ok(both? / (2.0 * direction.by))
    }

    /// How fast a crossing function changes under the machine's own equations.
    fn speed(&mut self, machine: &mut dyn Machine, t: f64, x: &[f64], relation: usize) -> Eval<f64> {
        let slope = &mut self.slopes[2];
        machine.derivatives_at(t, x, slope)?;
        let mut rate = [0.0];
        rates(machine, t, x, slope, true, &[relation as u32], &mut rate)?;
        Ok(rate[0])
    }

    /// How fast the crossing function of a contact goes where its impacts send it.
    pub fn leaving(&mut self, machine: &mut dyn Machine, t: f64, x: &[f64], contact: usize) -> Eval<f64> {
        let SurfaceKind::Held(held) = &self.kind else { return Ok(0.0) };
        let Contact { relation, direction } = held.contacts[contact].clone();
        let push = Direction { along: &direction, by: self.far, time: 0.0 };
        let sense = self.acceleration(machine, t, x, &push, relation as usize)?.signum();
        Ok(sense * self.speed(machine, t, x, relation as usize)?)
    }

    /// Moves the states onto the surfaces. What impacts have closed is closed first, along the motion that a speed in the direction
    /// of each impact brings about; then the states move along the directions of the impacts until nothing opens or closes.
    pub fn settle(&mut self, machine: &mut dyn Machine, t: f64, x: &mut [f64]) -> Eval {
        match &mut self.kind {
            SurfaceKind::Pinned(pinned) => return pinned.settle(machine, t, x),
            SurfaceKind::Sliding(slide) => return slide.settle(t, x),
            SurfaceKind::Held(_) => {}
        }
        let SurfaceKind::Held(held) = &self.kind else { return Ok(()) };
        let contacts = held.contacts.clone();
        for _ in 0..3 {
            self.close(machine, t, x, &contacts)?;
            let here = x.to_vec();
            self.balance(machine, t, &here, &contacts, |surface, machine, r| {
                surface.speed(machine, t, &here, r)
            })?;
            for (contact, by) in contacts.iter().zip(&self.forces) {
                x.iter_mut().zip(&contact.direction).for_each(|(x, d)| *x += by * d);
            }
        }
        Ok(())
    }

    /// Moves the states so that the crossing functions of contacts are zero.
    fn close(&mut self, machine: &mut dyn Machine, t: f64, x: &mut [f64], contacts: &[Contact]) -> Eval {
        let (count, by) = (contacts.len(), self.far);
        let mut z = vec![0.0; machine.info().relations.len()];
        machine.crossings_at(t, x, &mut z)?;
        self.forces.clear();
        self.forces.extend(contacts.iter().map(|contact| -z[contact.relation as usize]));
        let mut place = x.to_vec();
        let mut ways = Vec::new();
        for contact in contacts {
            let mut way = vec![0.0; x.len()];
            for by in [by, -by] {
                place.iter_mut().zip(&*x).zip(&contact.direction).for_each(|((p, x), d)| *p = x + by * d);
                machine.derivatives_at(t, &place, &mut self.slopes[2])?;
                way.iter_mut().zip(&self.slopes[2]).for_each(|(way, slope)| *way += slope / (2.0 * by));
            }
            ways.push(way);
        }
        let relations: Vec<u32> = contacts.iter().map(|contact| contact.relation).collect();
        let mut matrix = Dense::new(count, count);
        let mut rate = vec![0.0; count];
        for (j, way) in ways.iter().enumerate() {
            rates(machine, t, x, way, false, &relations, &mut rate)?;
            rate.iter().enumerate().for_each(|(i, rate)| matrix[(i, j)] = *rate);
        }
        let mut factors = DenseLu::<f64>::new(count);
        if factors.factor(&matrix).is_err() {
            return Ok(());
        }
        factors.solve(&mut self.forces);
        for (way, by) in ways.iter().zip(&self.forces) {
            x.iter_mut().zip(way).for_each(|(x, d)| *x += by * d);
        }
        Ok(())
    }

    /// Finds the relations that are at zero as long as the contacts are closed: moving along an impact moves their functions.
    pub fn find_resting(&mut self, machine: &mut dyn Machine, t: f64, x: &[f64], searched: &[u32]) -> Eval {
        let SurfaceKind::Held(held) = &self.kind else { return Ok(()) };
        let contacts = held.contacts.clone();
        let mut z = vec![0.0; machine.info().relations.len()];
        machine.crossings_at(t, x, &mut z)?;
        let mut rate = vec![0.0; searched.len()];
        let mut most = vec![0.0f64; searched.len()];
        for contact in &contacts {
            rates(machine, t, x, &contact.direction, false, searched, &mut rate)?;
            most.iter_mut().zip(&rate).for_each(|(most, rate)| *most = most.max(rate.abs()));
        }
        let mut slope = vec![0.0; x.len()];
        self.slope(machine, t, x, &mut slope)?;
        rates(machine, t, x, &slope, true, searched, &mut rate)?;
        let rests = |k: &usize| {
            most[*k] > 0.0
                && z[searched[*k] as usize].abs() <= STILL * most[*k]
                && rate[*k].abs() <= 1e-3 * most[*k]
        };
        let resting = (0..searched.len()).filter(rests).map(|k| searched[k]);
        let resting = resting.filter(|r| contacts.iter().all(|contact| contact.relation != *r)).collect();
        if let SurfaceKind::Held(held) = &mut self.kind {
            held.resting = resting;
        }
        Ok(())
    }
}

struct Direction<'a> {
    along: &'a [f64],
    by: f64,
    time: f64,
}

/// The motion along a surface as an integrator sees it.
pub(crate) struct SurfaceSystem<'a> {
    pub surface: &'a mut Surface,
    pub machine: &'a mut dyn Machine,
}

impl Ode for SurfaceSystem<'_> {
    fn dimension(&self) -> usize {
        self.machine.info().states.len()
    }

    fn rhs(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), numerics::Eval> {
        match self.surface.slope(self.machine, t, x, dx) {
            Ok(()) if dx.iter().all(|d| d.is_finite()) => Ok(()),
            Ok(()) => Err(numerics::Eval::Recoverable(0)),
            Err(EvalError::Recoverable(fault)) => {
                self.surface.fault = Some(fault);
                Err(numerics::Eval::Recoverable(0))
            }
            Err(EvalError::Fatal(fault)) => {
                self.surface.fault = Some(fault);
                Err(numerics::Eval::Fatal(0))
            }
        }
    }
}
