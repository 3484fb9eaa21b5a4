//! A machine whose inputs go by signals: before each evaluation they are put where the signals are at that time.
//!
//! Everything is passed on to the machine inside; what would evaluate several instants without coming back (steps as one
//! tape, events in a row) is declined as long as an input moves. A machine without signals is not wrapped and pays nothing.

use crate::machine::{
    Changes, Effects, Eval, Fault, Given, Machine, MachineInfo, Plan, Source, Start, Trigger,
};
use crate::saved::{get, put};
use crate::shortcuts::{
    Burst, Courses, Delays, Guest, Leave, LocalEvents, Motion, Passage, Reached, Regions, Replay, Shortcuts,
    Sides, Slopes, StateSets,
};
use crate::signal::Signal;
use kairos_base::Span;

/// The course of one input.
#[derive(Clone)]
struct Course {
    /// Where its values are set.
    slot: u32,
    signal: Signal,
    moves: bool,
}

struct Driven {
    machine: Box<dyn Machine>,
    courses: Vec<Course>,
    /// The jump that the present pieces begin with, or the start.
    since: f64,
    /// Inputs that move: places in `values`, and slots.
    moving: Vec<(u32, u32)>,
    values: Vec<f64>,
}

/// A machine whose inputs follow signals from `start` on; each with the slot that takes its values (`VarInfo::given`).
pub fn drive(mut machine: Box<dyn Machine>, signals: Vec<(u32, Signal)>, start: f64) -> Box<dyn Machine> {
    if signals.is_empty() {
        return machine;
    }
    let course = |(slot, signal): (u32, Signal)| Course { slot, moves: signal.moves(), signal };
    let courses: Vec<Course> = signals.into_iter().map(course).collect();
    for Course { slot, signal, .. } in &courses {
        machine.set(*slot, Given::Number(signal.at(start, start)));
    }
    let moving = courses.iter().filter(|course| course.moves).zip(0..).map(|(course, k)| (k, course.slot));
    let moving: Vec<(u32, u32)> = moving.collect();
    let values = vec![0.0; moving.len()];
    Box::new(Driven { machine, courses, since: start, moving, values })
}

impl Driven {
    /// Puts the inputs where they are at a time.
    #[inline]
    fn place(&mut self, time: f64) {
        if self.moving.is_empty() {
            return;
        }
        let moving = self.courses.iter().filter(|course| course.moves);
        for (value, course) in self.values.iter_mut().zip(moving) {
            *value = course.signal.at(time, self.since);
        }
        self.machine.set_inputs(&self.moving, &self.values);
    }
}

impl Driven {
    /// A machine that moves by itself gets its inputs at all points at which it takes them.
    fn accompany(&mut self, time: f64) {
        loop {
            let point = self.machine.next_point();
            if self.moving.is_empty() || !point.is_finite() || point >= time {
                return;
            }
            self.place(point);
            self.machine.set_time(point);
            // What fails is told when somebody asks.
            if self.machine.outputs().is_err() {
                return;
            }
        }
    }

    /// Only these inputs follow their signals from now on.
    fn follow(&mut self, wanted: impl Fn(u32) -> bool) {
        let before = self.courses.len();
        self.courses.retain(|course| wanted(course.slot));
        if self.courses.len() < before {
            self.moving.retain(|(_, moving)| wanted(*moving));
            self.moving.iter_mut().zip(0..).for_each(|((place, _), k)| *place = k);
            self.values.truncate(self.moving.len());
        }
    }
}

impl Machine for Driven {
    fn info(&self) -> &MachineInfo {
        self.machine.info()
    }

    fn values(&self) -> &[f64] {
        self.machine.values()
    }

    fn string(&self, slot: u32) -> &str {
        self.machine.string(slot)
    }

    /// What is set by hand follows no signal any more.
    fn set(&mut self, slot: u32, given: Given<'_>) {
        self.follow(|followed| followed != slot);
        self.machine.set(slot, given);
    }

    fn set_time(&mut self, time: f64) {
        self.accompany(time);
        self.place(time);
        self.machine.set_time(time);
    }

    fn set_states(&mut self, x: &[f64]) {
        self.machine.set_states(x);
    }

    fn initialise(&mut self) -> Eval<Start> {
        self.machine.initialise()
    }

    fn derivatives(&mut self, dx: &mut [f64]) -> Eval {
        self.machine.derivatives(dx)
    }

    fn crossings(&mut self, z: &mut [f64]) -> Eval {
        self.machine.crossings(z)
    }

    fn outputs(&mut self) -> Eval {
        self.machine.outputs()
    }

    fn warnings(&mut self, warnings: &mut Vec<(String, Span)>) {
        self.machine.warnings(warnings);
    }

    fn event(&mut self, samples: &[bool], terminal: bool, effects: &mut Effects) -> Eval {
        self.machine.event(samples, terminal, effects)
    }

    fn advance_pre(&mut self, changes: &mut Changes) {
        self.machine.advance_pre(changes);
    }

    fn relations(&self) -> &[bool] {
        self.machine.relations()
    }

    fn plan(&mut self, source: Source) -> Eval<Plan> {
        self.machine.plan(source)
    }

    fn clone_machine(&self) -> Box<dyn Machine> {
        Box::new(Driven {
            machine: self.machine.clone_machine(),
            courses: self.courses.clone(),
            since: self.since,
            moving: self.moving.clone(),
            values: self.values.clone(),
        })
    }

    /// The signals are those of whoever goes on with the run.
    fn save(&self, to: &mut Vec<u8>) -> Result<(), String> {
        let Driven { machine, courses, since, moving: _, values: _ } = self;
        let followed: Vec<u32> = courses.iter().map(|course| course.slot).collect();
        put(to, &(since, followed))?;
        machine.save(to)
    }

    fn restore(&mut self, mut from: &[u8]) -> Result<(), String> {
        let followed: Vec<u32>;
        (self.since, followed) = get(&mut from)?;
        if followed.iter().any(|slot| self.courses.iter().all(|course| course.slot != *slot)) {
            return Err("an input that followed a signal has none now".into());
        }
        self.follow(|slot| followed.contains(&slot));
        self.machine.restore(from)
    }

    fn shortcuts(&self) -> Option<&dyn Shortcuts> {
        Some(self)
    }

    fn shortcuts_mut(&mut self) -> Option<&mut dyn Shortcuts> {
        Some(self)
    }
}

impl Courses for Driven {
    fn next_jump(&self) -> f64 {
        self.courses.iter().map(|c| c.signal.next_jump(self.since)).fold(f64::INFINITY, f64::min)
    }

    fn next_bend(&self, after: f64) -> f64 {
        let moving = self.courses.iter().filter(|course| course.moves);
        moving.map(|course| course.signal.next_bend(after)).fold(f64::INFINITY, f64::min)
    }

    fn cross(&mut self, time: f64) -> bool {
        while self.next_jump() <= time {
            self.since = self.next_jump();
        }
        let mut moved = false;
        for Course { slot, signal, .. } in &self.courses {
            let value = signal.at(time, self.since);
            if self.machine.values()[*slot as usize] != value {
                moved |= self.machine.info().inputs.contains(slot);
                self.machine.set(*slot, Given::Number(value));
            }
        }
        moved
    }

    fn crossing(&self, time: f64, slots: &mut Vec<u32>) {
        let jumping = self.courses.iter().filter(|course| course.signal.next_jump(self.since) <= time);
        slots.extend(jumping.map(|course| course.slot));
    }
}

impl LocalEvents for Driven {
    fn focus(&mut self, trigger: Option<&Trigger>) -> Eval<bool> {
        self.machine.focus(trigger)
    }

    fn reached(&self, source: Source) -> Reached<'_> {
        self.machine.reached(source)
    }

    fn burst(&mut self, source: Source, leave: Leave) -> Eval<Option<Burst>> {
        if self.moving.is_empty() { self.machine.burst(source, leave) } else { Ok(None) }
    }

    fn pass(&mut self, samples: &[bool]) -> Option<Passage> {
        self.machine.pass(samples)
    }

    fn set_state(&mut self, state: u32, value: f64) {
        self.machine.set_state(state, value);
    }

    fn set_inputs(&mut self, list: &[(u32, u32)], given: &[f64]) {
        self.machine.set_inputs(list, given);
    }

    fn replanned(&mut self, relations: &mut Vec<u32>) -> bool {
        self.machine.replanned(relations)
    }

    fn unread(&mut self, relations: &mut [bool]) -> Eval {
        self.machine.unread(relations)
    }

    fn left_limit(&mut self) -> Eval {
        self.machine.left_limit()
    }
}

impl Delays for Driven {
    fn accept(&mut self, continues: bool) -> bool {
        self.machine.accept(continues)
    }

    fn distance_of_jumps(&mut self) -> Eval<f64> {
        self.machine.distance_of_jumps()
    }

    fn shortest_delay(&self) -> f64 {
        self.machine.shortest_delay()
    }

    fn delay_event(&self) -> f64 {
        self.machine.delay_event()
    }
}

impl Regions for Driven {
    /// Parts that read inputs are none (`MachineInfo::parts`).
    fn part(&mut self, index: usize) -> Option<&mut dyn Machine> {
        self.machine.part(index)
    }

    fn revision(&self, part: usize) -> u64 {
        self.machine.revision(part)
    }
}

impl Sides for Driven {
    fn pin(&mut self, relations: &[(u32, bool)]) {
        self.machine.pin(relations);
    }
}

impl StateSets for Driven {
    fn reselect(&mut self) -> Eval<bool> {
        self.machine.reselect()
    }
}

impl Motion for Driven {
    fn derivatives_at(&mut self, time: f64, x: &[f64], dx: &mut [f64]) -> Eval {
        self.place(time);
        self.machine.derivatives_at(time, x, dx)
    }

    fn crossings_at(&mut self, time: f64, x: &[f64], z: &mut [f64]) -> Eval {
        self.place(time);
        self.machine.crossings_at(time, x, z)
    }

    fn leap(&mut self, time: f64, from: &[f64], to: &mut [f64]) -> bool {
        self.moving.is_empty() && self.machine.leap(time, from, to)
    }

    fn jacobian(&mut self, values: &mut [Vec<f64>]) -> Eval<bool> {
        self.machine.jacobian(values)
    }

    fn guesses(&self, guesses: &mut Vec<f64>) {
        self.machine.guesses(guesses);
    }

    fn set_guesses(&mut self, guesses: &[f64]) {
        self.machine.set_guesses(guesses);
    }

    fn quicken(&self) {
        self.machine.quicken();
    }
}

impl Replay for Driven {
    fn snapshot(&self, values: &mut Vec<f64>) -> bool {
        self.machine.snapshot(values)
    }

    fn prepare_replay(&mut self) -> Eval {
        self.machine.prepare_replay()
    }

    fn go_back(&mut self, values: &[f64]) -> bool {
        self.machine.go_back(values)
    }
}

impl Guest for Driven {
    fn announce(&mut self, stop: f64, tolerance: f64, step: Option<f64>) {
        self.machine.announce(stop, tolerance, step);
    }

    fn next_point(&self) -> f64 {
        self.machine.next_point()
    }

    fn ended(&self) -> Option<f64> {
        self.machine.ended()
    }
}

/// Capabilities that the machine inside has not are answered as if there were none (`crate::ask`).
impl Shortcuts for Driven {
    fn left_open(&self) -> Vec<Fault> {
        self.machine.shortcuts().map_or(Vec::new(), Shortcuts::left_open)
    }

    fn local_events(&self) -> Option<&dyn LocalEvents> {
        Some(self)
    }

    fn local_events_mut(&mut self) -> Option<&mut dyn LocalEvents> {
        Some(self)
    }

    fn delays(&self) -> Option<&dyn Delays> {
        Some(self)
    }

    fn delays_mut(&mut self) -> Option<&mut dyn Delays> {
        Some(self)
    }

    fn regions(&self) -> Option<&dyn Regions> {
        Some(self)
    }

    fn regions_mut(&mut self) -> Option<&mut dyn Regions> {
        Some(self)
    }

    fn sides_mut(&mut self) -> Option<&mut dyn Sides> {
        self.machine.shortcuts_mut().and_then(Shortcuts::sides_mut).is_some().then_some(self)
    }

    fn state_sets_mut(&mut self) -> Option<&mut dyn StateSets> {
        Some(self)
    }

    fn motion(&self) -> Option<&dyn Motion> {
        Some(self)
    }

    fn motion_mut(&mut self) -> Option<&mut dyn Motion> {
        Some(self)
    }

    fn replay(&self) -> Option<&dyn Replay> {
        Some(self)
    }

    fn replay_mut(&mut self) -> Option<&mut dyn Replay> {
        Some(self)
    }

    fn courses(&self) -> Option<&dyn Courses> {
        Some(self)
    }

    fn courses_mut(&mut self) -> Option<&mut dyn Courses> {
        Some(self)
    }

    fn guest(&self) -> Option<&dyn Guest> {
        Some(self)
    }

    fn guest_mut(&mut self) -> Option<&mut dyn Guest> {
        Some(self)
    }

    fn slopes_mut(&mut self) -> Option<&mut dyn Slopes> {
        self.machine.shortcuts_mut().and_then(Shortcuts::slopes_mut)
    }
}
