//! Motion along a switching surface: between two modes that both push towards it, or held by recurring impacts.

use kairos_code::{Eval, EvalError, Fault, Machine};
use kairos_numerics as numerics;
use kairos_numerics::integrate::Ode;
use kairos_numerics::linear::{Dense, DenseLu};

/// So many functions at most tell the end of a mode.
pub(crate) const EXITS: usize = 16;

/// A mode that the equations of no single branch describe.
pub(crate) struct Surface {
    pub kind: SurfaceKind,
    /// Distances in time for difference quotients.
    near: f64,
    far: f64,
    slopes: [Vec<f64>; 4],
    forces: Vec<f64>,
    probe: Vec<f64>,
    z: Vec<f64>,
    pub fault: Option<Fault>,
}

pub(crate) enum SurfaceKind {
    /// Filippov: the convex combination of both sides that stays on the surface. The machine itself is one side.
    Sliding { relation: u32, above: Box<dyn Machine>, below: Box<dyn Machine> },
    /// Limits of ever smaller impacts: their directions carry the forces that keep the surfaces.
    Held(Vec<Contact>),
}

/// A crossing function held at zero by a force along the direction of its impacts.
#[derive(Clone)]
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
            near: 1e-6 * range,
            far: 1e-4 * range,
            slopes: [zeros(), zeros(), zeros(), zeros()],
            forces: Vec::new(),
            probe: zeros(),
            z: vec![0.0; machine.info().relations.len()],
            fault: None,
        }
    }

    /// The relations that are not watched while the mode lasts.
    pub fn relations(&self) -> Vec<u32> {
        match &self.kind {
            SurfaceKind::Sliding { relation, .. } => vec![*relation],
            SurfaceKind::Held(contacts) => contacts.iter().map(|contact| contact.relation).collect(),
        }
    }

    /// How many functions `exits` writes.
    pub fn exit_count(&self) -> usize {
        match &self.kind {
            SurfaceKind::Sliding { .. } => 2,
            SurfaceKind::Held(contacts) => contacts.len(),
        }
    }

    /// Functions that are positive as long as the mode lasts: of a contact its force, of sliding the push from above
    /// and from below.
    pub fn exits(&mut self, machine: &mut dyn Machine, t: f64, x: &[f64], exits: &mut [f64]) -> Eval {
        match &self.kind {
            SurfaceKind::Sliding { .. } => {
                let (above, below) = self.rates(t, x)?;
                (exits[0], exits[1]) = (-above, below);
            }
            SurfaceKind::Held(contacts) => {
                let count = contacts.len();
                self.solve_forces(machine, t, x)?;
                exits[..count].copy_from_slice(&self.forces[..count]);
            }
        }
        Ok(())
    }

    /// The motion along the surface.
    pub fn slope(&mut self, machine: &mut dyn Machine, t: f64, x: &[f64], dx: &mut [f64]) -> Eval {
        match &self.kind {
            SurfaceKind::Sliding { .. } => {
                let (above, below) = self.rates(t, x)?;
                let share = if below > above { (below / (below - above)).clamp(0.0, 1.0) } else { 0.5 };
                let [up, down, ..] = &self.slopes;
                for ((dx, up), down) in dx.iter_mut().zip(up).zip(down) {
                    *dx = share * up + (1.0 - share) * down;
                }
            }
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

    /// How fast the crossing function changes under the equations of either side.
    fn rates(&mut self, t: f64, x: &[f64]) -> Eval<(f64, f64)> {
        let Self { kind, slopes, probe, z, near, .. } = self;
        let SurfaceKind::Sliding { relation, above, below } = kind else { return Ok((0.0, 0.0)) };
        let r = *relation as usize;
        let [up, down, ..] = slopes;
        derivatives(above.as_mut(), t, x, up)?;
        derivatives(below.as_mut(), t, x, down)?;
        let above = rate(above.as_mut(), t, x, up, *near, probe, z, r)?;
        let below = rate(below.as_mut(), t, x, down, *near, probe, z, r)?;
        Ok((above, below))
    }

    /// The forces along the impacts' directions that keep the crossing functions at rest.
    fn solve_forces(&mut self, machine: &mut dyn Machine, t: f64, x: &[f64]) -> Eval {
        let contacts = match &mut self.kind {
            SurfaceKind::Held(contacts) => std::mem::take(contacts),
            SurfaceKind::Sliding { .. } => return Ok(()),
        };
        let mut slope = std::mem::take(&mut self.slopes[0]);
        let done = derivatives(machine, t, x, &mut slope).and_then(|()| {
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
        let Self { slopes, probe, z, near, .. } = self;
        let slope = &mut slopes[2];
        derivatives(machine, t, x, slope)?;
        rate(machine, t, x, slope, *near, probe, z, relation)
    }

    /// Moves the states along the directions of the impacts until the crossing functions rest.
    pub fn settle(&mut self, machine: &mut dyn Machine, t: f64, x: &mut [f64]) -> Eval {
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

fn derivatives(machine: &mut dyn Machine, t: f64, x: &[f64], dx: &mut [f64]) -> Eval {
    machine.set_time(t);
    machine.set_states(x);
    machine.derivatives(dx)
}

/// The rate of a crossing function along a direction, by a central difference.
fn rate(
    machine: &mut dyn Machine,
    t: f64,
    x: &[f64],
    along: &[f64],
    by: f64,
    probe: &mut [f64],
    z: &mut [f64],
    relation: usize,
) -> Eval<f64> {
    let mut side = |by: f64| -> Eval<f64> {
        for ((p, x), d) in probe.iter_mut().zip(x).zip(along) {
            *p = x + by * d;
        }
        machine.set_time(t + by);
        machine.set_states(probe);
        machine.crossings(z)?;
        Ok(z[relation])
    };
    Ok((side(by)? - side(-by)?) / (2.0 * by))
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
