//! The variational equations along a run.
//!
//! A scout runs ahead to the next event, so that the steps of the sensitivities end there; the walker follows, stands still at the stages
//! of each step and tells the derivatives there. Both are the same run: looks leave no trace in it.

use super::jump::{Event, Found, Parameter};
use super::step::{Field, nodes, step};
use super::{Sensitivities, SensitivityRequest, stride};
use kairos::{Error, EventRecord, Machine, Model, Options, SimError, Simulation, Stop, VarInfo};
use kairos_base::Diagnostic;
use kairos_machine::EvalError;

/// How the walk ended.
pub enum Walked {
    Whole(Sensitivities),
    /// Why the variational equations do not hold.
    Refused(String),
}

/// More states than this times parameters are left to differences: the systems of the steps are dense.
const MOST: usize = 400;
/// Relative stride of the differences at the start.
const STRIDE: f64 = 1e-4;
/// Steps are made again with this part of their length where their error is too large.
const SAFETY: f64 = 0.9;
/// The share of a sensitivity's natural size below which its error does not matter.
const FLOOR: f64 = 1e-3;
/// What part of the time before an event stands for the instant just before it: more than what counts as the same instant.
const BEFORE: f64 = 1e-9;

pub fn walk(model: &Model, request: &SensitivityRequest, options: &Options) -> Result<Walked, Error> {
    let options = options.clone().events(true);
    let machine = model.machine();
    let info = machine.info();
    let refusal = match () {
        () if !info.parts.is_empty() => Some("the structure of the model changes"),
        () if info.state_sets > 0 => Some("states are chosen while the run goes on"),
        () if info.needs_history => Some("the model has delays"),
        () if info.states.len() > MOST => Some("the model has many states"),
        () => None,
    };
    if let Some(why) = refusal {
        return Ok(Walked::Refused(why.into()));
    }
    let mut walker = Walker::new(model, request, &options)?;
    walker.run()
}

struct Walker<'m> {
    model: &'m Model,
    request: &'m SensitivityRequest,
    options: Options,
    scout: Simulation,
    sim: Simulation,
    parameters: Vec<Parameter>,
    /// The parameters that are differentiated by together: none of a group follows from another of it. The first group is always there.
    groups: Vec<Vec<usize>>,
    /// Slots of what is differentiated and of the states.
    of: Vec<(u32, bool)>,
    states: Vec<u32>,
    derivatives: Vec<u32>,
    nominal: Vec<f64>,
    tolerance: f64,
    /// For each parameter in turn a sensitivity of each state.
    s: Vec<f64>,
    found: Sensitivities,
}

impl<'m> Walker<'m> {
    fn new(model: &'m Model, request: &'m SensitivityRequest, options: &Options) -> Result<Self, Error> {
        let mut sim = model.start(options)?;
        let scout = model.start(options)?;
        let machine = sim.look()?;
        let info = machine.info().clone();
        let value =
            |var: &VarInfo| machine.values()[var.slot as usize] * if var.negated { -1.0 } else { 1.0 };
        let mut parameters = Vec::new();
        for name in &request.by {
            let var = model.variable(name)?;
            let slot = (var.is_parameter() && !var.is_found).then_some(var.slot);
            parameters.push(Parameter { slot, value: value(var), found: Vec::new() });
        }
        let of = request.of.iter().map(|name| model.variable(name).map(|var| (var.slot, var.negated)));
        let of = of.collect::<Result<Vec<_>, _>>()?;
        let (n, p) = (info.states.len(), parameters.len());
        let found = Sensitivities {
            of: request.of.clone(),
            by: request.by.clone(),
            values: vec![Vec::new(); of.len()],
            slopes: vec![vec![Vec::new(); p]; of.len()],
            ..Sensitivities::default()
        };
        let tolerance = options.relative_tolerance(model.experiment());
        Ok(Self {
            model,
            request,
            options: options.clone(),
            scout,
            sim,
            groups: Vec::new(),
            parameters,
            of,
            states: info.states,
            derivatives: info.derivatives,
            nominal: info.nominal,
            tolerance,
            s: vec![0.0; n * p],
            found,
        })
    }

    fn run(&mut self) -> Result<Walked, Error> {
        if let Err(why) = self.begin()? {
            return Ok(Walked::Refused(why));
        }
        let (start, stop) = (self.sim.time(), self.sim.stop());
        let count = self.request.intervals;
        let grid = self.request.times(start, stop);
        let mut h = (stop - start) / (10.0 * count as f64);
        self.sim.take_events();
        self.record()?;
        let mut next = 0;
        loop {
            self.scout.take_events();
            let how = self.scout.run_to_event(stop)?;
            let event = self.scout.time();
            let is_event = matches!(how, Stop::Event);
            // A point at the event itself has the two rows of the event.
            let near = if is_event { event - 2.0 * BEFORE * (event.abs() + (event - start)) } else { event };
            while next < grid.len() && grid[next] < near {
                if let Err(why) = self.go_to(grid[next], &mut h)? {
                    return Ok(Walked::Refused(why));
                }
                self.record()?;
                next += 1;
            }
            let ahead = if is_event { BEFORE * (event.abs() + (event - self.sim.time()).abs()) } else { 0.0 };
            let before = (event - ahead).max(self.sim.time());
            if before > self.sim.time()
                && let Err(why) = self.go_to(before, &mut h)?
            {
                return Ok(Walked::Refused(why));
            }
            while next < grid.len() && grid[next] <= event {
                next += 1;
            }
            let ahead = event - self.sim.time();
            if ahead > 0.0 {
                let (field, n) = (self.field()?, self.states.len());
                for k in 0..self.parameters.len() {
                    let own = &mut self.s[k * n..(k + 1) * n];
                    let slope = field.slope(n, k, own);
                    own.iter_mut().zip(&slope).for_each(|(s, slope)| *s += ahead * slope);
                }
            }
            self.record()?;
            if !is_event {
                return Ok(Walked::Whole(std::mem::take(&mut self.found)));
            }
            let left = self.sim.look()?.clone_machine();
            self.sim.run_to_event(event)?;
            let records: Vec<EventRecord> = self.sim.take_events();
            let right = self.sim.look()?.clone_machine();
            let instant = Event { before: &*left, after: &*right, records: &records, time: event, ahead };
            match instant.jump(&self.s, &self.parameters) {
                Ok(s) => self.s = s,
                Err(why) => return Ok(Walked::Refused(why)),
            }
            self.record()?;
            if event >= stop {
                return Ok(Walked::Whole(std::mem::take(&mut self.found)));
            }
            // Shorter again: after an event the motion may be another.
            h = h.min((stop - event) / (10.0 * count as f64)).max(f64::MIN_POSITIVE);
        }
    }

    /// The sensitivities at the start: the initial problem is solved again with values a little off, twice, and extrapolated.
    fn begin(&mut self) -> Result<Result<(), String>, Error> {
        let n = self.states.len();
        let time = self.sim.time();
        // Beside the states the start leaves parameters that it has found, and numbers that stay until an event.
        let (mut founds, mut kept) = (Vec::new(), Vec::new());
        let machine = self.sim.look()?;
        for var in machine.info().vars.iter().filter(|var| var.ty == kairos::Scalar::Real) {
            match var.is_parameter() {
                true if var.is_found => founds.push(var.slot),
                false if var.is_discrete => kept.push(var.slot),
                _ => {}
            }
        }
        founds.sort_unstable();
        founds.dedup();
        let values: Vec<f64> = founds.iter().map(|&slot| machine.values()[slot as usize]).collect();
        for k in 0..self.parameters.len() {
            let (name, parameter) = (&self.request.by[k], self.parameters[k].clone());
            let width = stride(parameter.value, STRIDE);
            let at = |by: f64| -> Result<Vec<f64>, Error> {
                let moved = self.model.set(name, parameter.value + by)?;
                let mut machine = moved.machine();
                machine.set_time(time);
                machine.initialise().map_err(|error| failed(self.model, time, error))?;
                let mut x = vec![0.0; n];
                machine.get_states(&mut x);
                x.extend(founds.iter().chain(&kept).map(|&slot| machine.values()[slot as usize]));
                Ok(x)
            };
            let slope = |width: f64| -> Result<Vec<f64>, Error> {
                let (a, b) = (at(width)?, at(-width)?);
                Ok(a.iter().zip(&b).map(|(a, b)| (a - b) / (2.0 * width)).collect())
            };
            let (wide, narrow) = (slope(width)?, slope(0.5 * width)?);
            let slopes: Vec<f64> =
                wide.iter().zip(&narrow).map(|(wide, narrow)| (4.0 * narrow - wide) / 3.0).collect();
            self.s[k * n..(k + 1) * n].copy_from_slice(&slopes[..n]);
            if slopes[n + founds.len()..].iter().any(|slope| *slope != 0.0) {
                let text = "a number that changes at events depends on what is differentiated by";
                return Ok(Err(format!("at time {time} {text}")));
            }
            let moving = founds.iter().zip(&values).zip(&slopes[n..]).filter(|(_, slope)| **slope != 0.0);
            self.parameters[k].found =
                moving.map(|((&slot, &value), &slope)| Found { slot, value, slope }).collect();
        }
        self.groups = groups(self.sim.look()?.clone_machine(), &self.parameters);
        let fine = self.s.iter().all(|s| s.is_finite());
        Ok(if fine {
            Ok(())
        } else {
            Err("the start does not depend smoothly on what is differentiated by".into())
        })
    }

    /// Steps to a time before the next event.
    fn go_to(&mut self, end: f64, h: &mut f64) -> Result<Result<(), String>, Error> {
        let n = self.states.len();
        if n == 0 {
            self.sim.run_to(end)?;
            return Ok(Ok(()));
        }
        let mut begin = self.field()?;
        while self.sim.time() < end {
            let t = self.sim.time();
            let base = self.sim.fork()?;
            loop {
                let length = if t + 1.01 * *h >= end { end - t } else { *h };
                if length <= 8.0 * f64::EPSILON * t.abs() {
                    self.sim.run_to(end)?;
                    break;
                }
                let mut stages: [Field; 3] = Default::default();
                for (field, node) in stages.iter_mut().zip(nodes()) {
                    self.sim.run_to(if node == 1.0 { t + length } else { t + node * length })?;
                    *field = self.field()?;
                }
                let made = step(n, &self.s, length, &begin, &stages);
                let size = made.as_ref().map_or(f64::INFINITY, |(s, error)| self.size(s, error));
                let factor = (SAFETY * size.max(1e-12).powf(-0.25)).clamp(0.2, 5.0);
                if size <= 1.0
                    && let Some((s, _)) = made
                {
                    self.s = s;
                    begin = std::mem::take(&mut stages[2]);
                    *h = if length < *h && factor >= 1.0 { *h } else { length * factor };
                    break;
                }
                *h = length * factor.min(0.5);
                if *h < 1e-14 * t.abs().max(end - t) {
                    return Ok(Err(format!("at time {t} the sensitivities cannot be followed")));
                }
                self.sim = base.fork()?;
            }
        }
        Ok(Ok(()))
    }

    /// The largest error in parts of what is allowed.
    fn size(&self, s: &[f64], error: &[f64]) -> f64 {
        let n = self.states.len();
        let mut worst: f64 = 0.0;
        for (k, parameter) in self.parameters.iter().enumerate() {
            let unit = if parameter.value == 0.0 { 1.0 } else { parameter.value.abs() };
            for i in 0..n {
                let at = k * n + i;
                let natural = FLOOR * self.nominal[i] / unit;
                let allowed = self.tolerance * (s[at].abs().max(self.s[at].abs()) + natural);
                worst = worst.max(error[at].abs() / allowed);
            }
        }
        if worst.is_nan() { f64::INFINITY } else { worst }
    }

    /// The matrix and the right sides where the walker stands.
    fn field(&mut self) -> Result<Field, Error> {
        let (n, time) = (self.states.len(), self.sim.time());
        if !self.options.goes_on(time) {
            let text = format!("the run was ended from outside at time {time}");
            return Err(Error::from(Diagnostic::error("run-interrupted", text)));
        }
        let mut machine = self.sim.look()?.clone_machine();
        let failed = |error| failed(self.model, time, error);
        let mut a = vec![0.0; n * n];
        let mut b = vec![0.0; n * self.parameters.len()];
        for (round, group) in self.groups.iter().enumerate() {
            // The first round has the states, too.
            let states: &[u32] = if round == 0 { &self.states } else { &[] };
            let slots = group.iter().flat_map(|&k| self.parameters[k].along()).map(|(slot, _)| slot);
            let knowns: Vec<u32> = states.iter().copied().chain(slots).collect();
            let mut rows = vec![0.0; knowns.len() * n];
            machine.partials(&knowns, &self.derivatives, &mut rows).map_err(failed)?;
            if round == 0 {
                a = (0..n * n).map(|at| rows[(at % n) * n + at / n]).collect();
            }
            let mut rows = rows[states.len() * n..].chunks(n.max(1));
            for &k in group {
                for (_, weight) in self.parameters[k].along() {
                    let own = b[k * n..(k + 1) * n].iter_mut().zip(rows.next().unwrap_or_default());
                    own.for_each(|(b, slope)| *b += weight * slope);
                }
            }
        }
        Ok(Field { a, b })
    }

    /// A row of the result where the walker stands.
    fn record(&mut self) -> Result<(), Error> {
        let (n, time) = (self.states.len(), self.sim.time());
        let mut machine = self.sim.look()?.clone_machine();
        let unknowns: Vec<u32> = self.of.iter().map(|(slot, _)| *slot).collect();
        let mut slopes = vec![0.0; unknowns.len() * self.parameters.len()];
        for (round, group) in self.groups.iter().enumerate() {
            // Start values, which have no slot, go with the first round.
            let bare = |k: &usize| round == 0 && self.parameters[*k].along().next().is_none();
            let starts = (0..self.parameters.len()).filter(bare);
            let along: Vec<usize> = group.iter().copied().chain(starts).collect();
            let slots = group.iter().flat_map(|&k| self.parameters[k].along()).map(|(slot, _)| slot);
            let knowns: Vec<u32> = self.states.iter().copied().chain(slots).collect();
            let mut directions = vec![0.0; knowns.len() * along.len()];
            let mut place = n;
            for (row, &k) in along.iter().enumerate() {
                let own = &mut directions[row * knowns.len()..(row + 1) * knowns.len()];
                own[..n].copy_from_slice(&self.s[k * n..(k + 1) * n]);
                for (_, weight) in self.parameters[k].along() {
                    own[place] = weight;
                    place += 1;
                }
            }
            let mut found = vec![0.0; unknowns.len() * along.len()];
            machine
                .directional(&knowns, &unknowns, &directions, &mut found)
                .map_err(|error| failed(self.model, time, error))?;
            for (found, &k) in found.chunks(unknowns.len().max(1)).zip(&along) {
                slopes[k * unknowns.len()..(k + 1) * unknowns.len()].copy_from_slice(found);
            }
        }
        self.found.time.push(time);
        for (i, &(slot, negated)) in self.of.iter().enumerate() {
            let sign = if negated { -1.0 } else { 1.0 };
            self.found.values[i].push(sign * machine.values()[slot as usize]);
            for k in 0..self.parameters.len() {
                // A parameter by itself, and a state by its own start, are told by the directions already.
                self.found.slopes[i][k].push(sign * slopes[k * unknowns.len() + i]);
            }
        }
        Ok(())
    }
}

/// Divides parameters so that none of a group follows from another of it: what is told by one slot does not reach what was given to
/// another. Those that move what the initial problem has found are alone.
fn groups(mut machine: Box<dyn Machine>, parameters: &[Parameter]) -> Vec<Vec<usize>> {
    let alone = (0..parameters.len()).filter(|&k| !parameters[k].found.is_empty());
    let plain = |k: &usize| parameters[*k].slot.is_some() && parameters[*k].found.is_empty();
    let known: Vec<usize> = (0..parameters.len()).filter(plain).collect();
    let slots: Vec<u32> = known.iter().filter_map(|&k| parameters[k].slot).collect();
    let mut groups: Vec<Vec<usize>> = vec![Vec::new()];
    // Without knowledge of who follows from whom, each is alone.
    let Some(rows) = follows(&mut *machine, &slots) else {
        groups.extend(known.iter().copied().chain(alone).map(|k| vec![k]));
        return groups;
    };
    let mut places: Vec<Vec<usize>> = vec![Vec::new()];
    for (place, &k) in known.iter().enumerate() {
        let free = |members: &Vec<usize>| members.iter().all(|&m| !rows[place][m] && !rows[m][place]);
        match places.iter().position(free) {
            Some(group) => (groups[group].push(k), places[group].push(place)),
            None => (groups.push(vec![k]), places.push(vec![place])),
        };
    }
    groups.extend(alone.map(|k| vec![k]));
    groups
}

/// Who follows from whom among parameters: a row for each with those that it depends on, itself not among them.
fn follows(machine: &mut dyn Machine, slots: &[u32]) -> Option<Vec<Vec<bool>>> {
    let mut rows = vec![vec![false; slots.len()]; slots.len()];
    for (from, &slot) in slots.iter().enumerate() {
        for (to, places) in machine.dependences(&[slot], slots)?.iter().enumerate() {
            rows[to][from] = to != from && !places.is_empty();
        }
    }
    Some(rows)
}

fn failed(model: &Model, time: f64, error: EvalError) -> Error {
    model.failure(&SimError::evaluation(time, error))
}
