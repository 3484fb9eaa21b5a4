//! The event iteration: evaluations of the whole system at one instant until nothing changes any more.

use crate::supervisor::Sources;
use crate::{Change, SimError};
use kairos_base::Span;
use kairos_expr::{Scalar, Value};
use kairos_machine::{Changes, Effects, EvalError, Given, Machine, Restart};
use serde::{Deserialize, Serialize};

/// An iteration longer than this is reported even if no state of it ever comes back.
const LONGEST: u32 = 10_000;
/// Iterations without bookkeeping: nearly all events settle before.
const QUIET: u32 = 8;
/// Relations of less than this may be decided either way.
const ROUND_OFF: f64 = 1e-12;

/// Buffers of the iteration, kept over a run.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Iteration {
    effects: Effects,
    changes: Changes,
    none: Vec<bool>,
    states: Vec<f64>,
    /// Slots of the discrete variables, each once, and the variable that names it.
    discrete: Vec<(u32, u32)>,
    /// Discrete values, relations and states before the event.
    before: Vec<f64>,
    relations_before: Vec<bool>,
    states_before: Vec<f64>,
    landmark: Vec<f64>,
}

/// What an event did.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct Outcome {
    pub iterations: u32,
    /// Relations, discrete variables or states differ, or something acted.
    pub changed: bool,
    /// Discrete variables differ, not only relations.
    pub visible: bool,
    /// The continuous part sees the difference.
    pub affected: bool,
    /// States were reinitialised.
    pub jumped: bool,
    pub terminate: Option<String>,
    pub warnings: Vec<(String, Span)>,
    pub fired: Vec<Span>,
    /// Parts of the model that changed their structure.
    pub restarts: Vec<Restart>,
}

impl Iteration {
    pub fn new(machine: &dyn Machine) -> Self {
        let info = machine.info();
        let mut discrete: Vec<(u32, u32)> = Vec::new();
        let mut seen = vec![false; machine.values().len()];
        for (k, var) in info.vars.iter().enumerate() {
            if var.is_discrete && !var.is_parameter() && !seen[var.slot as usize] {
                seen[var.slot as usize] = true;
                discrete.push((var.slot, k as u32));
            }
        }
        Self {
            effects: Effects::default(),
            changes: Changes::default(),
            none: vec![false; info.samplers.len()],
            states: vec![0.0; info.states.len()],
            discrete,
            before: Vec::new(),
            relations_before: Vec::new(),
            states_before: Vec::new(),
            landmark: Vec::new(),
        }
    }

    /// Remembers the left limit: the states for `jump`, and all that `story` tells.
    pub fn remember(&mut self, machine: &dyn Machine) {
        let values = machine.values();
        self.before.clear();
        self.before.extend(self.discrete.iter().map(|(slot, _)| values[*slot as usize]));
        self.relations_before.clear();
        self.relations_before.extend_from_slice(machine.relations());
        self.states_before.resize(machine.info().states.len(), 0.0);
        machine.get_states(&mut self.states_before);
    }

    /// Has the event led back to where it began, as where a relation contradicts what follows from it?
    pub fn returned(&self, machine: &dyn Machine, outcome: &Outcome) -> bool {
        let values = machine.values();
        let acted = outcome.jumped || outcome.terminate.is_some();
        // There and back takes two evaluations, and a third one finds nothing new.
        !acted
            && outcome.iterations > 2
            && outcome.fired.is_empty()
            && outcome.restarts.is_empty()
            && self.relations_before == machine.relations()
            && self
                .discrete
                .iter()
                .zip(&self.before)
                .all(|((slot, _), before)| values[*slot as usize] == *before)
    }

    /// Discrete variables and states that differ from what was remembered.
    pub fn story(&self, machine: &dyn Machine, restarts: &[Restart]) -> (Vec<Change>, Vec<Change>) {
        let (info, values) = (machine.info(), machine.values());
        let mut changes = Vec::new();
        for ((slot, var), &from) in self.discrete.iter().zip(&self.before) {
            let to = values[*slot as usize];
            let var = &info.vars[*var as usize];
            // Texts have numbers that say nothing.
            if to != from && var.ty != Scalar::Str {
                let sign = if var.negated { -1.0 } else { 1.0 };
                changes.push(Change { name: var.name.clone(), from: sign * from, to: sign * to });
            }
        }
        if !restarts.is_empty() {
            return (changes, merged(restarts));
        }
        let mut states = vec![0.0; info.states.len()];
        machine.get_states(&mut states);
        let mut jumps = Vec::new();
        for (k, (&from, &to)) in self.states_before.iter().zip(&states).enumerate() {
            if from != to {
                jumps.push(Change { name: info.state_names[k].clone(), from, to });
            }
        }
        (changes, jumps)
    }

    /// Iterates at the machine's current time, which is `time`. Samplers that are due tick in the first evaluation.
    /// Nonlinear systems that cannot be solved from where they stand are tried from the guesses. `told`: every clause
    /// that acts is wanted.
    pub fn run(
        &mut self,
        machine: &mut dyn Machine,
        time: f64,
        sources: &Sources,
        terminal: bool,
        told: bool,
        guesses: &[f64],
        outcome: &mut Outcome,
    ) -> Result<(), SimError> {
        let ticking = !sources.trigger.samplers.is_empty();
        let (mut count, mut next_landmark) = (0, QUIET);
        let fail = |error| SimError::evaluation(time, error);
        let mut contradicted = None;
        let given = sources.inputs_change();
        let passed = if told || terminal || given { None } else { machine.pass(&sources.ticks) };
        match passed {
            // Left limits of continuous variables become their `pre`.
            None => machine.advance_pre(&mut self.changes),
            Some(passed) => {
                count = passed.rounds;
                outcome.changed |= passed.changed;
                outcome.visible |= passed.visible;
                outcome.affected |= passed.affected;
                if passed.settled {
                    outcome.iterations += count;
                    return Ok(());
                }
            }
        }
        // Left limits were taken with the inputs as they were.
        if given {
            outcome.changed = true;
            outcome.affected |= set_inputs(machine, time, sources);
        }
        loop {
            let now = if count == 0 { sources.ticks.as_slice() } else { self.none.as_slice() };
            let mut evaluated = machine.event(now, terminal && count == 0, &mut self.effects);
            if let (Err(EvalError::Recoverable(_)), 0, false) = (&evaluated, count, guesses.is_empty()) {
                // The search for the event may have led systems astray.
                machine.set_guesses(guesses);
                evaluated = machine.event(now, terminal, &mut self.effects);
            }
            evaluated.map_err(fail)?;
            count += 1;
            let again = self.absorb(machine, outcome);
            if let Some(fault) = self.effects.contradiction.take() {
                if !again {
                    return Err(fail(EvalError::Recoverable(*fault)));
                }
                contradicted = Some(fault);
            }
            // Ticks end with the first evaluation: conditions made of them must be seen to fall.
            if !(again || (ticking || terminal) && count == 1) {
                break;
            }
            if count >= QUIET {
                if count > QUIET && self.is_landmark(machine) {
                    if let Some(fault) = contradicted {
                        return Err(fail(EvalError::Recoverable(*fault)));
                    }
                    match self.zero_time_loop(machine, time)? {
                        None => break,
                        Some(error) => return Err(error),
                    }
                }
                // Brent: a landmark at every power of two meets any cycle.
                if count >= next_landmark {
                    self.set_landmark(machine);
                    next_landmark *= 2;
                }
                if count > LONGEST {
                    return Err(self.endless(machine, time));
                }
            }
        }
        outcome.iterations += count;
        Ok(())
    }

    /// Applies the effects of one evaluation; is another one needed?
    fn absorb(&mut self, machine: &mut dyn Machine, outcome: &mut Outcome) -> bool {
        let effects = &mut self.effects;
        let restarted = !effects.restarts.is_empty();
        let mut jumped = effects.restarts.iter().any(|restart| !restart.jumps.is_empty());
        outcome.restarts.append(&mut effects.restarts);
        self.states.resize(machine.info().states.len(), 0.0);
        if !effects.reinits.is_empty() {
            machine.get_states(&mut self.states);
            for &(state, value) in &effects.reinits {
                jumped |= self.states[state as usize] != value;
                self.states[state as usize] = value;
            }
            machine.set_states(&self.states);
        }
        if outcome.terminate.is_none() && effects.terminate.is_some() {
            outcome.terminate = effects.terminate.take();
        }
        for warning in effects.warnings.drain(..) {
            if !outcome.warnings.contains(&warning) {
                outcome.warnings.push(warning);
            }
        }
        let fired = !effects.fired.is_empty();
        outcome.fired.append(&mut effects.fired);
        machine.advance_pre(&mut self.changes);
        outcome.visible |= !self.changes.discrete.is_empty();
        let changed = !self.changes.discrete.is_empty() || !self.changes.relations.is_empty();
        outcome.changed |= changed || jumped || fired || restarted || outcome.terminate.is_some();
        outcome.affected |= self.changes.continuous_affected || jumped || restarted;
        outcome.jumped |= jumped;
        self.changes.again || jumped || restarted
    }

    /// Discrete values and relations as they stand.
    pub fn mode<'m>(&'m self, machine: &'m dyn Machine) -> impl Iterator<Item = f64> + 'm {
        let values = machine.values();
        let discrete = self.discrete.iter().map(|(slot, _)| values[*slot as usize]);
        discrete.chain(machine.relations().iter().map(|&held| f64::from(u8::from(held))))
    }

    /// The jump of the states over the event whose left limit was remembered.
    pub fn jump(&self, machine: &dyn Machine) -> Vec<f64> {
        let mut states = vec![0.0; machine.info().states.len()];
        machine.get_states(&mut states);
        states.iter().zip(&self.states_before).map(|(after, before)| after - before).collect()
    }

    /// The size of that jump; infinite where the states are others than before.
    pub fn jump_size(&self, machine: &dyn Machine) -> f64 {
        match self.states_before.len() == machine.info().states.len() {
            true => self.jump(machine).iter().map(|d| d * d).sum::<f64>().sqrt(),
            false => f64::INFINITY,
        }
    }

    fn signature(&mut self, machine: &dyn Machine) -> impl Iterator<Item = f64> {
        self.states.resize(machine.info().states.len(), 0.0);
        machine.get_states(&mut self.states);
        let values = machine.values();
        let discrete = self.discrete.iter().map(|(slot, _)| values[*slot as usize]);
        let relations = machine.relations().iter().map(|&held| f64::from(u8::from(held)));
        discrete.chain(relations).chain(self.states.iter().copied())
    }

    fn set_landmark(&mut self, machine: &dyn Machine) {
        let mut landmark = std::mem::take(&mut self.landmark);
        landmark.clear();
        landmark.extend(self.signature(machine));
        self.landmark = landmark;
    }

    fn is_landmark(&mut self, machine: &dyn Machine) -> bool {
        let landmark = std::mem::take(&mut self.landmark);
        let count = self.discrete.len() + machine.relations().len() + machine.info().states.len();
        let same = count == landmark.len()
            && self.signature(machine).zip(&landmark).all(|(now, then)| now.to_bits() == then.to_bits());
        self.landmark = landmark;
        same && !self.landmark.is_empty()
    }

    /// Goes once round the cycle and tells it, unless it is one of round-off alone.
    fn zero_time_loop(&mut self, machine: &mut dyn Machine, time: f64) -> Result<Option<SimError>, SimError> {
        let mut rounds: Vec<Vec<f64>> = vec![self.signature(machine).collect()];
        let mut outcome = Outcome::default();
        loop {
            self.once_more(machine, time, &mut outcome)?;
            let round = self.signature(machine).collect();
            rounds.push(round);
            if self.is_landmark(machine) || rounds.len() > 1000 {
                break;
            }
        }
        let (first, relations) = (self.discrete.len(), machine.info().relations.len());
        let moves = |k: usize| rounds.iter().any(|round| round.get(k) != rounds[0].get(k));
        let mut gaps = vec![f64::INFINITY; relations];
        machine.crossings(&mut gaps).map_err(|error| SimError::evaluation(time, error))?;
        // Around zero a loop's iterates may fall on either side of it, with no effect on anything else.
        let round_off = |relation: usize| gaps[relation].abs() < ROUND_OFF;
        let others = (0..rounds[0].len()).filter(|k| !(first..first + relations).contains(k));
        if !others.into_iter().any(moves) && (0..relations).all(|r| !moves(first + r) || round_off(r)) {
            return Ok(None);
        }
        let mut error = SimError::new(
            "zero-time-loop",
            time,
            format!(
                "the event iteration runs in a circle of {} without end",
                plural(rounds.len() - 1, "evaluation")
            ),
        );
        self.tell(machine, &rounds, &mut error);
        error.help.push(
            "let the conditions exclude each other, or use `pre` so that one decides before the other".into(),
        );
        Ok(Some(error))
    }

    fn once_more(
        &mut self,
        machine: &mut dyn Machine,
        time: f64,
        outcome: &mut Outcome,
    ) -> Result<(), SimError> {
        let evaluated = machine.event(&self.none, false, &mut self.effects);
        evaluated.map_err(|error| SimError::evaluation(time, error))?;
        self.absorb(machine, outcome);
        Ok(())
    }

    fn endless(&mut self, machine: &mut dyn Machine, time: f64) -> SimError {
        let mut rounds: Vec<Vec<f64>> = vec![self.signature(machine).collect()];
        let mut outcome = Outcome::default();
        for _ in 0..4 {
            if let Err(error) = self.once_more(machine, time, &mut outcome) {
                return error;
            }
            let round = self.signature(machine).collect();
            rounds.push(round);
        }
        let text = format!("the event iteration has not settled after {LONGEST} evaluations");
        let mut error = SimError::new("zero-time-loop", time, text);
        self.tell(machine, &rounds, &mut error);
        error.help.push(
            "some variable changes in every evaluation of the instant: make its change depend on an edge"
                .into(),
        );
        error
    }

    /// What changes from round to round: variables with their values, relations with their places.
    fn tell(&self, machine: &dyn Machine, rounds: &[Vec<f64>], error: &mut SimError) {
        const SHOWN: usize = 8;
        let info = machine.info();
        let relations = self.discrete.len();
        let states = relations + info.relations.len();
        for place in 0..rounds[0].len() {
            let values: Vec<f64> = rounds.iter().filter_map(|round| round.get(place).copied()).collect();
            if values.windows(2).all(|pair| pair[0] == pair[1]) {
                continue;
            }
            let path = |show: &dyn Fn(f64) -> String| {
                let steps: Vec<String> = values.iter().take(SHOWN).map(|v| show(*v)).collect();
                steps.join(" -> ") + if values.len() > SHOWN { " -> …" } else { "" }
            };
            if place < relations {
                let var = &info.vars[self.discrete[place].1 as usize];
                let text = format!("{}: {}", var.name, path(&|v| v.to_string()));
                match error.places.len() {
                    0..4 => error.places.push((var.span, text)),
                    _ => error.notes.push(text),
                }
            } else if place < states {
                let relation = &info.relations[place - relations];
                let truth = path(&|v| (v != 0.0).to_string());
                error.places.push((relation.span, format!("`{}` goes {truth}", relation.text)));
            } else {
                let name = info.state_names.get(place - states).map_or("", String::as_str);
                error.notes.push(format!("{name}: {}", path(&|v| v.to_string())));
            }
        }
    }
}

/// Jumps of several restarts at one instant as one: from the first value to the last.
fn merged(restarts: &[Restart]) -> Vec<Change> {
    let mut jumps: Vec<Change> = Vec::new();
    for (name, from, to) in restarts.iter().flat_map(|restart| &restart.jumps) {
        match jumps.iter_mut().find(|jump| jump.name == *name) {
            Some(jump) => jump.to = *to,
            None => jumps.push(Change { name: name.clone(), from: *from, to: *to }),
        }
    }
    // There and back again.
    jumps.retain(|jump| jump.from != jump.to);
    jumps
}

fn plural(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// Gives inputs the values that they have from now on. Does one that the motion may read differ?
#[inline(never)]
fn set_inputs(machine: &mut dyn Machine, time: f64, sources: &Sources) -> bool {
    let mut moved = machine.cross(time);
    for (slot, value) in &sources.given {
        match value {
            Value::Str(text) => machine.set(*slot, Given::Text(text)),
            number => {
                let number = number.as_f64().unwrap_or_default();
                let differs = machine.values()[*slot as usize] != number;
                moved |= differs && machine.info().inputs.contains(slot);
                machine.set(*slot, Given::Number(number));
            }
        }
    }
    moved
}
