//! Relations beside a motion along surfaces whose functions differ between the sides.
//!
//! A locked clutch lets go where its torque is too large. If a brake that slides on the zero of a speed is part of what the torque
//! follows from, neither side of that surface has the torque that there is: the mixture has. Such *carried* relations keep their
//! values when the sides of a surface are made, their crossing functions are those of the mixture, and an event in which one of them
//! changes is evaluated with all of them as the mixture says, because the machine stands on one side. Relations that switch
//! with a surface are no such: they belong to its sides.
//!
//! Invariant: after an instant every carried relation has the value that its function in the mixture gives it.

use crate::sliding;
use crate::supervisor::Run;
use crate::surface::{Surface, SurfaceKind};
use crate::{EventKind, SimError};

/// Changes of carried relations at one instant before they count as endless.
const ROUNDS: usize = 50;

impl Run<'_> {
    /// Lets relations of a sliding motion that ends here keep what the mixture says of them, with those that have been hit on
    /// their new side.
    pub fn keep_carried(&mut self, carried: &[u32]) {
        let (info, held) = (self.machine.info(), self.machine.relations());
        let hits = self.hits();
        let value = |&r: &u32| match hits.iter().find(|(hit, _)| *hit == r) {
            Some((_, up)) => (r, *up == (info.relations[r as usize].true_side > 0)),
            None => (r, held[r as usize]),
        };
        self.carried = carried.iter().map(value).collect();
    }

    /// As `slide_along`, but functions that rest on zero because neither of two opposite relations holds (a locked clutch is neither ahead nor
    /// back) are left there first: whether the lock bears what is asked of it depends on the mixture.
    pub fn slide_beside_rest(
        &mut self,
        edges: Vec<u32>,
        recurring: bool,
    ) -> Result<Option<Vec<u32>>, SimError> {
        let resting = sliding::between(&mut *self.machine, self.t, &self.x, &edges).unwrap_or_default();
        let moving: Vec<u32> = edges.iter().copied().filter(|r| !resting.contains(r)).collect();
        if !resting.is_empty() && !moving.is_empty() {
            self.machine.set_time(self.t);
            self.machine.set_states(&self.x);
            if let Some(found) = self.slide_along(None, moving, &[], false)?
                && !found.is_empty()
            {
                let decided = !self.carried.is_empty();
                if !decided {
                    self.follow_carried()?;
                }
                if decided || !self.watch.goes_astray() {
                    return Ok(Some(self.sliding()));
                }
                self.surface = None;
                self.resume_plain()?;
            }
        }
        self.machine.set_time(self.t);
        self.machine.set_states(&self.x);
        self.slide_along(None, edges, &[], recurring)
    }

    /// The surfaces that hold the motion.
    pub fn sliding(&self) -> Vec<u32> {
        match &self.surface {
            Some(Surface { kind: SurfaceKind::Sliding(slide), .. }) => slide.relations.clone(),
            _ => Vec::new(),
        }
    }

    /// After an instant: carried relations that contradict the mixture change, each time followed by all that depends on them.
    pub fn follow_carried(&mut self) -> Result<(), SimError> {
        self.refuse_without_pins()?;
        for _ in 0..ROUNDS {
            let wrong = self.carried_wrong()?;
            if wrong.is_empty() {
                return Ok(());
            }
            let Some(Surface { kind: SurfaceKind::Sliding(slide), .. }) = self.surface.take() else {
                return Ok(());
            };
            let held = self.machine.relations();
            let value = |&r: &u32| (r, held[r as usize] != wrong.contains(&r));
            self.carried = slide.carried.iter().map(value).collect();
            self.slid = slide.relations;
            self.resume_plain()?;
            let restart = self.happen(EventKind::State)?;
            self.resume(restart)?;
            self.slide_on(None, Vec::new())?;
        }
        let wrong = self.carried_wrong()?;
        match wrong.first() {
            Some(&relation) => Err(self.chattering(relation)),
            None => Ok(()),
        }
    }

    /// A machine behind the plain interface evaluates relations as its side has them: what the mixture says could not reach it.
    fn refuse_without_pins(&mut self) -> Result<(), SimError> {
        let carried = match &self.surface {
            Some(surface) if !self.machine.can_pin() => surface.carried().to_vec(),
            _ => Vec::new(),
        };
        if carried.is_empty() {
            return Ok(());
        }
        let text = "conditions depend on a motion along a switching surface, and this machine evaluates one side of it only";
        Err(self.several_surfaces(text.into(), &carried))
    }

    /// The carried relations whose functions in the mixture say otherwise.
    fn carried_wrong(&mut self) -> Result<Vec<u32>, SimError> {
        let Some(surface) = &mut self.surface else { return Ok(Vec::new()) };
        if surface.carried().is_empty() {
            return Ok(Vec::new());
        }
        let carried = surface.carried().to_vec();
        let mut z = vec![0.0; self.machine.info().relations.len()];
        let mut exits = vec![0.0; surface.exit_count()];
        let seen = surface
            .exits(&mut *self.machine, self.t, &self.x, &mut exits)
            .and_then(|()| surface.carry(self.t, &self.x, &mut z));
        seen.map_err(|e| SimError::evaluation(self.t, e))?;
        self.machine.set_time(self.t);
        self.machine.set_states(&self.x);
        let (info, held) = (self.machine.info(), self.machine.relations());
        let wrong = |r: &u32| {
            let (z, side) = (z[*r as usize], info.relations[*r as usize].true_side);
            let above = (z > 0.0) == (side > 0);
            z.abs() > self.watch.round_off_of(*r) && side != 0 && above != held[*r as usize]
        };
        Ok(carried.into_iter().filter(wrong).collect())
    }
}
