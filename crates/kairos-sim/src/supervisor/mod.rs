//! The order of a run: initialise, then integrate from event to event, to the end.

mod apart;
mod beyond;
mod restructure;
mod trail;
mod watching;

use crate::calendar::{Calendar, Sampler, same_instant};
use crate::crossing::Watch;
use crate::integrate;
use crate::iterate::{Iteration, Outcome};
use crate::recurrence::History;
use crate::schedule::Schedule;
use crate::separate::Solvers;
use crate::surface::{EXITS, Surface};
use crate::system::Memory;
use crate::{Cause, EventKind, EventRecord, SimError, SimOptions, Sink, Summary};
use apart::Lookout;
use beyond::may_hide_an_event;
use kairos_code::{EvalError, Machine};
use kairos_expr::Scalar;

/// Runs a machine from start to stop. Rows and events go to the sink as they happen, so that after a failure
/// everything up to it has been told.
pub fn simulate(
    machine: &mut dyn Machine,
    options: &SimOptions,
    sink: &mut dyn Sink,
) -> Result<Summary, SimError> {
    integrate::check(options)?;
    let mut run = Run::start(machine, options, sink)?;
    while run.t < run.options.stop && run.summary.terminated.is_none() {
        run.advance()?;
    }
    run.finish()
}

/// A run looks at its crossing functions at least this often.
const GLANCES: f64 = 200.0;

pub(crate) struct Run<'a> {
    pub machine: &'a mut dyn Machine,
    pub options: &'a SimOptions,
    pub sink: &'a mut dyn Sink,
    pub t: f64,
    pub x: Vec<f64>,
    slope: Vec<f64>,
    moved: Vec<f64>,
    around: [Vec<f64>; 2],
    /// Just restarted: nothing is known yet about what comes.
    pub fresh: bool,
    pub solver: Solvers,
    pub memory: Memory,
    /// Motion along a switching surface, and the solver that waits for its end.
    pub surface: Option<Surface>,
    pub parked: Option<Solvers>,
    /// Slots of the states that the solver was made for.
    pub layout: Vec<u32>,
    /// Surfaces along which the motion went until the present event.
    pub slid: Vec<u32>,
    pub history: History,
    pub watch: Watch,
    /// Parts that are searched by themselves; the watch has the other relations.
    lookouts: Vec<Lookout>,
    /// The last hit was one of the watch.
    pub whole_hit: bool,
    /// All relations that are found by search.
    pub searched: Vec<u32>,
    /// Relation values as held since the last event.
    pub held: Vec<bool>,
    calendar: Calendar,
    samplers: Vec<Sampler>,
    time_relations: Vec<u32>,
    /// Samplers that tick at this instant, and all sources that are due.
    ticks: Vec<bool>,
    due: Vec<u32>,
    /// Sources whose last event the continuous part could see: steps end at their next one.
    visible: Vec<bool>,
    pub iteration: Iteration,
    pub outcome: Outcome,
    schedule: Schedule,
    /// Slots of all real variables, each with a variable that names it.
    pub numbers: Vec<(u32, u32)>,
    /// Is there anything that changes between events?
    continuous: bool,
    pub rows: bool,
    pub log: bool,
    pub summary: Summary,
}

impl<'a> Run<'a> {
    fn start(
        machine: &'a mut dyn Machine,
        options: &'a SimOptions,
        sink: &'a mut dyn Sink,
    ) -> Result<Self, SimError> {
        let t = options.start;
        let at_start = |error: EvalError| SimError::evaluation(t, error);
        machine.set_time(t);
        machine.update_parameters().map_err(at_start)?;
        let assumptions = machine.initialise().map_err(at_start)?;
        let info = machine.info();
        let (states, sampler_count) = (info.states.len(), info.samplers.len());
        let numbered = || info.relations.iter().enumerate();
        let time_relations: Vec<u32> = numbered().filter(|(_, r)| r.by_time).map(|(i, _)| i as u32).collect();
        let searched: Vec<u32> = numbered().filter(|(_, r)| !r.by_time).map(|(i, _)| i as u32).collect();
        let sources = sampler_count + time_relations.len() + usize::from(info.needs_history);
        let continuous = info.vars.iter().any(|var| !var.is_parameter && !var.is_discrete);
        let relations = info.relations.len();
        let samplers = samplers(machine, options)?;
        let numbers = numbers(machine);
        let mut run = Run {
            numbers,
            iteration: Iteration::new(machine),
            solver: Solvers::new(machine, options, !searched.is_empty())?,
            memory: Memory::new(machine),
            layout: machine.info().states.clone(),
            surface: None,
            parked: None,
            slid: Vec::new(),
            lookouts: Vec::new(),
            whole_hit: false,
            history: History::default(),
            watch: Watch::new(
                relations + EXITS,
                searched.clone(),
                options.stop - options.start,
                options.tolerance,
            ),
            searched,
            held: vec![false; relations + EXITS],
            t,
            x: vec![0.0; states],
            slope: vec![0.0; states],
            moved: vec![0.0; states],
            around: Default::default(),
            fresh: false,
            calendar: Calendar::new(sources),
            samplers,
            time_relations,
            ticks: vec![false; sampler_count],
            due: Vec::with_capacity(sources),
            visible: vec![true; sources],
            outcome: Outcome::default(),
            schedule: Schedule::new(options),
            continuous,
            rows: sink.wants_rows(),
            log: sink.wants_events(),
            summary: Summary { assumptions, ..Summary::default() },
            machine,
            options,
            sink,
        };
        run.watch.orient(run.machine.info().relations.iter().map(|r| r.true_side));
        for (source, sampler) in run.samplers.iter().enumerate() {
            run.calendar.set(source, sampler.next());
        }
        run.sink.begin(run.machine).map_err(|text| SimError::sink(t, text))?;
        run.machine.get_states(&mut run.x);
        run.separate();
        run.collect_due();
        run.happen(EventKind::Initial)?;
        run.due.clear();
        run.ticks.fill(false);
        Ok(run)
    }

    /// To the next event, or to the end of the next step.
    fn advance(&mut self) -> Result<(), SimError> {
        let (stop, began) = (self.options.stop, self.t);
        let idle = self.x.is_empty() && self.watch.is_idle();
        self.whole_hit = false;
        if std::mem::take(&mut self.fresh) && !idle {
            self.whole_hit = !self.peek_parts()? && self.peek()?;
            if self.whole_hit || self.t > began {
                return self.instant(true);
            }
        }
        let end = if idle {
            stop
        } else {
            if self.t >= self.solver.span().1 && self.step()? {
                self.whole_hit = true;
                return self.instant(true);
            }
            self.solver.span().1
        };
        let planned = self.calendar.next();
        let mut end = end.min(planned).max(self.t);
        let mut hit = None;
        if !self.lookouts.is_empty() {
            let (first, known) = self.look_ahead()?;
            end = end.min(known);
            hit = first.filter(|&first| first <= end);
            end = hit.unwrap_or(end);
        }
        if !self.watch.is_idle() {
            // Crossing functions may vary faster than the states, whose steps can be very long.
            let glance = (self.options.stop - self.options.start) / GLANCES;
            end = end.min(self.t + glance);
            let found = self.search(end)?;
            self.whole_hit = found.is_some();
            hit = found.or(hit.filter(|&hit| hit <= end));
        }
        if self.surface.is_none() {
            // What changes sides just when something is planned needs no name of its own.
            hit = hit.filter(|&hit| planned > hit && !same_instant(planned, hit));
        }
        let next = hit.unwrap_or_else(|| self.reached(end, idle));
        let event = hit.is_some() || planned <= next || same_instant(planned, next);
        self.memory.look_back(self.machine);
        self.output_until(next, event)?;
        self.t = next;
        self.memory.look_ahead(self.machine);
        if event {
            return self.instant(hit.is_some());
        }
        self.memory.keep_guesses(self.machine);
        if self.machine.info().needs_history {
            self.evaluate_at(next)?;
            self.machine.accept();
        }
        if self.machine.info().state_sets > 0 && next >= self.solver.span().1 {
            self.evaluate_at(next)?;
            let changed = self.machine.reselect().map_err(|e| SimError::evaluation(next, e))?;
            return if changed { self.resume(true) } else { Ok(()) };
        }
        Ok(())
    }

    /// An event at the present time, found by a search or planned.
    fn instant(&mut self, found: bool) -> Result<(), SimError> {
        self.collect_due();
        self.left_limit(!(found && self.is_beginning()))?;
        let cause = if found { self.leave_surfaces()? } else { None };
        if !found && self.t >= self.options.stop {
            // What is planned for the very end is part of the terminal event.
            return Ok(());
        }
        let suspected = self.history.suspects_sliding(self.t, self.time_scale());
        let left = suspected.then(|| self.machine.clone_machine());
        let kind = match found {
            // What leaves zero as the run begins belongs to its beginning.
            true if self.is_beginning() => EventKind::Initial,
            true => EventKind::State,
            false => EventKind::Time,
        };
        self.happen(kind)?;
        self.due.clear();
        self.ticks.fill(false);
        self.recur(cause, left)
    }

    /// Is the present time the start of the run, but for round-off?
    fn is_beginning(&self) -> bool {
        self.t - self.options.start <= 1e-12 * self.options.stop.abs()
    }

    /// A search may have cut the step short.
    fn reached(&self, end: f64, idle: bool) -> f64 {
        if idle { end } else { end.min(self.solver.span().1) }
    }

    /// Takes a step; true if it failed because of an event, which is then the present time.
    fn step(&mut self) -> Result<bool, SimError> {
        let mut limit = self.options.stop;
        for (source, visible) in self.visible.iter().enumerate() {
            let planned = self.calendar.time_of(source);
            if *visible && planned > self.t {
                limit = limit.min(planned);
            }
        }
        if let Err(stuck) = self.solver.step(self.machine, &mut self.memory, &mut self.surface, limit) {
            self.gather_here()?;
            if may_hide_an_event(&stuck.failure) && self.find_beyond() {
                return Ok(true);
            }
            return Err(stuck.error);
        }
        let events = self.summary.state_events + self.summary.time_events;
        self.sink.progress(self.t, events);
        Ok(false)
    }

    /// Rows for the output points on the way to `next`; an event there writes its own.
    fn output_until(&mut self, next: f64, event: bool) -> Result<(), SimError> {
        if !self.rows {
            return Ok(());
        }
        let mut from = self.t;
        loop {
            let point = self.schedule.next();
            let there = same_instant(point, next);
            if event && there {
                self.schedule.pass(next);
                return Ok(());
            }
            if point > next && !there {
                return Ok(());
            }
            if next - point < point - from {
                self.memory.look_ahead(self.machine);
            }
            from = point;
            self.evaluate_at(point.min(next))?;
            self.row(point)?;
            self.schedule.pass(point);
        }
    }

    /// Brings the machine to the present time, with all that an event may read; false if something has no value.
    fn reach(&mut self) -> bool {
        if !self.x.is_empty() {
            self.solver.at(self.t, &mut self.x);
            self.machine.set_states(&self.x);
        }
        self.machine.set_time(self.t);
        self.machine.left_limit().is_ok()
    }

    /// All variables at a time within the last step, with relations frozen.
    fn evaluate_at(&mut self, time: f64) -> Result<(), SimError> {
        let fail = |error| SimError::evaluation(time, error);
        if !self.x.is_empty() {
            self.solver.at(time, &mut self.x);
            self.machine.set_states(&self.x);
        }
        self.machine.set_time(time);
        self.machine.outputs().map_err(fail)
    }

    pub fn row(&mut self, time: f64) -> Result<(), SimError> {
        let mixed = self.show_mixture(time)?;
        let values = self.machine.values();
        let wrong = |slot: &&(u32, u32)| !values[slot.0 as usize].is_finite();
        if let Some(&(slot, var)) = self.numbers.iter().find(wrong) {
            let name = &self.machine.info().vars[var as usize].name;
            return Err(SimError::not_finite(time, name, values[slot as usize]));
        }
        self.summary.rows += 1;
        self.sink.row(time, self.machine).map_err(|text| SimError::sink(time, text))?;
        if mixed {
            // Rows are to be looked at: the run goes on as it would without them.
            self.machine.set_states(&self.x);
            self.machine.outputs().map_err(|e| SimError::evaluation(time, e))?;
        }
        Ok(())
    }

    /// Takes everything out of the calendar that is due now. Instants that differ by rounding are one, the last of
    /// them, at which all their conditions hold.
    fn collect_due(&mut self) {
        self.due.clear();
        self.ticks.fill(false);
        loop {
            let planned = self.calendar.next();
            if !(planned <= self.t || same_instant(planned, self.t)) {
                break;
            }
            if let Some(source) = self.calendar.pop_until(planned) {
                self.due.push(source as u32);
                if let Some(tick) = self.ticks.get_mut(source) {
                    *tick = true;
                }
            }
            self.t = self.t.max(planned);
        }
    }

    fn left_limit(&mut self, shown: bool) -> Result<(), SimError> {
        if self.continuous && (self.rows || !self.reach()) {
            self.evaluate_before()?;
        } else {
            self.machine.set_time(self.t);
        }
        if self.machine.info().needs_history {
            self.machine.accept();
        }
        if self.rows && shown { self.row(self.t) } else { Ok(()) }
    }

    /// The event at the present time: iterate, log, restart what must be.
    fn happen(&mut self, kind: EventKind) -> Result<(), SimError> {
        self.iteration.remember(self.machine, self.log);
        let outcome = &mut self.outcome;
        outcome.iterations = 0;
        (outcome.changed, outcome.visible, outcome.affected, outcome.jumped) = (false, false, false, false);
        outcome.fired.clear();
        outcome.warnings.clear();
        outcome.restarts.clear();
        let terminal = kind == EventKind::Terminal;
        self.iteration.run(self.machine, self.t, &self.ticks, terminal, &self.memory.guesses, outcome)?;
        let restructured = !self.outcome.restarts.is_empty();
        if restructured {
            self.restructure()?;
        }
        let outcome = &mut self.outcome;
        self.summary.event_iterations += u64::from(outcome.iterations);
        self.summary.warnings += outcome.warnings.len() as u64;
        for (text, span) in &outcome.warnings {
            self.sink.warning(self.t, text, *span);
        }
        self.summary.terminated = self.summary.terminated.take().or_else(|| outcome.terminate.take());
        let spurious = kind == EventKind::State && !outcome.changed && self.due.is_empty();
        match kind {
            EventKind::State if spurious => self.believe(false),
            EventKind::State => {
                self.believe(true);
                self.summary.state_events += 1;
            }
            EventKind::Time => self.summary.time_events += 1,
            _ => {}
        }
        for &source in &self.due {
            self.visible[source as usize] = self.outcome.affected;
        }
        if self.machine.info().needs_history {
            self.machine.accept();
        }
        self.replan(kind)?;
        let restart = kind == EventKind::Initial || self.outcome.affected;
        if self.log && !spurious {
            self.tell(kind, restart)?;
        }
        // The first row is enough for what begins there.
        let repeats = kind == EventKind::Initial && self.t > self.options.start;
        let shown = !repeats || self.outcome.visible || self.outcome.jumped;
        if self.rows && shown && !spurious {
            if self.continuous {
                self.machine.outputs().map_err(|e| SimError::evaluation(self.t, e))?;
            }
            self.row(self.t)?;
            self.schedule.pass(self.t);
        }
        if terminal {
            return Ok(());
        }
        self.resume(restart)
    }

    /// Plans the next instants of what was due, and of all time relations where something has changed.
    fn replan(&mut self, kind: EventKind) -> Result<(), SimError> {
        let count = self.samplers.len();
        for &source in &self.due {
            if let Some(sampler) = self.samplers.get_mut(source as usize) {
                let next = sampler.advance(self.t);
                self.calendar.set(source as usize, next);
            }
        }
        if self.machine.info().needs_history {
            self.calendar.set(count + self.time_relations.len(), self.machine.delay_event());
        }
        if self.outcome.changed || !self.due.is_empty() || kind == EventKind::Initial {
            for (k, &relation) in self.time_relations.iter().enumerate() {
                let next = self.machine.time_event(relation as usize);
                let next = next.map_err(|e| SimError::evaluation(self.t, e))?;
                // An instant that is already here can only mean just after.
                self.calendar.set(count + k, if next <= self.t { self.t.next_up() } else { next });
            }
        }
        Ok(())
    }

    /// Goes on after an event: the integrator restarts only if the continuous part has seen it.
    fn resume(&mut self, restart: bool) -> Result<(), SimError> {
        self.memory.keep_guesses(self.machine);
        if restart {
            self.machine.get_states(&mut self.x);
            self.solver.restart(self.t, &self.x, self.machine);
            self.summary.restarts += u64::from(!self.x.is_empty());
            self.fresh = true;
        }
        if !self.watch.is_idle() {
            self.rearm()?;
        }
        if !self.lookouts.is_empty() {
            self.rearm_parts()?;
        }
        Ok(())
    }

    fn tell(&mut self, kind: EventKind, restarted: bool) -> Result<(), SimError> {
        let mut record = EventRecord::new(self.t, kind);
        let info = self.machine.info();
        for &source in &self.due {
            let source = source as usize;
            let (text, span, became) = match source.checked_sub(self.samplers.len()) {
                None => (&info.samplers[source].0, info.samplers[source].1, "tick"),
                Some(k) => {
                    let Some(&relation) = self.time_relations.get(k) else { continue };
                    let relation = relation as usize;
                    let became = if self.machine.relations()[relation] { "true" } else { "false" };
                    (&info.relations[relation].text, info.relations[relation].span, became)
                }
            };
            record.causes.push(Cause { text: text.clone(), span, became });
        }
        if kind == EventKind::State {
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
        (record.changes, record.jumps) = self.iteration.story(self.machine, &self.outcome.restarts);
        self.tell_restarts(&mut record);
        record.fired.clone_from(&self.outcome.fired);
        record.iterations = self.outcome.iterations;
        record.restarted = restarted && kind != EventKind::Initial && !self.x.is_empty();
        self.sink.event(&record).map_err(|text| SimError::sink(self.t, text))
    }

    /// The terminal event, and the sum of the effort.
    fn finish(mut self) -> Result<Summary, SimError> {
        self.happen(EventKind::Terminal)?;
        self.solver.effort(&mut self.summary);
        if let Some(parked) = &self.parked {
            parked.effort(&mut self.summary);
        }
        self.gather();
        self.summary.crossing_evaluations = self.watch.evaluations;
        self.summary.end = self.t;
        Ok(self.summary)
    }
}

fn numbers(machine: &dyn Machine) -> Vec<(u32, u32)> {
    let vars = machine.info().vars.iter().enumerate();
    let reals = vars.filter(|(_, var)| var.ty == Scalar::Real && !var.is_parameter);
    let mut numbers: Vec<(u32, u32)> = reals.map(|(k, var)| (var.slot, k as u32)).collect();
    numbers.sort_unstable();
    numbers.dedup_by_key(|(slot, _)| *slot);
    numbers
}

fn samplers(machine: &mut dyn Machine, options: &SimOptions) -> Result<Vec<Sampler>, SimError> {
    let mut samplers = Vec::new();
    for k in 0..machine.info().samplers.len() {
        let (start, interval) = machine.sampler(k).map_err(|e| SimError::evaluation(options.start, e))?;
        let scale = options.start.abs().max(options.stop.abs()).max(start.abs());
        if !(interval > 64.0 * f64::EPSILON * scale && start.is_finite()) {
            let (text, span) = &machine.info().samplers[k];
            let message = format!("`{text}` has the interval {interval}, which is too small or not positive");
            let mut error = SimError::new("wrong-sample", options.start, message);
            error.places.push((*span, String::new()));
            error.help.push("give it a positive interval".into());
            return Err(error);
        }
        samplers.push(Sampler::new(start, interval, options.start));
    }
    Ok(samplers)
}
