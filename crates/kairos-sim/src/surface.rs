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
    Held(Vec<Contact>),
    /// The limit of ever quicker switching.
    Pinned(Pinned),
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
            SurfaceKind::Held(contacts) => contacts.iter().map(|contact| contact.relation).collect(),
            SurfaceKind::Pinned(pinned) => pinned.relations.clone(),
        }
    }

    /// How many functions `exits` writes.
    pub fn exit_count(&self) -> usize {
        match &self.kind {
            SurfaceKind::Sliding(slide) => 2 * slide.relations.len(),
            SurfaceKind::Held(contacts) => contacts.len(),
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
            SurfaceKind::Held(contacts) => {
                let count = contacts.len();
                self.solve_forces(machine, t, x)?;
                exits[..count].copy_from_slice(&self.forces[..count]);
            }
            SurfaceKind::Pinned(pinned) => pinned.exits(machine, t, x, exits)?,
        }
        Ok(())
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
                let SurfaceKind::Held(contacts) = &self.kind else { return Ok(()) };
                for (contact, force) in contacts.iter().zip(&self.forces) {
                    dx.iter_mut().zip(&contact.direction).for_each(|(dx, d)| *dx += force * d);
                }
            }
        }
        Ok(())
    }

    /// The forces along the impacts' directions that keep the crossing functions at rest.
    fn solve_forces(&mut self, machine: &mut dyn Machine, t: f64, x: &[f64]) -> Eval {
        let contacts = match &mut self.kind {
            SurfaceKind::Held(contacts) => std::mem::take(contacts),
            SurfaceKind::Sliding(_) | SurfaceKind::Pinned(_) => return Ok(()),
        };
        let mut slope = std::mem::take(&mut self.slopes[0]);
        let done = machine.derivatives_at(t, x, &mut slope).and_then(|()| {
            let free = Direction { along: &slope, by: self.far, time: self.far };
            self.balance(machine, t, x, &contacts, |surface, machine, r| {
                surface.acceleration(machine, t, x, &free, r)
            })
        });
        self.slopes[0] = slope;
        self.kind = SurfaceKind::Held(contacts);
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
        let SurfaceKind::Held(contacts) = &self.kind else { return Ok(0.0) };
        let Contact { relation, direction } = contacts[contact].clone();
        let push = Direction { along: &direction, by: self.far, time: 0.0 };
        let sense = self.acceleration(machine, t, x, &push, relation as usize)?.signum();
        Ok(sense * self.speed(machine, t, x, relation as usize)?)
    }

    /// Moves the states along the directions of the impacts until the crossing functions rest.
    pub fn settle(&mut self, machine: &mut dyn Machine, t: f64, x: &mut [f64]) -> Eval {
        match &mut self.kind {
            SurfaceKind::Pinned(pinned) => return pinned.settle(machine, t, x),
            SurfaceKind::Sliding(slide) => return slide.settle(t, x),
            SurfaceKind::Held(_) => {}
        }
        for _ in 0..3 {
            let SurfaceKind::Held(contacts) = &self.kind else { return Ok(()) };
            let contacts = contacts.clone();
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
