//! Entering and leaving modes along switching surfaces.

use crate::pinned::{Limit, Pinned};
use crate::recurrence::{AT_ONCE, Recurrence};
use crate::separate::Solvers;
use crate::side::Side;
use crate::sliding::{self, Decision, SURFACES, Slide};
use crate::supervisor::Run;
use crate::surface::{Contact, Held, Surface, SurfaceKind, SurfaceSystem};
use crate::{Cause, EventKind, EventRecord, SimError, SlidingAction, ZenoAction};
use kairos_machine::{Changes, Effects, Eval, EvalError, Given, Machine};
use serde::{Deserialize, Serialize};

/// A contact is closed up to this part of the widest gap it has had.
const RESTING: f64 = 1e-6;

/// How far ahead, in parts of the last step, one looks to see which surfaces a motion leaves.
const AHEAD: f64 = 1e-5;
/// The last two rounds of switching are not longer than so many times what is left to their limit: each may be a tenth of the one before.
const ROUND: f64 = 1e3;
/// Evaluations of one instant after a contact has opened.
const ROUNDS: usize = 50;

/// A mode on the way to a limit of switching: what led to it, and since when it lasts.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Past {
    relation: u32,
    up: bool,
    since: f64,
    machine: Side,
}

impl Past {
    /// The machine in that mode.
    pub fn side_mut(&mut self) -> &mut Side {
        &mut self.machine
    }
}

impl Run<'_> {
    /// At a hit of the search: ends what has come to its end. Gives the first relation that was hit, with the
    /// direction of its function, and whether something has ended.
    #[inline(never)]
    pub fn leave_surfaces(&mut self) -> Result<(Option<(u32, bool)>, bool), SimError> {
        let relations = self.machine.info().relations.len() as u32;
        let hits = self.hits();
        let cause = hits.iter().copied().find(|(r, _)| *r < relations);
        let ended = hits.iter().filter(|(r, _)| *r >= relations).map(|(r, _)| (r - relations) as usize);
        let ended: Vec<usize> = ended.collect();
        if self.is_sliding() || !ended.is_empty() {
            self.solver.at(self.t, &mut self.x);
            self.close_surfaces()?;
            self.leave(&ended)?;
        }
        Ok((cause, !ended.is_empty()))
    }

    fn is_sliding(&self) -> bool {
        matches!(&self.surface, Some(Surface { kind: SurfaceKind::Sliding(_), .. }))
    }

    fn is_pinned(&self) -> bool {
        matches!(&self.surface, Some(Surface { kind: SurfaceKind::Pinned(_), .. }))
    }

    /// Ends what the given exits belong to: contacts, or surfaces. Without one, sliding is interrupted by an event.
    fn leave(&mut self, ended: &[usize]) -> Result<(), SimError> {
        self.leave_from(ended, false)
    }

    /// As `leave`; the motion may have only begun here.
    fn leave_from(&mut self, ended: &[usize], beginning: bool) -> Result<(), SimError> {
        let Some(surface) = self.surface.take() else { return Ok(()) };
        match surface.kind {
            SurfaceKind::Sliding(slide) if ended.is_empty() => {
                self.keep_carried(&slide.carried);
                self.slid = slide.relations;
                self.resume_plain()
            }
            SurfaceKind::Sliding(slide) => self.slide_less(slide, ended, beginning),
            SurfaceKind::Pinned(pinned) => {
                self.announce(EventKind::ZenoExit, &pinned.relations, "left", Vec::new())?;
                self.resume_plain()
            }
            SurfaceKind::Held(held) => {
                // It opens with speed zero and hardly a force: round-off must not make an impact of that.
                let closed = held.contacts.iter().map(|contact| contact.relation);
                self.watch.decide(closed.chain(held.resting.iter().copied()).collect());
                // Where the other body was taken away the gap is open already, and its relation says so.
                let count = self.watch.decided().len();
                self.review_decisions(false)?;
                if self.watch.decided().len() < count {
                    self.follow_relations()?;
                }
                let mut kept = Vec::new();
                for (k, contact) in held.contacts.into_iter().enumerate() {
                    match ended.contains(&k) {
                        true => {
                            self.announce(EventKind::ZenoExit, &[contact.relation], "left", Vec::new())?
                        }
                        false => kept.push(contact),
                    }
                }
                match kept.is_empty() {
                    true => self.resume_plain(),
                    false => self.enter(SurfaceKind::Held(Held { contacts: kept, resting: Vec::new() })),
                }
            }
        }
    }

    /// Some surfaces have come to the end of what they can hold: which of them are left, and whether that frees others, is
    /// decided by how things begin to move.
    /// What has just begun and ends at once is not decided by the same look again.
    fn slide_less(&mut self, mut slide: Slide, ended: &[usize], beginning: bool) -> Result<(), SimError> {
        let before = slide.relations.clone();
        let mut edges = before.clone();
        edges.extend(self.searched.iter().copied().filter(|&r| self.watch.is_at_zero(r)));
        let mut found = None;
        let again = beginning && slide.is_open();
        if let Some((t, x)) = self.soon(&mut slide).filter(|_| !again) {
            found = self.slide_along(Some((t, &x)), edges.clone(), &[], false)?;
        }
        let still = |found: &Option<Vec<u32>>| {
            found.as_ref().is_some_and(|now| before.iter().all(|r| now.contains(r)))
        };
        if still(&found) && !slide.is_open() || found.is_none() {
            // Too near to tell: those that have come to their end are left.
            let (mut fixed, mut kept) = (Vec::new(), Vec::new());
            for (k, &relation) in before.iter().enumerate() {
                // The first exit is that of the share above: below it goes on.
                match [2 * k, 2 * k + 1].map(|exit| ended.contains(&exit)) {
                    [false, false] => kept.push(relation),
                    [below, _] => fixed.push((relation, !below)),
                }
            }
            self.surface = None;
            found = self.slide_along(None, kept, &fixed, false)?;
        }
        let now = found.unwrap_or_default();
        let left: Vec<u32> = before.iter().copied().filter(|r| !now.contains(r)).collect();
        let new: Vec<u32> = now.iter().copied().filter(|r| !before.contains(r)).collect();
        self.announce(EventKind::SlidingExit, &left, "left", Vec::new())?;
        self.announce(EventKind::SlidingEnter, &new, "sliding", self.shares())?;
        if now.is_empty() {
            self.resume_plain()?;
        }
        // Where the motion begins is decided; the zeros of round-off must not decide it otherwise.
        self.release();
        Ok(())
    }

    /// Only relations along which the motion goes, those of closed contacts and those that were decided keep their values at events.
    #[inline(never)]
    pub fn release(&mut self) {
        let mut relations = match &self.surface {
            Some(surface @ Surface { kind: SurfaceKind::Sliding(_) | SurfaceKind::Held(_), .. }) => {
                surface.relations()
            }
            _ => Vec::new(),
        };
        if let Some(surface) = &self.surface {
            relations.extend_from_slice(surface.carried());
        }
        relations.extend_from_slice(self.watch.decided());
        let held = self.machine.relations();
        let mut pins = self.carried.clone();
        let carried = |r: &u32| self.carried.iter().any(|(c, _)| c == r);
        pins.extend(relations.iter().filter(|r| !carried(r)).map(|&r| (r, held[r as usize])));
        self.machine.pin(&pins);
    }

    /// A point a little ahead on the way along the surfaces.
    fn soon(&mut self, slide: &mut Slide) -> Option<(f64, Vec<f64>)> {
        let (from, to) = self.solver.span();
        let by = AHEAD * if to > from { to - from } else { 1e-3 * self.options.range() };
        slide.follow(self.t, &self.x).ok()?;
        slide.mix(&mut self.slope);
        let x: Vec<f64> = self.x.iter().zip(&self.slope).map(|(x, slope)| x + by * slope).collect();
        (by > 0.0).then_some((self.t + by, x))
    }

    pub fn resume_plain(&mut self) -> Result<(), SimError> {
        if let Some(solver) = self.parked.take() {
            let surface_solver = std::mem::replace(&mut self.solver, solver);
            surface_solver.effort(&mut self.summary);
        }
        self.watch.relations.clone_from(&self.searched);
        self.solver.restart(self.t, &self.x, &mut *self.machine);
        self.history.calm();
        // What the surface held is held no longer: its relations follow their functions again.
        self.release();
        self.rearm()
    }

    /// After an event: is it one of a series that has a limit?
    #[inline(never)]
    pub fn recur(
        &mut self,
        cause: Option<(u32, bool)>,
        left: Option<Box<dyn Machine>>,
    ) -> Result<(), SimError> {
        if let Some((relation, _)) = cause
            && self.history.stalls(self.t, self.time_scale(), self.closer)
        {
            return if self.look_closer()? { Ok(()) } else { Err(self.chattering(relation)) };
        }
        if self.surface.is_some() && self.outcome.affected {
            self.revise(true)?;
        }
        // What switches ever more quickly beside a surface that holds the motion comes to be held with it.
        let noted = match cause {
            Some(cause) if !self.slid.is_empty() && self.outcome.changed => Some(self.note(cause)),
            _ => None,
        };
        let met = match noted {
            Some(Recurrence::Accumulation { limit, reached: true, .. }) => {
                self.history.switched_since(self.t - ROUND * (limit - self.t))
            }
            // Rounds that shrink faster are round-off before they can be compared.
            Some(_) => self.history.switched_since(self.t - AT_ONCE * self.time_scale()),
            None => Vec::new(),
        };
        if self.slide_on(cause, met)? {
            return Ok(());
        }
        let Some((relation, up)) = cause else { return Ok(()) };
        if !self.outcome.changed {
            return Ok(());
        }
        let recurrence = match noted {
            Some(recurrence) => recurrence,
            None => self.note((relation, up)),
        };
        if !matches!(recurrence, Recurrence::Accumulation { .. }) {
            self.round.clear();
        }
        match recurrence {
            Recurrence::None => Ok(()),
            Recurrence::Accumulation { relation, limit, reached } => {
                self.accumulate(relation, up, limit, reached)
            }
            Recurrence::Sliding(_) if self.options.sliding == SlidingAction::Off => Ok(()),
            Recurrence::Sliding(relations) => match left {
                Some(left) => self.slide(&relations, left),
                None => Ok(()),
            },
            Recurrence::Zeno(relation, limit) => self.hold(relation, limit),
            Recurrence::Chattering(_) if self.look_closer()? => Ok(()),
            Recurrence::Chattering(relation) => Err(self.chattering(relation)),
        }
    }

    /// Takes note of an event of a relation: what does it belong to?
    fn note(&mut self, cause: (u32, bool)) -> Recurrence {
        let scale = self.time_scale();
        let mode = self.iteration.mode(&*self.machine);
        let jump = self.outcome.jumped.then(|| self.iteration.jump_size(&*self.machine));
        self.history.note(cause, self.t, scale, jump, mode)
    }

    /// The size of times, beside which others are short.
    pub fn time_scale(&self) -> f64 {
        self.t.abs().max(1e-3 * self.options.range())
    }

    /// Contacts whose force has turned end, and so do those that an event has moved apart; sliding ends if an event has
    /// changed the equations under it.
    fn revise(&mut self, changed: bool) -> Result<(), SimError> {
        let relations = self.machine.info().relations.len();
        let count = self.surface.as_ref().map_or(0, Surface::exit_count);
        let mut ended: Vec<usize> = (0..count).filter(|k| self.watch.z[relations + k] <= 0.0).collect();
        if self.is_pinned() && changed && ended.is_empty() {
            return self.pin_anew();
        }
        if self.is_sliding() || self.is_pinned() {
            return if changed || !ended.is_empty() {
                self.leave_from(if changed { &[] } else { &ended }, !changed)
            } else {
                Ok(())
            };
        }
        let mut shaken = false;
        if changed {
            for (k, (relation, gap, speed)) in self.gaps()?.into_iter().enumerate() {
                let large = RESTING * self.watch.largest(relation);
                let moves = speed.abs() * self.options.range() > 1e4 * large;
                if gap.abs() > large || moves && speed > 0.0 {
                    ended.push(k);
                } else {
                    shaken |= moves;
                }
            }
        }
        match self.surface.take_if(|_| ended.is_empty() && shaken) {
            // What the contact does to a sudden motion is over at once, as what led to it was.
            Some(surface) => self.enter(surface.kind),
            None if ended.is_empty() => Ok(()),
            None => self.leave(&ended),
        }
    }

    /// Before an event: what was decided and is clear of zero by now is decided anew, and so is what has gone where it does not belong.
    #[inline(never)]
    pub fn review_decisions(&mut self, found: bool) -> Result<(), SimError> {
        let mut z = vec![0.0; self.machine.info().relations.len()];
        let seen = self.machine.crossings_at(self.t, &self.x, &mut z);
        seen.map_err(|e| SimError::evaluation(self.t, e))?;
        self.watch.review(&z);
        if found {
            self.hits().into_iter().for_each(|(relation, _)| self.watch.undecide(relation));
        }
        self.release();
        Ok(())
    }

    /// Relations that were held at an event are what they say, and so is all that follows from them at this instant.
    #[cold]
    fn follow_relations(&mut self) -> Result<(), SimError> {
        let t = self.t;
        let fail = |error| SimError::evaluation(t, error);
        self.machine.set_time(t);
        self.machine.set_states(&self.x);
        let none = vec![false; self.machine.info().samplers.len()];
        let (mut effects, mut changes) = (Effects::default(), Changes::default());
        // What acts here reads left limits of this instant, not of the last event.
        self.machine.left_limit().map_err(fail)?;
        self.machine.advance_pre(&mut changes);
        for _ in 0..ROUNDS {
            self.machine.event(&none, false, &mut effects).map_err(fail)?;
            for &(state, value) in &effects.reinits {
                self.machine.set_state(state, value);
            }
            self.machine.advance_pre(&mut changes);
            if changes.discrete.is_empty() && changes.relations.is_empty() && effects.reinits.is_empty() {
                break;
            }
        }
        self.machine.get_states(&mut self.x);
        Ok(())
    }

    /// Before an event: what is held on surfaces is there to the last bit, so that what is off them afterwards was moved by it.
    #[inline(never)]
    pub fn close_surfaces(&mut self) -> Result<(), SimError> {
        if let Some(surface) = &mut self.surface {
            let before = self.x.clone();
            match surface.settle(&mut *self.machine, self.t, &mut self.x) {
                Ok(()) => {}
                // The event lies at the edge of what the branches in force have values for.
                Err(EvalError::Recoverable(_)) => self.x = before,
                Err(fatal) => return Err(SimError::evaluation(self.t, fatal)),
            }
        }
        self.machine.set_time(self.t);
        self.machine.set_states(&self.x);
        Ok(())
    }

    /// Of each contact the relation, its crossing function, and how fast that leaves zero in the direction of the impacts.
    fn gaps(&mut self) -> Result<Vec<(u32, f64, f64)>, SimError> {
        let Some(surface) = &mut self.surface else { return Ok(Vec::new()) };
        let (t, x) = (self.t, self.x.clone());
        let mut z = vec![0.0; self.machine.info().relations.len()];
        let SurfaceKind::Held(held) = &surface.kind else { return Ok(Vec::new()) };
        let relations: Vec<u32> = held.contacts.iter().map(|contact| contact.relation).collect();
        let found = relations.into_iter().enumerate().map(|(k, relation)| {
            let speed = surface.leaving(&mut *self.machine, t, &x, k)?;
            self.machine.set_time(t);
            self.machine.set_states(&x);
            self.machine.crossings(&mut z)?;
            Ok((relation, z[relation as usize], speed))
        });
        found.collect::<Eval<_>>().map_err(|error| SimError::evaluation(t, error))
    }

    /// Takes up a sliding mode that an event has interrupted, together with the surface that the event has come upon, and with those that
    /// the motion meets at the limit of ever quicker switching.
    pub fn slide_on(&mut self, cause: Option<(u32, bool)>, met: Vec<u32>) -> Result<bool, SimError> {
        if self.slid.is_empty() {
            return Ok(false);
        }
        let slid = std::mem::take(&mut self.slid);
        let carried: Vec<u32> = self.carried.iter().map(|(r, _)| *r).collect();
        if self.slide_to_limit(&slid, met)? {
            self.carried.clear();
            return Ok(true);
        }
        let mut edges = slid.clone();
        edges.retain(|&relation| self.watch.is_close(relation));
        edges.extend(cause.map(|(relation, _)| relation));
        edges.extend_from_slice(&self.watch.edges);
        edges.retain(|relation| !carried.contains(relation));
        let found = self.slide_beside_rest(edges, true)?;
        let now = found.as_deref().unwrap_or_default();
        let only = |these: &[u32], those: &[u32]| -> Vec<u32> {
            these.iter().copied().filter(|relation| !those.contains(relation)).collect()
        };
        self.announce(EventKind::SlidingExit, &only(&slid, now), "left", Vec::new())?;
        self.announce(EventKind::SlidingEnter, &only(now, &slid), "sliding", self.shares())?;
        if !carried.is_empty() {
            self.carried.clear();
            self.release();
        }
        Ok(found.is_some())
    }

    /// Goes on along surfaces that hold the motion already and those that it meets at a limit, if all of them do.
    fn slide_to_limit(&mut self, slid: &[u32], met: Vec<u32>) -> Result<bool, SimError> {
        if met.is_empty() {
            return Ok(false);
        }
        self.gather_here()?;
        let mut all: Vec<u32> = slid.iter().copied().chain(met).collect();
        all.sort_unstable();
        all.dedup();
        let Some(mut pinned) = self.pinned(all.clone(), Vec::new())? else { return Ok(false) };
        if !self.slide_from_limit(&mut pinned, slid)? {
            return Ok(false);
        }
        let note = format!("events accumulate at time {}", self.t);
        self.announce(EventKind::Zeno, &all, "held", vec![note])?;
        Ok(true)
    }

    /// Some function at zero goes to the side where its relation does not belong: either it is switched at once, or both
    /// sides lead back, and the motion goes on along the surface. True if it does.
    #[inline(never)]
    pub fn slide_from_edge(&mut self) -> Result<bool, SimError> {
        if self.options.sliding == SlidingAction::Off || self.surface.is_some() || self.x.is_empty() {
            return Ok(false);
        }
        self.gather_here()?;
        let Some(found) = self.slide_beside_rest(self.watch.edges.clone(), false)? else {
            return Ok(false);
        };
        self.announce(EventKind::SlidingEnter, &found, "sliding", self.shares())?;
        Ok(true)
    }

    /// Goes on along surfaces at which events recur. `left` is the machine before the last event.
    fn slide(&mut self, relations: &[u32], left: Box<dyn Machine>) -> Result<(), SimError> {
        self.gather_here()?;
        let differ = |k: &u32| left.relations()[*k as usize] != self.machine.relations()[*k as usize];
        let near = |k: &u32| !relations.contains(k) && self.watch.is_close(*k);
        let others = self.searched.iter().copied().filter(near).filter(differ);
        let all: Vec<u32> = relations.iter().copied().chain(others).collect();
        let found = self.slide_along(None, all, &[], true)?;
        self.announce(EventKind::SlidingEnter, &found.unwrap_or_default(), "sliding", self.shares())
    }

    /// Enters the motion along those of the surfaces that hold it, if there are any. Surfaces in `fixed` are near, but
    /// left: true if upwards. The decision may be seen from a point a little ahead. Where events recur at the surfaces, something
    /// must hold it. Gives the surfaces that do: none at all
    /// where all are left.
    pub fn slide_along(
        &mut self,
        seen_from: Option<(f64, &[f64])>,
        mut edges: Vec<u32>,
        fixed: &[(u32, bool)],
        recurring: bool,
    ) -> Result<Option<Vec<u32>>, SimError> {
        edges.sort_unstable();
        edges.dedup();
        let slots: Vec<u32> = self.numbers.iter().map(|(slot, _)| *slot).collect();
        let mut kept: Vec<u32> = self.searched.iter().copied().filter(|&r| self.watch.is_close(r)).collect();
        kept.extend(self.carried.iter().map(|(r, _)| *r).filter(|r| !kept.contains(r)).collect::<Vec<_>>());
        let (t, x) = seen_from.unwrap_or((self.t, &self.x));
        let mut decision = sliding::decide(&mut *self.machine, t, x, &edges, fixed, &kept, &slots);
        if let (Ok(Decision::Holds(slide, _)), None) = (&mut decision, seen_from)
            && slide.is_tied()
            && let Some((t, x)) = self.soon(slide)
        {
            decision = sliding::decide(&mut *self.machine, t, &x, &edges, fixed, &kept, &slots);
        }
        match decision {
            Ok(Decision::Holds(..)) if self.history.only_touches(self.t) => {}
            Ok(Decision::Holds(slide, machine)) => {
                let relations = slide.relations.clone();
                self.machine = machine;
                edges.extend(fixed.iter().map(|(relation, _)| *relation));
                edges.retain(|r| !relations.contains(r));
                self.watch.decide(edges);
                self.enter(SurfaceKind::Sliding(*slide))?;
                if self.rows {
                    self.machine.look(true);
                    let evaluated = self.machine.outputs().map_err(|e| SimError::evaluation(self.t, e));
                    let told = evaluated.and_then(|()| self.row(self.t));
                    self.machine.look(false);
                    told?;
                }
                return Ok(Some(relations));
            }
            Ok(Decision::Ambiguous) => {
                let text = "the motion is held on several switching surfaces, and may go on in several ways";
                return Err(self.several_surfaces(text.into(), &edges));
            }
            Ok(Decision::Leaves(machine)) if seen_from.is_some() || !fixed.is_empty() => {
                self.machine = machine;
                edges.extend(fixed.iter().map(|(relation, _)| *relation));
                self.watch.decide(edges);
                self.machine.set_time(self.t);
                self.machine.set_states(&self.x);
                return Ok(Some(Vec::new()));
            }
            Ok(Decision::TooMany(relations)) if recurring => return Err(self.too_many(&relations)),
            Ok(Decision::Free | Decision::Leaves(_) | Decision::TooMany(_)) | Err(_) => {}
        }
        self.machine.set_time(self.t);
        self.machine.set_states(&self.x);
        Ok(None)
    }

    /// What the event log says of a mixture: the equivalent value of each condition.
    fn shares(&self) -> Vec<String> {
        let Some(Surface { kind: SurfaceKind::Sliding(slide), .. }) = &self.surface else {
            return Vec::new();
        };
        let info = self.machine.info();
        let pairs = slide.relations.iter().zip(&slide.shares);
        pairs
            .map(|(&r, &above)| {
                let relation = &info.relations[r as usize];
                let share = if relation.true_side < 0 { 1.0 - above } else { above };
                format!("{} counts {share}", relation.text)
            })
            .collect()
    }

    /// Variables in a mixture of sides: what the sides have different values for. False if there is no mixture.
    pub fn show_mixture(&mut self, time: f64) -> Result<bool, SimError> {
        let Some(Surface { kind: SurfaceKind::Sliding(slide), .. }) = &mut self.surface else {
            return Ok(false);
        };
        let info = self.machine.info();
        let own = |(slot, var): &(u32, u32)| {
            (!info.vars[*var as usize].is_discrete && !info.states.contains(slot)).then_some(*slot)
        };
        let slots: Vec<u32> = self.numbers.iter().filter_map(own).collect();
        let mut values = self.machine.values().to_vec();
        slide.show(time, &self.x, &slots, &mut values).map_err(|e| SimError::evaluation(time, e))?;
        for slot in slots {
            let value = values[slot as usize];
            if self.machine.values()[slot as usize].to_bits() != value.to_bits() {
                self.machine.set(slot, Given::Number(value));
            }
        }
        Ok(true)
    }

    fn too_many(&self, relations: &[u32]) -> SimError {
        let text = format!(
            "more than {SURFACES} switching surfaces act on each other where they hold the motion at once"
        );
        self.several_surfaces(text, relations)
    }

    pub fn several_surfaces(&self, text: String, relations: &[u32]) -> SimError {
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
        let direction = self.iteration.jump(&*self.machine);
        self.bring_others();
        let size = direction.iter().map(|d| d * d).sum::<f64>().sqrt();
        let direction: Vec<f64> = direction.iter().map(|d| d / size).collect();
        let found = self.closed_by(&direction, relation).map_err(|e| SimError::evaluation(self.t, e))?;
        let Some(relation) = found else { return Ok(()) };
        let contact = Contact { relation, direction };
        let contacts = match self.surface.take() {
            None => vec![contact],
            Some(Surface { kind: SurfaceKind::Held(mut held), .. }) => {
                held.contacts.push(contact);
                held.contacts
            }
            Some(_) => return Err(self.accumulation(relation, limit)),
        };
        let note = format!("events accumulate at time {limit}");
        self.announce(EventKind::Zeno, &[relation], "held", vec![note])?;
        self.enter(SurfaceKind::Held(Held { contacts, resting: Vec::new() }))
    }

    /// The relation of the contact that impacts along a direction close: at zero, moved by the speed that they bring about, but not by
    /// the impact itself. The one that was hit may also compare speeds.
    fn closed_by(&mut self, direction: &[f64], hit: u32) -> Eval<Option<u32>> {
        let (t, x) = (self.t, self.x.clone());
        let mut near: Vec<u32> = self.searched.iter().copied().filter(|&r| self.watch.is_close(r)).collect();
        near.retain(|&r| r != hit);
        near.insert(0, hit);
        let mut moved = vec![0.0; near.len()];
        sliding::rates(&mut *self.machine, t, &x, direction, false, &near, &mut moved)?;
        let mut slope = [(); 2].map(|()| vec![0.0; x.len()]);
        let by = 1e-4;
        for (slope, by) in slope.iter_mut().zip([by, -by]) {
            let place: Vec<f64> = x.iter().zip(direction).map(|(x, d)| x + by * d).collect();
            self.machine.derivatives_at(t, &place, slope)?;
        }
        let [after, before] = slope;
        let way: Vec<f64> = after.iter().zip(&before).map(|(a, b)| (a - b) / (2.0 * by)).collect();
        let mut pushed = vec![0.0; near.len()];
        sliding::rates(&mut *self.machine, t, &x, &way, false, &near, &mut pushed)?;
        self.machine.set_time(t);
        self.machine.set_states(&x);
        let closes = |k: &usize| pushed[*k].abs() > 1e-6 && moved[*k].abs() <= 1e-6 * pushed[*k].abs();
        Ok((0..near.len()).find(closes).map(|k| near[k]))
    }

    /// Switching that becomes ever quicker: the modes of its last round are kept until the limit is as good as reached.
    fn accumulate(&mut self, relation: u32, up: bool, limit: f64, reached: bool) -> Result<(), SimError> {
        if reached && self.options.zeno == ZenoAction::Stop {
            return Err(self.accumulation(relation, limit));
        }
        let again = |past: &Past| (past.relation, past.up) == (relation, up);
        let before = self.round.iter().position(again);
        let (Some(first), true) = (before, reached) else {
            self.round.drain(..before.map_or(0, |first| first + 1));
            let machine = self.machine.clone_machine();
            self.round.push(Past { relation, up, since: self.t, machine: machine.into() });
            return Ok(());
        };
        self.gather_here()?;
        let round: Vec<Past> = self.round.drain(..).skip(first).collect();
        let mut relations: Vec<u32> = round.iter().map(|past| past.relation).collect();
        let differs = |r: &u32| {
            let values = round.iter().map(|past| past.machine.relations()[*r as usize]);
            let (mut up, mut down) = (false, false);
            values.for_each(|held| if held { up = true } else { down = true });
            up && down
        };
        relations.extend(self.searched.iter().copied().filter(differs));
        relations.sort_unstable();
        relations.dedup();
        let ends: Vec<f64> = round.iter().skip(1).map(|past| past.since).chain([self.t]).collect();
        let whole = self.t - round[0].since;
        let sides = round.into_iter().zip(ends).map(|(past, end)| ((end - past.since) / whole, past.machine));
        let Some(mut pinned) = self.pinned(relations.clone(), sides.collect())? else { return Ok(()) };
        if self.surface.is_some() {
            return Err(self.accumulation(relation, limit));
        }
        let kind = self.limit_of(&mut pinned)?;
        if kind == Limit::Left {
            return Err(self.limit_without_end(&relations, limit));
        }
        let note = format!("events accumulate at time {limit}");
        self.announce(EventKind::Zeno, &relations, "held", vec![note])?;
        if kind == Limit::Mixture && self.slide_from_limit(&mut pinned, &[])? {
            return Ok(());
        }
        self.enter(SurfaceKind::Pinned(pinned))
    }

    fn limit_of(&mut self, pinned: &mut Pinned) -> Result<Limit, SimError> {
        let kind = pinned.limit(&mut *self.machine, self.t, &self.x);
        self.machine.set_time(self.t);
        self.machine.set_states(&self.x);
        kind.map_err(|e| SimError::evaluation(self.t, e))
    }

    /// At the limit surfaces meet. Where passing each of them there and back leads to the same motion, the shares of their sides are
    /// determined, and the motion slides.
    /// Surfaces that held the motion `already` make no limit: what else was met has then only been passed, and the motion must
    /// not be taken back to where that was.
    fn slide_from_limit(&mut self, pinned: &mut Pinned, already: &[u32]) -> Result<bool, SimError> {
        if self.options.sliding == SlidingAction::Off {
            return Ok(false);
        }
        let before = self.x.clone();
        let machine = if already.is_empty() { None } else { Some(self.machine.clone_machine()) };
        let settled = pinned.settle(&mut *self.machine, self.t, &mut self.x);
        settled.map_err(|e| SimError::evaluation(self.t, e))?;
        self.machine.set_time(self.t);
        self.machine.set_states(&self.x);
        let Some(found) = self.slide_along(None, pinned.relations.clone(), &[], false)? else {
            self.x = before;
            self.machine.set_states(&self.x);
            return Ok(false);
        };
        if let Some(machine) = machine
            && found.iter().all(|relation| already.contains(relation))
        {
            self.surface = None;
            (self.machine, self.x) = (machine, before);
            self.machine.set_time(self.t);
            self.machine.set_states(&self.x);
            self.resume_plain()?;
            return Ok(false);
        }
        self.announce(EventKind::SlidingEnter, &found, "sliding", self.shares())?;
        Ok(true)
    }

    fn pinned(&mut self, relations: Vec<u32>, sides: Vec<(f64, Side)>) -> Result<Option<Pinned>, SimError> {
        let range = self.options.range();
        let pinned = Pinned::new(&mut *self.machine, self.t, &self.x, relations, sides, range);
        self.machine.set_time(self.t);
        self.machine.set_states(&self.x);
        pinned.map_err(|e| SimError::evaluation(self.t, e))
    }

    /// An event has changed the equations of what is pinned: the modes around the limit are others now.
    fn pin_anew(&mut self) -> Result<(), SimError> {
        let Some(Surface { kind: SurfaceKind::Pinned(old), .. }) = &self.surface else { return Ok(()) };
        let (relations, speeds) = (old.relations.clone(), old.speeds.clone());
        let sides = sliding::all_sides(&mut *self.machine, self.t, &self.x, &relations);
        self.machine.set_time(self.t);
        self.machine.set_states(&self.x);
        let Ok(Some(sides)) = sides else { return self.leave(&[]) };
        let weight = 1.0 / sides.len() as f64;
        let sides = sides.into_iter().map(|side| (weight, side.into())).collect();
        match self.pinned(relations, sides)? {
            Some(mut pinned) => {
                if self.limit_of(&mut pinned)? == Limit::Mixture {
                    let old = self.surface.take();
                    if self.slide_from_limit(&mut pinned, &[])? {
                        return Ok(());
                    }
                    self.surface = old;
                }
                pinned.speeds = speeds;
                self.enter(SurfaceKind::Pinned(pinned))
            }
            None => self.leave(&[]),
        }
    }

    fn enter(&mut self, kind: SurfaceKind) -> Result<(), SimError> {
        self.gather();
        if self.history.enters(self.t) {
            let surface = Surface::new(kind, &*self.machine, self.options.range());
            let text = "switching surfaces are entered and left at this instant without end";
            return Err(self.several_surfaces(text.into(), &surface.relations()));
        }
        let mut surface = Surface::new(kind, &*self.machine, self.options.range());
        let settled = surface.settle(&mut *self.machine, self.t, &mut self.x);
        let resting =
            settled.and_then(|()| surface.find_resting(&mut *self.machine, self.t, &self.x, &self.searched));
        resting.map_err(|e| SimError::evaluation(self.t, e))?;
        self.machine.set_time(self.t);
        self.machine.set_states(&self.x);
        if self.parked.is_none() {
            let system = SurfaceSystem { surface: &mut surface, machine: &mut *self.machine };
            let solver = Solvers::along(&system, &self.options)?;
            self.parked = Some(std::mem::replace(&mut self.solver, solver));
        }
        let begun = surface.begin(&mut *self.machine, self.t, &self.x);
        begun.map_err(|e| SimError::evaluation(self.t, e))?;
        self.solver.restart(self.t, &self.x, &mut *self.machine);
        self.history.calm();
        let silent = surface.relations();
        let relations = self.machine.info().relations.len();
        self.watch.widen(relations + surface.exit_count());
        self.held.resize(relations + surface.exit_count(), false);
        self.watch.relations = self.searched.iter().copied().filter(|r| !silent.contains(r)).collect();
        self.watch.relations.extend((0..surface.exit_count()).map(|k| (relations + k) as u32));
        self.surface = Some(surface);
        self.release();
        self.rearm()?;
        self.revise(false)
    }

    /// Tells that relations hold the motion from here on, or let it go.
    fn announce(
        &mut self,
        kind: EventKind,
        relations: &[u32],
        became: &'static str,
        notes: Vec<String>,
    ) -> Result<(), SimError> {
        if !self.log || relations.is_empty() {
            return Ok(());
        }
        let mut record = EventRecord::new(self.t, kind);
        for &relation in relations {
            let info = &self.machine.info().relations[relation as usize];
            record.causes.push(Cause { text: info.text.clone(), span: info.span, became });
        }
        (record.restarted, record.notes) = (true, notes);
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

    /// Events accumulate at a point at which nothing stays, so that it does not follow from the equations how the motion goes on.
    fn limit_without_end(&self, relations: &[u32], limit: f64) -> SimError {
        let texts =
            relations.iter().map(|&r| format!("`{}`", self.machine.info().relations[r as usize].text));
        let texts: Vec<String> = texts.collect();
        let message = format!(
            "the events of {} accumulate at time {limit}, and no mode, nor a mixture of them, stays where they meet: the equations do not \
             say how the motion goes on",
            texts.join(", ")
        );
        let mut error = SimError::new("zeno-without-end", self.t, message);
        error.places.extend(relations.iter().map(|&relation| self.place(relation)));
        error.help.push(
            "let each mode last for a while, by a hysteresis or a delay; or say what happens at the limit"
                .into(),
        );
        error
    }

    pub fn chattering(&self, relation: u32) -> SimError {
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
