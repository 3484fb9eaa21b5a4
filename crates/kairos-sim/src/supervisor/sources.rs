//! What time events come from: samplers, time relations, delays and inputs, in two calendars.

use crate::calendar::{Calendar, Sampler, same_instant};
use crate::{SimError, SimOptions};
use kairos_expr::Value;
use kairos_machine::{Machine, Plan, Source, Trigger};
use serde::{Deserialize, Serialize};

/// The sources of time events, numbered: samplers, then time relations, then the delays, then the inputs.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Sources {
    /// Those that the motion may see, and those that it cannot.
    seen: Calendar,
    quiet: Calendar,
    is_quiet: Vec<bool>,
    /// Reaches so much that all of the model is evaluated.
    is_whole: Vec<bool>,
    /// The last event of the source changed something that the motion depends on: steps end at the next one.
    felt: Vec<bool>,
    pub samplers: Vec<Sampler>,
    pub relations: Vec<u32>,
    /// The source of each time relation.
    source_of: Vec<u32>,
    /// What happens at this instant: its sources, the samplers among them, and all as the machine wants it.
    pub due: Vec<u32>,
    pub ticks: Vec<bool>,
    pub trigger: Trigger,
    replanned: Vec<u32>,
    /// The delays are a source.
    has_past: bool,
    /// The inputs are a source.
    has_inputs: bool,
    /// Values of inputs, by their slots, that are to be set at this instant.
    pub given: Vec<(u32, Value)>,
}

impl Sources {
    pub fn new(machine: &mut dyn Machine, options: &SimOptions) -> Result<Self, SimError> {
        let samplers = samplers(machine, options)?;
        let info = machine.info();
        let mut relations = Vec::new();
        let mut source_of = vec![u32::MAX; info.relations.len()];
        for (r, _) in info.relations.iter().enumerate().filter(|(_, r)| r.by_time) {
            source_of[r] = (samplers.len() + relations.len()) as u32;
            relations.push(r as u32);
        }
        let has_inputs = !info.given.is_empty();
        let others = usize::from(info.needs_history) + usize::from(has_inputs);
        let count = samplers.len() + relations.len() + others;
        let mut sources = Self {
            seen: Calendar::new(count),
            quiet: Calendar::new(count),
            is_quiet: vec![false; count],
            is_whole: vec![true; count],
            felt: vec![true; count],
            due: Vec::with_capacity(count),
            ticks: vec![false; samplers.len()],
            trigger: Trigger::default(),
            replanned: Vec::new(),
            has_past: info.needs_history,
            has_inputs,
            given: Vec::new(),
            samplers,
            relations,
            source_of,
        };
        for source in 0..count {
            if let Some(origin) = sources.origin(source) {
                let reached = machine.reached(origin);
                sources.is_quiet[source] = reached.quiet;
                sources.is_whole[source] = reached.states.is_none() && reached.regions.is_none();
            }
        }
        for source in 0..sources.samplers.len() {
            sources.plan(source, sources.samplers[source].next());
        }
        Ok(sources)
    }

    /// Do inputs differ from this instant on?
    pub fn inputs_change(&self) -> bool {
        self.has_inputs && (!self.given.is_empty() || self.due.contains(&self.inputs_source()))
    }

    fn inputs_source(&self) -> u32 {
        (self.samplers.len() + self.relations.len() + usize::from(self.has_past)) as u32
    }

    /// The sampler or relation of a source; nothing for the delays and the inputs.
    pub fn origin(&self, source: usize) -> Option<Source> {
        match source.checked_sub(self.samplers.len()) {
            None => Some(Source::Sampler(source as u32)),
            Some(k) => self.relations.get(k).map(|&relation| Source::Relation(relation)),
        }
    }

    /// The next instant that the motion may see.
    pub fn next(&self) -> f64 {
        self.seen.next()
    }

    /// The next instant that it cannot.
    pub fn next_quiet(&self) -> f64 {
        self.quiet.next()
    }

    /// The source of that instant, and the first instant of any other that the motion cannot see.
    pub fn first_quiet(&self) -> Option<(usize, f64)> {
        self.quiet.first()
    }

    /// Where a step should end at the latest.
    pub fn limit(&self, t: f64, stop: f64) -> f64 {
        let mut limit = stop;
        for (source, felt) in self.felt.iter().enumerate() {
            let planned = self.seen.time_of(source);
            if *felt && planned > t {
                limit = limit.min(planned);
            }
        }
        limit
    }

    /// Takes everything out of the calendars that is due at `t`. Instants that differ by rounding are one, the last
    /// of them, at which all their conditions hold; that one is given.
    pub fn collect(&mut self, mut t: f64) -> f64 {
        loop {
            let (seen, quiet) = (self.seen.next(), self.quiet.next());
            let (planned, calendar) = match quiet < seen {
                true => (quiet, &mut self.quiet),
                false => (seen, &mut self.seen),
            };
            if planned > t && !same_instant(planned, t) {
                return t;
            }
            let Some(source) = calendar.pop_until(planned) else { return t };
            self.due.push(source as u32);
            match self.origin(source) {
                Some(Source::Sampler(k)) => {
                    self.ticks[source] = true;
                    self.trigger.samplers.push(k);
                }
                Some(Source::Relation(r)) => self.trigger.relations.push(r),
                None => {}
            }
            t = if planned > t { planned } else { t };
        }
    }

    /// Nothing is due.
    pub fn clear(&mut self) {
        self.due.clear();
        self.given.clear();
        for k in self.trigger.samplers.drain(..) {
            self.ticks[k as usize] = false;
        }
        self.trigger.relations.clear();
    }

    /// Does something happen that concerns all of the model?
    pub fn concerns_all(&self) -> bool {
        self.due.iter().any(|&source| self.is_whole[source as usize])
    }

    /// Notes whether the motion has seen what was due.
    pub fn judge(&mut self, affected: bool) {
        for &source in &self.due {
            self.felt[source as usize] = affected;
        }
    }

    fn plan(&mut self, source: usize, time: f64) {
        match self.is_quiet[source] {
            true => self.quiet.set(source, time),
            false => self.seen.set(source, time),
        }
    }

    /// Plans the next instants of what was due, and of time relations whose instants have changed. Without `changed`
    /// nothing else can have.
    pub fn replan(&mut self, machine: &mut dyn Machine, t: f64, changed: bool) -> Result<(), SimError> {
        for at in 0..self.due.len() {
            let source = self.due[at] as usize;
            if let Some(sampler) = self.samplers.get_mut(source) {
                let next = sampler.advance(t);
                self.plan(source, next);
            }
        }
        if self.has_past {
            self.plan(self.samplers.len() + self.relations.len(), machine.delay_event());
        }
        if self.has_inputs {
            self.plan(self.inputs_source() as usize, machine.next_jump());
        }
        if self.relations.is_empty() {
            return Ok(());
        }
        let mut replanned = std::mem::take(&mut self.replanned);
        if machine.replanned(&mut replanned) {
            for &relation in &self.trigger.relations {
                if !replanned.contains(&relation) {
                    replanned.push(relation);
                }
            }
            for &relation in &replanned {
                self.replan_relation(machine, t, relation)?;
            }
        } else if changed || !self.due.is_empty() {
            for k in 0..self.relations.len() {
                self.replan_relation(machine, t, self.relations[k])?;
            }
        }
        self.replanned = replanned;
        Ok(())
    }

    fn replan_relation(&mut self, machine: &mut dyn Machine, t: f64, relation: u32) -> Result<(), SimError> {
        let source = self.source_of[relation as usize];
        if source != u32::MAX {
            let plan = machine.plan(Source::Relation(relation));
            let next = plan.map_err(|e| SimError::evaluation(t, e))?.first;
            // An instant that is already here can only mean just after.
            self.plan(source as usize, if next <= t { t.next_up() } else { next });
        }
        Ok(())
    }
}

fn samplers(machine: &mut dyn Machine, options: &SimOptions) -> Result<Vec<Sampler>, SimError> {
    let mut samplers = Vec::new();
    for k in 0..machine.info().samplers.len() {
        let plan = machine.plan(Source::Sampler(k as u32));
        let Plan { first: start, interval } = plan.map_err(|e| SimError::evaluation(options.start, e))?;
        let scale = options.start.abs().max(options.stop.abs()).max(start.abs());
        if !(interval > 64.0 * f64::EPSILON * scale && start.is_finite()) {
            let (text, span) = &machine.info().samplers[k];
            // A number of hundreds of zeros says nothing.
            let shown = match interval.abs() {
                tiny if tiny > 0.0 && tiny < 1e-6 => format!("{interval:e}"),
                _ => interval.to_string(),
            };
            let message = format!("`{text}` has the interval {shown}, which is too small or not positive");
            let mut error = SimError::new("wrong-sample", options.start, message);
            error.places.push((*span, String::new()));
            error.help.push("give it a positive interval".into());
            return Err(error);
        }
        samplers.push(Sampler::new(start, interval, options.start));
    }
    Ok(samplers)
}
