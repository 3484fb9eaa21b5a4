//! Entering and leaving modes along switching surfaces.

use crate::recurrence::Recurrence;
use crate::separate::Solvers;
use crate::supervisor::Run;
use crate::surface::{Contact, EXITS, Surface, SurfaceKind, SurfaceSystem};
use crate::{Cause, EventKind, EventRecord, SimError, SlidingAction, ZenoAction};
use kairos_code::Machine;

impl Run<'_> {
    /// At a hit of the search: ends what has come to its end. Gives the first relation that was hit, with the
    /// direction of its function.
    pub fn leave_surfaces(&mut self) -> Result<Option<(u32, bool)>, SimError> {
        let relations = self.machine.info().relations.len() as u32;
        let cause = self.watch.hits().find(|(r, _)| *r < relations);
        let ended: Vec<usize> = self
            .watch
            .hits()
            .filter(|(r, _)| *r >= relations)
            .map(|(r, _)| (r - relations) as usize)
            .collect();
        let sliding = matches!(&self.surface, Some(Surface { kind: SurfaceKind::Sliding { .. }, .. }));
        if sliding || !ended.is_empty() {
            self.solver.at(self.t, &mut self.x);
            self.machine.set_time(self.t);
            self.machine.set_states(&self.x);
            self.leave(&ended)?;
        }
        Ok(cause)
    }

    /// Ends a sliding mode, or the given contacts.
    fn leave(&mut self, ended: &[usize]) -> Result<(), SimError> {
        let Some(surface) = self.surface.take() else { return Ok(()) };
        let (kind, left, kept) = match surface.kind {
            SurfaceKind::Sliding { relation, .. } => (EventKind::SlidingExit, vec![relation], Vec::new()),
            SurfaceKind::Held(contacts) => {
                let (mut left, mut kept) = (Vec::new(), Vec::new());
                for (k, contact) in contacts.into_iter().enumerate() {
                    match ended.contains(&k) {
                        true => left.push(contact.relation),
                        false => kept.push(contact),
                    }
                }
                (EventKind::ZenoExit, left, kept)
            }
        };
        for relation in left {
            self.announce(kind, relation, "left", String::new())?;
        }
        match kept.is_empty() {
            true => self.resume_plain(),
            false => self.enter(SurfaceKind::Held(kept)),
        }
    }

    fn resume_plain(&mut self) -> Result<(), SimError> {
        if let Some(solver) = self.parked.take() {
            let surface_solver = std::mem::replace(&mut self.solver, solver);
            surface_solver.effort(&mut self.summary);
        }
        self.watch.relations.clone_from(&self.searched);
        self.solver.restart(self.t, &self.x, self.machine);
        self.history.calm();
        self.rearm()
    }

    /// After an event: is it one of a series that has a limit?
    pub fn recur(
        &mut self,
        cause: Option<(u32, bool)>,
        left: Option<Box<dyn Machine>>,
    ) -> Result<(), SimError> {
        if self.surface.is_some() && self.outcome.affected {
            self.revise(true)?;
        }
        let Some((relation, up)) = cause else { return Ok(()) };
        if !self.outcome.changed {
            return Ok(());
        }
        let range = self.options.stop - self.options.start;
        let scale = self.t.abs().max(1e-3 * range);
        let mode = self.iteration.mode(self.machine);
        let jumped = self.outcome.jumped;
        match self.history.note(relation, self.t, scale, jumped, mode) {
            Recurrence::None => Ok(()),
            Recurrence::Sliding(_) if self.options.sliding == SlidingAction::Off => Ok(()),
            Recurrence::Sliding(relation) => match left {
                Some(left) => self.slide(relation, up, left),
                None => Ok(()),
            },
            Recurrence::Zeno(relation, limit) => self.hold(relation, limit),
            Recurrence::Chattering(relation) => Err(self.chattering(relation)),
        }
    }

    /// Contacts whose force has turned end; so does sliding if an event has changed the equations under it.
    fn revise(&mut self, changed: bool) -> Result<(), SimError> {
        let relations = self.machine.info().relations.len();
        let count = self.surface.as_ref().map_or(0, Surface::exit_count);
        let ended: Vec<usize> = (0..count).filter(|k| self.watch.z[relations + k] <= 0.0).collect();
        let sliding = matches!(&self.surface, Some(Surface { kind: SurfaceKind::Sliding { .. }, .. }));
        if sliding && changed || !ended.is_empty() { self.leave(&ended) } else { Ok(()) }
    }

    /// Goes on along a surface towards which both sides push.
    fn slide(&mut self, relation: u32, up: bool, left: Box<dyn Machine>) -> Result<(), SimError> {
        let right = self.machine.clone_machine();
        let (above, below) = if up { (right, left) } else { (left, right) };
        let kind = SurfaceKind::Sliding { relation, above, below };
        let mut surface = Surface::new(kind, self.machine, self.options.stop - self.options.start);
        let mut exits = [0.0; EXITS];
        let probed = surface.exits(self.machine, self.t, &self.x, &mut exits);
        self.machine.set_time(self.t);
        self.machine.set_states(&self.x);
        if probed.is_err() || exits[0] <= 0.0 || exits[1] <= 0.0 {
            return Ok(());
        }
        if self.surface.is_some() {
            return Err(self.several_surfaces(&[relation]));
        }
        if let Some(other) = self.other_surface(&mut surface, relation, &exits)? {
            return Err(self.several_surfaces(&[relation, other]));
        }
        self.announce(EventKind::SlidingEnter, relation, "sliding", String::new())?;
        self.enter(surface.kind)
    }

    /// A relation that differs between the two sides and belongs to another surface: its function does not change in
    /// proportion to that of the first.
    fn other_surface(
        &mut self,
        surface: &mut Surface,
        relation: u32,
        exits: &[f64],
    ) -> Result<Option<u32>, SimError> {
        let SurfaceKind::Sliding { above, below, .. } = &surface.kind else { return Ok(None) };
        let differ = |k: &u32| above.relations()[*k as usize] != below.relations()[*k as usize];
        let close = |k: &u32| *k != relation && self.watch.is_close(*k);
        let others: Vec<u32> = self.searched.iter().copied().filter(close).filter(differ).collect();
        for other in others {
            let SurfaceKind::Sliding { above, below, .. } = &surface.kind else { return Ok(None) };
            let (above, below) = (above.clone_machine(), below.clone_machine());
            let kind = SurfaceKind::Sliding { relation: other, above, below };
            let mut probe = Surface::new(kind, self.machine, self.options.stop - self.options.start);
            let mut rates = [0.0; EXITS];
            let probed = probe.exits(self.machine, self.t, &self.x, &mut rates);
            self.machine.set_time(self.t);
            self.machine.set_states(&self.x);
            let size = (exits[0].abs() + exits[1].abs()) * (rates[0].abs() + rates[1].abs());
            let apart = (exits[0] * rates[1] - exits[1] * rates[0]).abs() > 1e-6 * size;
            if probed.is_ok() && apart {
                return Ok(Some(other));
            }
        }
        Ok(None)
    }

    fn several_surfaces(&self, relations: &[u32]) -> SimError {
        let text =
            "the motion is held on several switching surfaces at once, which is not supported".to_string();
        let mut error = SimError::new("several-surfaces", self.t, text);
        error.places.extend(relations.iter().map(|&relation| self.place(relation)));
        error.help.push("give one of the switches a hysteresis or a steep continuous characteristic".into());
        error
    }

    /// Goes on from the limit of ever smaller impacts, or stops there.
    fn hold(&mut self, relation: u32, limit: f64) -> Result<(), SimError> {
        if self.options.zeno == ZenoAction::Stop {
            return Err(self.accumulation(relation, limit));
        }
        let direction = self.iteration.jump(self.machine);
        let size = direction.iter().map(|d| d * d).sum::<f64>().sqrt();
        let contact = Contact { relation, direction: direction.iter().map(|d| d / size).collect() };
        let contacts = match self.surface.take() {
            None => vec![contact],
            Some(Surface { kind: SurfaceKind::Held(mut contacts), .. }) if contacts.len() + 1 < EXITS => {
                contacts.push(contact);
                contacts
            }
            Some(_) => return Err(self.accumulation(relation, limit)),
        };
        self.announce(EventKind::Zeno, relation, "held", format!("events accumulate at time {limit}"))?;
        self.enter(SurfaceKind::Held(contacts))
    }

    fn enter(&mut self, kind: SurfaceKind) -> Result<(), SimError> {
        let mut surface = Surface::new(kind, self.machine, self.options.stop - self.options.start);
        let settled = surface.settle(self.machine, self.t, &mut self.x);
        settled.map_err(|e| SimError::evaluation(self.t, e))?;
        self.machine.set_time(self.t);
        self.machine.set_states(&self.x);
        if self.parked.is_none() {
            let system = SurfaceSystem { surface: &mut surface, machine: self.machine };
            let solver = Solvers::along(&system, self.options)?;
            self.parked = Some(std::mem::replace(&mut self.solver, solver));
        }
        self.solver.restart(self.t, &self.x, self.machine);
        self.history.calm();
        let silent = surface.relations();
        let relations = self.machine.info().relations.len();
        self.watch.relations = self.searched.iter().copied().filter(|r| !silent.contains(r)).collect();
        self.watch.relations.extend((0..surface.exit_count()).map(|k| (relations + k) as u32));
        self.surface = Some(surface);
        self.rearm()?;
        self.revise(false)
    }

    fn announce(
        &mut self,
        kind: EventKind,
        relation: u32,
        became: &'static str,
        note: String,
    ) -> Result<(), SimError> {
        if !self.log {
            return Ok(());
        }
        let info = &self.machine.info().relations[relation as usize];
        let mut record = EventRecord::new(self.t, kind);
        record.causes.push(Cause { text: info.text.clone(), span: info.span, became });
        record.restarted = true;
        if !note.is_empty() {
            record.notes.push(note);
        }
        self.sink.event(&record).map_err(|text| SimError::sink(self.t, text))
    }

    fn place(&self, relation: u32) -> (kairos_base::Span, String) {
        let info = &self.machine.info().relations[relation as usize];
        (info.span, format!("`{}`", info.text))
    }

    fn accumulation(&self, relation: u32, limit: f64) -> SimError {
        let text = &self.machine.info().relations[relation as usize].text;
        let message = format!("the events of `{text}` accumulate at time {limit}: infinitely many before it");
        let mut error = SimError::new("zeno", self.t, message);
        error.places.push(self.place(relation));
        error.help.push(
            "`--zeno continue` goes on from the limit; or let the model come to rest by a threshold".into(),
        );
        error
    }

    fn chattering(&self, relation: u32) -> SimError {
        let text = &self.machine.info().relations[relation as usize].text;
        let message = format!("`{text}` switches back and forth without time going on");
        let mut error = SimError::new("chattering", self.t, message);
        error.places.push(self.place(relation));
        error
            .help
            .push("give the switch a hysteresis, or write the rest position as a state of its own".into());
        error
    }
}
