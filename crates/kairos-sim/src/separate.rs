//! Integration of parts that do not act on each other: each with its own steps, restarted only where something changed.

use crate::integrate::{Solver, step_error};
use crate::surface::{Surface, SurfaceSystem};
use crate::system::{Memory, System};
use crate::{SimError, SimOptions, Summary};
use kairos_machine::Machine;
use kairos_numerics::integrate::Failure;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The solution of the whole as far as all its parts have come.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Solvers {
    parts: Vec<Part>,
    span: (f64, f64),
    /// The solution as it was last asked for, and when.
    shown: (f64, Vec<f64>),
}

#[derive(Clone, Serialize, Deserialize)]
struct Part {
    /// Its number in the machine, and memory of its own; `None`: it is the whole.
    apart: Option<(usize, Memory)>,
    range: Range<usize>,
    solver: Solver,
    revision: u64,
}

/// A step that could not be made, for the supervisor and for the user.
pub(crate) struct Stuck {
    pub failure: Failure,
    pub error: SimError,
}

impl Stuck {
    fn new(failure: Failure, from: (f64, &[f64]), machine: &dyn Machine, memory: &mut Memory) -> Box<Self> {
        Box::new(Self { error: step_error(failure, from, machine, memory), failure })
    }
}

impl Solvers {
    /// The integrators that the options ask for; `searching` where crossing functions have to be watched.
    pub fn new(machine: &mut dyn Machine, options: &SimOptions, searching: bool) -> Result<Self, SimError> {
        let ranges: Vec<Range<usize>> = machine.info().parts.iter().map(|part| part.states.clone()).collect();
        let states = machine.info().states.len();
        let mut parts = Vec::new();
        // Steps of fixed length are the same for all; systems with several solutions are followed as a whole.
        let mut guesses = Vec::new();
        machine.guesses(&mut guesses);
        if !options.method.is_fixed_step() && guesses.is_empty() {
            for (number, range) in ranges.into_iter().enumerate().filter(|(_, range)| !range.is_empty()) {
                let Some(part) = machine.part(number) else { continue };
                let mut memory = Memory::new(part);
                let solver = Solver::new(part, &mut memory, options, searching)?;
                parts.push(Part { apart: Some((number, memory)), range, solver, revision: 0 });
            }
        }
        if parts.is_empty() {
            let mut memory = Memory::new(machine);
            let solver = Solver::new(machine, &mut memory, options, searching)?;
            parts.push(Part { apart: None, range: 0..states, solver, revision: 0 });
        }
        let span = (options.start, options.start);
        Ok(Self { parts, span, shown: (f64::NAN, vec![0.0; states]) })
    }

    /// An integrator for the motion along a surface.
    pub fn along(system: &SurfaceSystem, options: &SimOptions) -> Result<Self, SimError> {
        let machine: &dyn Machine = system.machine;
        let states = machine.info().states.len();
        let solver = Solver::along(system, machine, options)?;
        let parts = vec![Part { apart: None, range: 0..states, solver, revision: 0 }];
        let span = (options.start, options.start);
        Ok(Self { parts, span, shown: (f64::NAN, vec![0.0; states]) })
    }

    /// The solution goes on from here. Parts that stand where they would be anyway, with the equations they had, keep
    /// their steps.
    pub fn restart(&mut self, t: f64, x: &[f64], machine: &mut dyn Machine) {
        self.span = (t, t);
        if let [Part { apart: None, solver, .. }] = self.parts.as_mut_slice() {
            return solver.restart(t, x);
        }
        let mut there = std::mem::take(&mut self.shown);
        if there.0 != t {
            self.improve(t, &mut there.1);
        }
        for part in &mut self.parts {
            let (x, before) = (&x[part.range.clone()], &there.1[part.range.clone()]);
            let stays = x.iter().zip(before).all(|(a, b)| a.to_bits() == b.to_bits());
            if !(part.is_unchanged(t, machine) && stays) {
                part.solver.restart(t, x);
            }
        }
        self.shown = (f64::NAN, there.1);
    }

    /// As `restart`, where only some parts can have changed: the states of these are taken from the machine.
    pub fn restart_some(&mut self, t: f64, x: &mut [f64], machine: &mut dyn Machine, places: &[usize]) {
        self.span = (t, t);
        for &place in places {
            let part = &mut self.parts[place];
            let mut stays = part.is_unchanged(t, machine);
            let (states, values) = (&machine.info().states, machine.values());
            for k in part.range.clone() {
                let value = values[states[k] as usize];
                stays &= x[k].to_bits() == value.to_bits();
                x[k] = value;
            }
            if !stays {
                part.solver.restart(t, &x[part.range.clone()]);
            }
        }
    }

    /// As `restart`, of a part by its place in `numbers`; the others go on.
    pub fn restart_part(&mut self, place: usize, t: f64, x: &[f64]) {
        self.span = (t, t);
        self.parts[place].solver.restart(t, x);
    }

    /// The last steps were short for a reason that is gone: the next restart chooses anew.
    pub fn forget_step(&mut self) {
        self.parts.iter_mut().for_each(|part| part.solver.forget_step());
    }

    /// Steps of the parts that have come no farther than the whole; none passes `limit`.
    #[inline]
    pub fn step(
        &mut self,
        machine: &mut dyn Machine,
        memory: &mut Memory,
        surface: &mut Option<Surface>,
        limit: f64,
    ) -> Result<(), Box<Stuck>> {
        let from = self.span.1;
        let mut end = f64::INFINITY;
        for part in &mut self.parts {
            if part.solver.span().1 <= from {
                part.step(machine, memory, surface, from, limit)?;
            }
            end = end.min(part.solver.span().1);
        }
        self.span = (from, end);
        Ok(())
    }

    /// The interval of the last step.
    pub fn span(&self) -> (f64, f64) {
        self.span
    }

    /// The solution within the last step.
    #[inline]
    pub fn at(&mut self, t: f64, x: &mut [f64]) {
        if let [part] = self.parts.as_slice() {
            return part.solver.at(t, &mut x[part.range.clone()]);
        }
        for part in &self.parts {
            part.solver.at(t, &mut x[part.range.clone()]);
        }
        self.shown.0 = t;
        self.shown.1.copy_from_slice(x);
    }

    /// As `at`, of the parts that these states belong to, which are ascending; gives the places of the parts.
    pub fn some_at(&self, t: f64, states: &[u32], x: &mut [f64]) -> Vec<usize> {
        let mut places: Vec<usize> = Vec::new();
        for &state in states {
            let place = self.parts.partition_point(|part| part.range.end <= state as usize);
            if places.last() != Some(&place) {
                let part = &self.parts[place];
                part.solver.at(t, &mut x[part.range.clone()]);
                places.push(place);
            }
        }
        places
    }

    /// As `at`, of the parts at other places; gives the numbers of their states.
    pub fn others_at(&self, t: f64, places: &[usize], x: &mut [f64]) -> Vec<Range<usize>> {
        let others = self.parts.iter().enumerate().filter(|(place, _)| !places.contains(place));
        let others = others.map(|(_, part)| {
            part.solver.at(t, &mut x[part.range.clone()]);
            part.range.clone()
        });
        others.collect()
    }

    /// One state of it.
    pub fn state_at(&self, t: f64, state: usize) -> f64 {
        let part = self.parts.iter().find(|part| part.range.contains(&state));
        part.map_or(0.0, |part| part.solver.state_at(t, state - part.range.start))
    }

    /// The numbers in the machine of the parts that are integrated by themselves.
    pub fn numbers(&self) -> impl Iterator<Item = usize> + '_ {
        self.parts.iter().filter_map(|part| part.apart.as_ref()).map(|(number, _)| *number)
    }

    /// The solver of a part, by its place in `numbers`.
    pub fn of(&self, place: usize) -> &Solver {
        &self.parts[place].solver
    }

    /// As `at`, of the parts that know the solution there; the others' states stay.
    pub fn improve(&self, t: f64, x: &mut [f64]) {
        for part in self.parts.iter().filter(|part| part.reaches(t)) {
            part.solver.at(t, &mut x[part.range.clone()]);
        }
    }

    pub fn effort(&self, summary: &mut Summary) {
        self.parts.iter().for_each(|part| part.solver.effort(summary));
    }
}

impl Part {
    /// Does its last step contain this instant?
    fn reaches(&self, t: f64) -> bool {
        let (from, to) = self.solver.span();
        from < to && from <= t && t <= to
    }

    /// Has it the equations that its last step was made with?
    fn is_unchanged(&mut self, t: f64, machine: &dyn Machine) -> bool {
        let Some((number, _)) = self.apart else { return false };
        let revision = machine.revision(number);
        let same = std::mem::replace(&mut self.revision, revision) == revision;
        same && self.reaches(t)
    }

    fn step(
        &mut self,
        machine: &mut dyn Machine,
        memory: &mut Memory,
        surface: &mut Option<Surface>,
        from: f64,
        limit: f64,
    ) -> Result<(), Box<Stuck>> {
        let Self { apart, solver, .. } = self;
        if let Some(surface) = surface {
            let taken = solver.step(&mut SurfaceSystem { surface, machine }, limit);
            memory.fault = surface.fault.take().or(memory.fault.take());
            return taken.map_err(|failure| Stuck::new(failure, (from, solver.state()), machine, memory));
        }
        let (machine, memory) = match apart {
            Some((number, own)) => match machine.part(*number) {
                Some(part) => (part, own),
                None => return Ok(()),
            },
            None => (machine, memory),
        };
        let taken = solver.step(&mut System::new(machine, memory), limit);
        taken.map_err(|failure| Stuck::new(failure, (from, solver.state()), machine, memory))
    }
}
