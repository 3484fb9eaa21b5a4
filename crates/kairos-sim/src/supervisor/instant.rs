//! One event instant: what belongs to it, its iteration, its story, and what has to be planned anew.

use super::Run;
use crate::calendar::same_instant;
use crate::iterate::Outcome;
use crate::{Cause, EventKind, EventRecord, SimError};
use kairos_machine::{Leave, Machine};
use kairos_program::Source;

/// Progress is told after so many events that do not end a step.
const PROGRESS: u32 = 65_536;

impl Run<'_> {
    /// An event at the present time, found by a search or planned.
    pub(super) fn instant(&mut self, found: bool) -> Result<(), SimError> {
        self.t = self.sources.collect(self.t);
        let kind = match found {
            // What leaves zero as the run begins belongs to its beginning.
            true if self.is_beginning() => EventKind::Initial,
            true => EventKind::State,
            false => EventKind::Time,
        };
        // What is planned for the very end is part of the terminal event.
        let last = !found && self.t >= self.options.stop;
        // Along a surface the relations are not what their functions say.
        let along = self.surface.is_some();
        let entangled = std::mem::take(&mut self.entangled) || along || last || self.sources.concerns_all();
        let mut known = kind != EventKind::Initial && !entangled;
        if self.lookouts.is_empty() {
            if known && !self.watch.is_idle() {
                self.watch.suspects(&self.held, found, &mut self.sources.trigger.relations);
            }
            self.go_to(self.t);
        } else {
            known = known && self.trigger_parts();
            if !(known && self.bring_parts()) {
                self.go_to(self.t);
            }
        }
        let there = self.brought.is_none();
        if there && self.watch.some_rest() {
            self.undo_drift();
        }
        if there && along {
            self.close_surfaces()?;
        }
        self.left_limit(known, kind != EventKind::Initial, there)?;
        self.corrected = false;
        let (cause, left) = if found { self.leave_surfaces()? } else { (None, false) };
        let decided = self.watch.some_decided();
        // What was decided as a surface was left just now is news: the search knew nothing of it.
        if decided && !left {
            self.review_decisions(found)?;
        }
        if found && self.whole_hit {
            self.watch.count_idle_hits(self.t);
        }
        if last {
            return Ok(());
        }
        let suspicious = self.history.suspects_sliding(self.t, self.time_scale());
        let before = if suspicious { Some(self.keep_machine()?) } else { None };
        let restart = self.happen(kind)?;
        if along || decided {
            self.release();
        }
        self.t += std::mem::take(&mut self.ahead).max(0.0);
        self.resume(restart)?;
        self.sources.clear();
        if self.watch.goes_astray()
            && self.surface.is_none()
            && self.slid.is_empty()
            && self.slide_from_edge()?
        {
            return self.follow_carried();
        }
        match cause.is_none() && self.surface.is_none() && self.slid.is_empty() {
            true => Ok(()),
            false => {
                self.recur(cause, before)?;
                self.follow_carried()
            }
        }
    }

    /// The machine as it stands, to be tried on.
    #[inline(never)]
    fn keep_machine(&self) -> Result<Box<dyn Machine>, SimError> {
        let mut kept = self.machine.clone_machine();
        kept.focus(None).map_err(|error| SimError::evaluation(self.t, error))?;
        Ok(kept)
    }

    /// Events on the way to `next` that the motion does not see: its step goes on over them. What is planned for the
    /// instant of another event belongs to that.
    pub(super) fn pass_quiet(&mut self, next: f64, event: bool) -> Result<(), SimError> {
        loop {
            let planned = self.sources.next_quiet();
            let there = same_instant(planned, next);
            if planned > next && !there || there && event || planned >= self.options.stop {
                return Ok(());
            }
            if self.burst(planned, next)? {
                continue;
            }
            self.output_until(planned, true)?;
            self.remember_way(planned);
            self.t = self.sources.collect(planned);
            self.bring_states();
            self.left_limit(true, true, false)?;
            let restart = self.happen(EventKind::Time)?;
            debug_assert!(!restart, "the motion cannot see this event");
            self.sources.clear();
            if self.summary.time_events.is_multiple_of(u64::from(PROGRESS)) {
                self.tell_way()?;
            }
        }
    }

    /// Events of one source that concern nothing else, one after the other up to `next`, if nobody wants to hear of
    /// them singly.
    #[inline(never)]
    fn burst(&mut self, planned: f64, next: f64) -> Result<bool, SimError> {
        let Some((source, other)) = self.sources.first_quiet().filter(|_| !self.rows && !self.log) else {
            return Ok(false);
        };
        let bound = next.min(other).min(self.options.stop);
        // Not so near that it would be the same instant.
        let limit = bound - 8.0 * f64::EPSILON * bound.abs();
        let Some(origin) = self.sources.origin(source).filter(|_| planned < limit) else { return Ok(false) };
        let sampler = self.sources.samplers.get(source);
        let ticks = sampler.map_or((0.0, 0.0, 0), |s| (s.start, s.interval, s.tick()));
        self.machine.set_time(planned);
        let leave = Leave { limit, most: PROGRESS, ticks };
        let done = self.machine.burst(origin, leave).map_err(|e| SimError::evaluation(planned, e))?;
        let Some(done) = done else { return Ok(false) };
        self.t = self.sources.collect(planned).max(done.time);
        self.summary.time_events += done.events;
        self.summary.event_iterations += done.iterations;
        if let Some(sampler) = self.sources.samplers.get_mut(source) {
            sampler.skip(done.events - 1);
        }
        self.sources.replan(&mut *self.machine, self.t, true)?;
        self.sources.clear();
        if !done.settled {
            self.summary.time_events -= 1;
            self.left_limit(true, true, false)?;
            self.happen(EventKind::Time)?;
        }
        if done.events >= u64::from(PROGRESS) {
            self.tell_way()?;
        }
        Ok(true)
    }

    /// The present time, and the states that what is due reads; all of them for a row.
    #[inline(never)]
    fn bring_states(&mut self) {
        let Run { sources, machine, solver, x, t, wanted, .. } = self;
        wanted.clear();
        let mut all = self.rows;
        for &source in &sources.due {
            match sources.origin(source as usize).and_then(|origin| machine.reached(origin).states) {
                Some(states) => wanted.extend(states),
                None => all = true,
            }
        }
        if all && !x.is_empty() {
            solver.at(*t, x);
            machine.set_states(x);
        } else {
            for &state in wanted.iter() {
                machine.set_state(state, solver.state_at(*t, state as usize));
            }
        }
        machine.set_time(*t);
    }

    /// The side of an event that lies before it. `known`: nothing else can have changed than what triggers it; `there`: the
    /// machine has come to the present with all its states.
    fn left_limit(&mut self, known: bool, shown: bool, there: bool) -> Result<(), SimError> {
        let past = self.has_past;
        if self.rows && shown {
            self.machine.look(true);
            let evaluated = if self.continuous { self.evaluate_before() } else { Ok(()) };
            let told = evaluated.and_then(|()| self.row(self.t));
            self.machine.look(false);
            told?;
            // The row showed the point that the step came to, which is off the surfaces by its errors.
            if there && self.surface.is_some() {
                self.close_surfaces()?;
            }
        }
        if past && self.continuous {
            self.evaluate_before()?;
        }
        if known {
            let focused = self.machine.focus(Some(&self.sources.trigger));
            self.focused = focused.map_err(|error| SimError::evaluation(self.t, error))?;
        }
        // Left limits of everything become `pre` values.
        if !self.focused && self.continuous && !past && !self.reach(there) {
            self.evaluate_before()?;
        }
        // Only now: what comes out from here on belongs to the right side.
        if past {
            self.comes_out |= self.machine.accept(std::mem::take(&mut self.told));
        }
        Ok(())
    }

    /// The event at the present time: iterate, log, plan. Has the motion to start again?
    pub(crate) fn happen(&mut self, kind: EventKind) -> Result<bool, SimError> {
        let t = self.t;
        let fail = |error| SimError::evaluation(t, error);
        if self.log || kind == EventKind::State {
            self.iteration.remember(&*self.machine);
        }
        self.outcome.clear();
        let terminal = kind == EventKind::Terminal;
        if self.log && self.sources.inputs_change() {
            self.given_now.extend(self.sources.given.iter().map(|(slot, _)| *slot));
            self.machine.crossing(t, &mut self.given_now);
        }
        let Run { iteration, machine, sources, memory, outcome, log, .. } = self;
        iteration.run(&mut **machine, t, sources, terminal, *log, &memory.guesses, outcome)?;
        if std::mem::take(&mut self.focused) {
            self.machine.focus(None).map_err(fail)?;
        }
        if kind == EventKind::State && self.iteration.returned(&*self.machine, &self.outcome) {
            (self.outcome.changed, self.outcome.visible, self.outcome.affected) = (false, false, false);
        }
        if !self.outcome.restarts.is_empty() {
            self.restructure()?;
        }
        let outcome = &mut self.outcome;
        self.summary.event_iterations += u64::from(outcome.iterations);
        self.summary.warnings += outcome.warnings.len() as u64;
        for (text, span) in &outcome.warnings {
            self.sink.warning(self.t, text, *span);
        }
        if self.summary.terminated.is_none() {
            self.summary.terminated = outcome.terminate.take();
        }
        let spurious = kind == EventKind::State && !outcome.changed && self.sources.due.is_empty();
        match kind {
            EventKind::State if spurious => self.believe(false),
            EventKind::State => {
                self.believe(true);
                self.summary.state_events += 1;
            }
            EventKind::Time => self.summary.time_events += 1,
            _ => {}
        }
        self.outcome.affected |= std::mem::take(&mut self.comes_out);
        self.sources.judge(self.outcome.affected);
        if self.has_past {
            self.machine.accept(false);
        }
        let initial = kind == EventKind::Initial;
        self.sources.replan(&mut *self.machine, self.t, self.outcome.changed || initial)?;
        let restart = initial || self.outcome.affected;
        if self.log && !spurious {
            self.tell(kind, restart)?;
            self.given_now.clear();
        }
        if !self.machine.info().residuals.is_empty() && !spurious {
            self.verify()?;
        }
        // The first row is enough for what begins there.
        let repeats = initial && t > self.options.start;
        let shown = !repeats || self.outcome.visible || self.outcome.jumped;
        if self.rows && shown && !spurious {
            self.machine.look(true);
            let evaluated = if self.continuous { self.machine.outputs().map_err(fail) } else { Ok(()) };
            let told = evaluated.and_then(|()| self.row(t));
            self.machine.look(false);
            told?;
            self.schedule.pass(t);
        } else if initial && !self.rows {
            // A run that writes nothing must not begin where one that writes would fail.
            self.machine.look(true);
            let evaluated = if self.continuous { self.machine.outputs().map_err(fail) } else { Ok(()) };
            let sound = evaluated.and_then(|()| self.look_at_numbers(t));
            self.machine.look(false);
            sound?;
        }
        Ok(restart)
    }

    #[inline(never)]
    fn tell(&mut self, kind: EventKind, restarted: bool) -> Result<(), SimError> {
        let mut record = EventRecord::new(self.t, kind);
        let info = self.machine.info();
        for &source in &self.sources.due {
            let (text, span, became) = match self.sources.origin(source as usize) {
                Some(Source::Sampler(k)) => {
                    let (text, span) = &info.samplers[k as usize];
                    (text, *span, "tick")
                }
                Some(Source::Relation(r)) => {
                    let (relation, held) =
                        (&info.relations[r as usize], self.machine.relations()[r as usize]);
                    (&relation.text, relation.span, if held { "true" } else { "false" })
                }
                None => continue,
            };
            record.causes.push(Cause { text: text.clone(), span, became });
        }
        for &slot in &self.given_now {
            if let Some(var) = info.vars.iter().find(|var| var.given == Some(slot)) {
                record.causes.push(Cause { text: var.name.clone(), span: var.span, became: "set" });
            }
        }
        if kind == EventKind::State || self.whole_hit && kind == EventKind::Time {
            let hits = self.hits().into_iter().filter(|(r, _)| (*r as usize) < info.relations.len());
            for (relation, up) in hits {
                let relation_info = &info.relations[relation as usize];
                let now = self.machine.relations()[relation as usize];
                let became = match (now == self.held[relation as usize], now, up) {
                    (false, true, _) => "true",
                    (false, false, _) => "false",
                    (true, _, true) => "up",
                    (true, _, false) => "down",
                };
                record.causes.push(Cause {
                    text: relation_info.text.clone(),
                    span: relation_info.span,
                    became,
                });
            }
        }
        (record.changes, record.jumps) = self.iteration.story(&*self.machine, &self.outcome.restarts);
        self.tell_restarts(&mut record);
        record.fired.clone_from(&self.outcome.fired);
        record.iterations = self.outcome.iterations;
        record.restarted = restarted && kind != EventKind::Initial && !self.x.is_empty();
        self.sink.event(&record).map_err(|text| SimError::sink(self.t, text))
    }
}

impl Outcome {
    /// Forgets everything; storage is kept.
    fn clear(&mut self) {
        self.iterations = 0;
        (self.changed, self.visible, self.affected, self.jumped) = (false, false, false, false);
        self.fired.clear();
        self.warnings.clear();
        self.restarts.clear();
    }
}
