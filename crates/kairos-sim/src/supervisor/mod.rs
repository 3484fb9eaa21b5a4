//! The order of a run: initialise, then integrate from event to event, to the end.
//!
//! What most events do not need is never inlined: in one piece the way from event to event took 74 kilobytes, more than
//! processors keep at hand, and a tenth of the time.

mod apart;
mod beyond;
mod drift;
mod edge;
mod instant;
mod past;
mod restructure;
mod saved;
mod sources;
mod together;
mod trail;
mod verify;
mod watching;

use crate::calendar::same_instant;
use crate::crossing::Watch;
use crate::integrate;
use crate::iterate::{Iteration, Outcome};
use crate::modes::Past;
use crate::recurrence::History;
use crate::schedule::Schedule;
use crate::separate::Solvers;
use crate::sink::Output;
use crate::surface::Surface;
use crate::system::Memory;
use crate::{EventKind, SimError, SimOptions, Sink, Summary};
use apart::Lookout;
use beyond::may_hide_an_event;
use kairos_expr::{Scalar, Value};
use kairos_machine::{EvalError, INTEGER_LIMIT, Machine, Start, integer_overflow, not_a_number};
use kairos_program::VarInfo;
pub(crate) use sources::Sources;

/// A run looks at its crossing functions at least this often.
const GLANCES: f64 = 200.0;

/// Beside rows and events, asserts are asked at steps, but not more often than this.
const ASKED: f64 = 2000.0;

/// A run in the middle of its way. `Simulation` is what others see of it.
#[derive(Clone)]
pub(crate) struct Run<'a> {
    pub machine: Box<dyn Machine>,
    pub options: SimOptions,
    pub sink: Output<'a>,
    pub t: f64,
    pub x: Vec<f64>,
    pub slope: Vec<f64>,
    moved: Vec<f64>,
    /// States that an event reads.
    wanted: Vec<u32>,
    /// The parts that stand in the machine as they are now, by their places in the solver; `None`: all.
    brought: Option<Vec<usize>>,
    around: [Vec<f64>; 2],
    /// Just restarted: nothing is known yet about what comes.
    pub fresh: bool,
    /// When.
    restarted: f64,
    pub solver: Solvers,
    pub memory: Memory,
    /// Motion along a switching surface, and the solver that waits for its end.
    pub surface: Option<Surface>,
    /// The modes of the present round of ever quicker switching.
    pub round: Vec<Past>,
    pub parked: Option<Solvers>,
    /// Slots of the states that the solver was made for.
    pub layout: Vec<u32>,
    /// The states of the present event are those of so much later, just past a crossing that belongs to it.
    ahead: f64,
    /// Surfaces along which the motion went until the present event.
    pub slid: Vec<u32>,
    /// Relations beside them that only the mixture decides, with what it said.
    pub carried: Vec<(u32, bool)>,
    /// The tolerance is smaller than asked for, because errors of integration have switched something.
    pub closer: bool,
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
    pub(crate) sources: Sources,
    /// Inputs that were set at the present event, for its story.
    given_now: Vec<u32>,
    /// Some operator reads the past.
    has_past: bool,
    /// The way to the present point has been told to what reads the past, up to that point itself.
    told: bool,
    /// A jump has come out of an operator with memory: the motion goes on otherwise.
    comes_out: bool,
    /// Which relations are concerned by the next event is not known.
    entangled: bool,
    /// Where the motion last came to the edge of a domain.
    edge: f64,
    /// When asserts were asked last at a step.
    asked: f64,
    /// At the present event the states are not quite those of the step.
    corrected: bool,
    /// The present event evaluates only what it reaches.
    focused: bool,
    pub iteration: Iteration,
    pub outcome: Outcome,
    schedule: Schedule,
    /// Slots of all real variables, each with a variable that names it.
    pub numbers: Vec<(u32, u32)>,
    /// The same of Integer variables.
    integers: Vec<(u32, u32)>,
    /// Is there anything that changes between events?
    continuous: bool,
    pub rows: bool,
    pub log: bool,
    pub summary: Summary,
}

impl<'a> Run<'a> {
    pub fn start(
        mut machine: Box<dyn Machine>,
        options: SimOptions,
        sink: Box<dyn Sink + 'a>,
    ) -> Result<Self, SimError> {
        integrate::check(&options)?;
        let t = options.start;
        let at_start = |error: EvalError| SimError::evaluation(t, error);
        machine.announce(options.stop, options.tolerance, options.step);
        machine.set_time(t);
        let Start { assumptions, terminated } = machine.initialise().map_err(at_start)?;
        let info = machine.info();
        let states = info.states.len();
        let numbered = info.relations.iter().enumerate();
        let searched: Vec<u32> = numbered.filter(|(_, r)| !r.by_time).map(|(i, _)| i as u32).collect();
        let continuous = info.vars.iter().any(|var| !var.is_parameter() && !var.is_discrete);
        let (relations, has_past) = (info.relations.len(), info.needs_history);
        let sources = Sources::new(&mut *machine, &options)?;
        let numbers = slots(&*machine, |var| var.ty == Scalar::Real && !var.is_parameter());
        let integers = slots(&*machine, |var| var.ty == Scalar::Int && !var.is_parameter());
        machine.check_parameters().map_err(at_start)?;
        let mut run = Run {
            numbers,
            integers,
            iteration: Iteration::new(&*machine),
            solver: Solvers::new(&mut *machine, &options, !searched.is_empty())?,
            memory: Memory::new(&*machine),
            layout: machine.info().states.clone(),
            surface: None,
            round: Vec::new(),
            parked: None,
            slid: Vec::new(),
            carried: Vec::new(),
            closer: false,
            ahead: 0.0,
            lookouts: Vec::new(),
            whole_hit: false,
            history: History::default(),
            watch: Watch::new(relations, searched.clone(), options.range(), options.tolerance),
            searched,
            held: vec![false; relations],
            t,
            x: vec![0.0; states],
            slope: vec![0.0; states],
            moved: vec![0.0; states],
            wanted: Vec::new(),
            brought: None,
            around: Default::default(),
            fresh: false,
            restarted: t,
            sources,
            given_now: Vec::new(),
            has_past,
            told: false,
            comes_out: false,
            entangled: false,
            edge: f64::NEG_INFINITY,
            asked: f64::NEG_INFINITY,
            corrected: false,
            focused: false,
            outcome: Outcome::default(),
            schedule: Schedule::new(&options),
            continuous,
            rows: sink.wants_rows(),
            log: sink.wants_events(),
            summary: Summary { assumptions, terminated, ..Summary::default() },
            machine,
            options,
            sink: Output(sink),
        };
        run.watch.orient(run.machine.info().relations.iter().map(|r| r.true_side));
        run.sink.begin(&*run.machine).map_err(|text| SimError::sink(t, text))?;
        run.machine.get_states(&mut run.x);
        run.separate();
        run.t = run.sources.collect(run.t);
        // What was before the start is what initialisation found; what the event at the start changes comes out after the delay.
        if run.has_past {
            run.machine.outputs().map_err(at_start)?;
            run.machine.accept(false);
        }
        run.happen(EventKind::Initial)?;
        run.resume(true)?;
        run.sources.clear();
        if run.watch.goes_astray() {
            run.slide_from_edge()?;
            run.follow_carried()?;
        }
        Ok(run)
    }

    /// The same run from here on, told to another sink.
    pub fn fork(&self, mut sink: Box<dyn Sink + 'a>) -> Result<Self, SimError> {
        sink.begin(&*self.machine).map_err(|text| SimError::sink(self.t, text))?;
        let (rows, log) = (sink.wants_rows(), sink.wants_events());
        Ok(Self { sink: Output(sink), rows, log, ..self.clone() })
    }

    /// Gives an input another value from the present time on: an event, which happens before the run goes on or is
    /// looked at.
    pub fn give(&mut self, slot: u32, value: Value) {
        self.sources.given.retain(|(known, _)| *known != slot);
        self.sources.given.push((slot, value));
    }

    /// The event of the inputs that were given, if there are some.
    pub fn take_given(&mut self) -> Result<(), SimError> {
        if self.sources.given.is_empty() {
            return Ok(());
        }
        self.entangled = true;
        self.instant(false)
    }

    /// To the next event, to the end of the next step or to `pause`, whichever comes first.
    pub fn advance(&mut self, pause: f64) -> Result<(), SimError> {
        let (stop, began) = (self.options.stop, self.t);
        let idle = self.x.is_empty() && self.watch.is_idle();
        self.whole_hit = false;
        if std::mem::take(&mut self.fresh) && !idle {
            let among_parts = !self.lookouts.is_empty() && self.peek_parts()?;
            self.whole_hit = !among_parts && self.watch.is_on_edge() && self.peek()?;
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
        let planned = self.sources.next();
        let mut end = end.min(planned).min(pause).max(self.t);
        let comes_out = self.has_past && self.look_for_jumps(&mut end)?;
        let mut hit = None;
        if !self.lookouts.is_empty() {
            let (first, known) = self.look_ahead()?;
            end = end.min(known);
            hit = first.filter(|&first| first <= end);
            end = hit.unwrap_or(end);
        }
        if !self.watch.is_idle() {
            // Crossing functions may vary faster than the states, whose steps can be very long.
            let glance = self.options.range() / GLANCES;
            end = end.min(self.t + glance);
            let found = self.search(end)?;
            self.whole_hit = found.is_some();
            hit = found.or(hit.filter(|&hit| hit <= end));
        }
        let mut next = hit.unwrap_or_else(|| self.reached(end, idle));
        let mut back = 0.0;
        if hit.is_some_and(|hit| self.belongs_to(planned, hit)) {
            // What changes sides just when something is planned needs no name of its own.
            hit = None;
            self.entangled = true;
            next = next.max(planned);
            back = self.step_back(next);
        }
        let comes_out = comes_out && hit.is_none() && next == end;
        self.entangled |= comes_out;
        let mut event = hit.is_some() || comes_out || planned <= next || same_instant(planned, next);
        self.memory.look_back(&mut *self.machine);
        let ahead = match idle || self.surface.is_some() || back < 0.0 || self.is_alone(hit) {
            true => back,
            false => self.bring_together(end, &mut next, &mut hit, &mut event)?,
        };
        if hit.is_none() || self.surface.is_some() {
            self.pass_quiet(next.min(planned), event)?;
        }
        let next = next.max(self.t);
        let rows = self.summary.rows;
        if let Err(error) = self.output_until(next, event) {
            return self.end_or(error);
        }
        self.remember_way(next);
        self.t = next;
        self.ahead = ahead;
        self.memory.look_ahead(&mut *self.machine);
        if event {
            return self.instant(hit.is_some());
        }
        self.memory.keep_guesses(&*self.machine);
        if self.has_past {
            self.evaluate_at(next)?;
            self.machine.accept(std::mem::take(&mut self.told));
        } else if self.machine.info().asserts && self.summary.rows == rows {
            // A result with few rows must not leave an assert unasked.
            if next - self.asked >= self.options.range() / ASKED {
                self.asked = next;
                self.machine.look(true);
                let asked = self.evaluate_at(next).map_err(|error| self.first_failure(next, error));
                self.machine.look(false);
                asked?;
            }
        }
        if self.machine.info().state_sets > 0 && next >= self.solver.span().1 {
            self.evaluate_at(next)?;
            let changed = self.machine.reselect().map_err(|e| SimError::evaluation(next, e))?;
            return if changed { self.resume(true) } else { Ok(()) };
        }
        Ok(())
    }

    /// A machine that moves by itself may have ended the run; otherwise it has failed.
    #[inline(never)]
    fn end_or(&mut self, error: SimError) -> Result<(), SimError> {
        let Some(time) = self.machine.ended() else { return Err(error) };
        self.t = time.max(self.t);
        self.summary.terminated.get_or_insert(error.message);
        Ok(())
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
        let limit = self.sources.limit(self.t, self.options.stop).min(self.horizon());
        let limit = limit.min(self.machine.next_bend(self.t));
        self.memory.forget_glances();
        if let Err(stuck) = self.solver.step(&mut *self.machine, &mut self.memory, &mut self.surface, limit) {
            self.gather_here()?;
            if may_hide_an_event(&stuck.failure) {
                if self.find_beyond() {
                    return Ok(true);
                }
                if self.edge != self.t && self.reach_edge() {
                    self.edge = self.t;
                    return self.step();
                }
            }
            return Err(stuck.error);
        }
        self.tell_way()?;
        Ok(false)
    }

    /// Now and then: says how far the run is, and looks at what no row has shown.
    pub(super) fn tell_way(&mut self) -> Result<(), SimError> {
        let events = self.summary.state_events + self.summary.time_events;
        self.sink.progress(self.t, events).map_err(|text| SimError::sink(self.t, text))?;
        self.look_at_integers(self.t)
    }

    /// Integers have 32 bits: one that is larger, or was divided by zero, has no value.
    fn look_at_integers(&self, time: f64) -> Result<(), SimError> {
        let values = self.machine.values();
        let wrong = |slot: &&(u32, u32)| {
            let value = values[slot.0 as usize];
            value.abs() > INTEGER_LIMIT || value.is_nan()
        };
        let Some(&(slot, var)) = self.integers.iter().find(wrong) else { return Ok(()) };
        let name = &self.machine.info().vars[var as usize].name;
        let fault = integer_overflow(name, values[slot as usize]);
        Err(SimError::evaluation(time, EvalError::Fatal(fault)))
    }

    /// Rows for the output points on the way to `next`; an event there writes its own.
    fn output_until(&mut self, next: f64, event: bool) -> Result<(), SimError> {
        if !self.rows || self.schedule.next() > next && !same_instant(self.schedule.next(), next) {
            return Ok(());
        }
        self.machine.look(true);
        let told = self.show_until(next, event);
        self.machine.look(false);
        told
    }

    fn show_until(&mut self, next: f64, event: bool) -> Result<(), SimError> {
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
                self.memory.look_ahead(&mut *self.machine);
            }
            from = point;
            match self.evaluate_at(point.min(next)) {
                Ok(()) => self.row(point)?,
                // The branch in force may be out of its domain already, by the round-off with which its end is found: the
                // row of the event stands for this one.
                Err(_) if event && next - point <= self.watch.round_off(next) => {}
                Err(error) if error.code == "assertion-failed" => {
                    return Err(self.first_failure(point.min(next), error));
                }
                Err(error) => match self.show_straight(point.min(next)) {
                    true => self.row(point)?,
                    false => return Err(error),
                },
            }
            self.schedule.pass(point);
        }
    }

    /// Brings the machine to the present time, unless it is `there`, with all that an event may read; false if something
    /// has no value.
    fn reach(&mut self, there: bool) -> bool {
        if !there {
            self.go_to(self.t);
        }
        self.machine.left_limit().is_ok()
    }

    /// All variables at a time within the last step, with relations frozen.
    #[inline(never)]
    fn evaluate_at(&mut self, time: f64) -> Result<(), SimError> {
        self.go_to(time);
        self.machine.outputs().map_err(|error| SimError::evaluation(time, error))?;
        self.warn(time);
        Ok(())
    }

    /// All variables at the present time, for somebody who looks until `end_look`: the way on is as if nobody had.
    pub fn look(&mut self) -> Result<(), SimError> {
        self.machine.look(true);
        self.go_to(self.t);
        let evaluated = self.machine.outputs().map_err(|error| SimError::evaluation(self.t, error));
        evaluated.and_then(|()| self.show_mixture(self.t)).map(|_| ())
    }

    /// Nobody looks any more.
    pub fn end_look(&mut self) {
        self.machine.look(false);
    }

    /// Passes on what asserts of level warning say.
    #[inline(never)]
    fn warn(&mut self, time: f64) {
        let mut warnings = Vec::new();
        self.machine.warnings(&mut warnings);
        self.summary.warnings += warnings.len() as u64;
        for (text, span) in &warnings {
            self.sink.warning(time, text, *span);
        }
    }

    /// Time and states of the last step.
    fn go_to(&mut self, time: f64) {
        self.brought = None;
        if !self.x.is_empty() {
            if !self.corrected {
                self.solver.at(time + self.ahead, &mut self.x);
            }
            self.machine.set_states(&self.x);
        }
        self.machine.set_time(time);
    }

    /// Are all values finite, and the Integers within their range?
    fn look_at_numbers(&mut self, time: f64) -> Result<(), SimError> {
        self.look_at_integers(time)?;
        let values = self.machine.values();
        let wrong = |slot: &&(u32, u32)| !values[slot.0 as usize].is_finite();
        let Some(&(slot, var)) = self.numbers.iter().find(wrong) else { return Ok(()) };
        let info = &self.machine.info().vars[var as usize];
        let mut fault = not_a_number(&info.name, values[slot as usize]);
        fault.span = Some(info.span);
        Err(SimError::evaluation(time, EvalError::Fatal(fault)))
    }

    #[inline(never)]
    pub fn row(&mut self, time: f64) -> Result<(), SimError> {
        let mixed = self.show_mixture(time)?;
        self.look_at_numbers(time)?;
        self.summary.rows += 1;
        if mixed {
            self.sink.mixture();
        }
        self.sink.row(time, &*self.machine).map_err(|text| SimError::sink(time, text))?;
        if mixed {
            // Rows are to be looked at: the run goes on as it would without them.
            self.machine.set_states(&self.x);
            self.machine.outputs().map_err(|e| SimError::evaluation(time, e))?;
        }
        Ok(())
    }

    /// Goes on after an event: the integrator restarts only if the continuous part has seen it.
    pub(crate) fn resume(&mut self, restart: bool) -> Result<(), SimError> {
        self.memory.keep_guesses(&*self.machine);
        if restart {
            match &self.brought {
                Some(places) => self.solver.restart_some(self.t, &mut self.x, &mut *self.machine, places),
                None => {
                    self.machine.get_states(&mut self.x);
                    self.solver.restart(self.t, &self.x, &mut *self.machine);
                }
            }
            self.summary.restarts += u64::from(!self.x.is_empty());
            self.fresh = true;
            self.restarted = self.t;
        }
        if !self.watch.is_idle() {
            self.rearm()?;
        }
        if !self.lookouts.is_empty() {
            self.rearm_parts()?;
        }
        Ok(())
    }

    /// The terminal event, and the sum of the effort. It comes once, at the end.
    pub fn finish(&mut self) -> Result<(), SimError> {
        self.t = self.sources.collect(self.t);
        self.look_past_end()?;
        self.go_to(self.t);
        self.undo_drift();
        self.happen(EventKind::Terminal)?;
        self.look_at_integers(self.t)?;
        self.solver.effort(&mut self.summary);
        if let Some(parked) = &self.parked {
            parked.effort(&mut self.summary);
        }
        self.gather();
        self.summary.crossing_evaluations = self.watch.evaluations;
        self.summary.end = self.t;
        Ok(())
    }
}

fn slots(machine: &dyn Machine, wanted: impl Fn(&VarInfo) -> bool) -> Vec<(u32, u32)> {
    let vars = machine.info().vars.iter().enumerate();
    let found = vars.filter(|(_, var)| wanted(var));
    let mut numbers: Vec<(u32, u32)> = found.map(|(k, var)| (var.slot, k as u32)).collect();
    numbers.sort_unstable();
    numbers.dedup_by_key(|(slot, _)| *slot);
    numbers
}
