//! The reference machine: a program interpreted operation by operation.

mod acting;
mod instants;
mod machine;
mod saved;
mod shortcuts;
mod start;
mod through;

use crate::calls::External;
use crate::cells::Wave;
use crate::diagnostics;
use crate::fresh::Fresh;
use crate::machine::{Effects, Eval, EvalError};
use crate::native::Attached;
use crate::run::Frame;
use crate::slopes::Slope;
use kairos_expr::Value;
use kairos_program::program::{Code, Definition, Program};
use kairos_program::tape::{Destination, Slot};
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Clone)]
pub struct Interpreter {
    pub(crate) program: Arc<Program>,
    pub(crate) frame: Frame,
    pub(crate) fresh: Fresh,
    /// What stays as it is between events has been computed.
    pub(crate) settled: bool,
    /// Left limits may differ from what has been decided since they were taken.
    pub(crate) decided: bool,
    pub(crate) wave: Wave,
    /// The next instants of time relations are known.
    pub(crate) planned: bool,
    /// Every evaluation of a part is compared with one of the whole.
    pub(crate) verify: bool,
    pub(crate) relations: Vec<bool>,
    /// Relations that have a given value at events, by their slots.
    pins: Vec<(Slot, f64)>,
    pub(crate) relations_before: Vec<bool>,
    /// Parameter values as last computed; one that differs was set from outside and stands.
    computed: Vec<f64>,
    pub(crate) overridden: Vec<bool>,
    /// Unknowns of nonlinear systems.
    guessed: Vec<Slot>,
    /// Their values before a look.
    stood: Vec<f64>,
    /// Conditions of asserts of level warning that do not hold, and what has not been fetched yet.
    pub(crate) violated: Vec<Slot>,
    told: Effects,
    /// Exact derivatives, once they were asked for.
    pub(crate) slope: Slope,
    /// Values of the model's inputs that were set from outside: start values do not count for these.
    inputs: BTreeMap<Slot, Value>,
    /// Why the parameters could not be evaluated when the machine was made.
    broken: Option<EvalError>,
    /// The memory when the parameters were last computed; nothing while a text was set since.
    computed_at: Option<Vec<f64>>,
}

impl Interpreter {
    pub fn new(program: Arc<Program>, external: Arc<dyn External>) -> Interpreter {
        let frame = Frame::new(&program, external);
        let count = program.relations.len();
        let parameters = program.parameters.iter().map(|code| code.to.len()).sum();
        let mut guessed = Vec::new();
        for list in [&program.derivatives, &program.crossings, &program.outputs] {
            Code::guesses(&list.codes, &mut guessed);
        }
        let mut machine = Interpreter {
            frame,
            fresh: Fresh::Nothing,
            settled: false,
            decided: true,
            wave: Wave::new(program.reach.cells.len()),
            planned: false,
            verify: cfg!(debug_assertions),
            relations: vec![false; count],
            pins: Vec::new(),
            relations_before: vec![false; count],
            computed: vec![0.0; parameters],
            overridden: vec![false; parameters],
            guessed,
            stood: Vec::new(),
            violated: Vec::new(),
            told: Effects::default(),
            inputs: BTreeMap::new(),
            slope: Slope::default(),
            broken: None,
            computed_at: None,
            program,
        };
        machine.broken = machine.compute_parameters().err();
        let program = machine.program.clone();
        machine.frame.begin_sets(&program);
        machine
    }

    /// Runs tapes as native code from when it is there.
    pub fn attach(&mut self, native: Attached) {
        self.frame.native = Some(native);
    }

    /// Compares every evaluation of what an event reaches with one of the whole model from now on.
    pub fn verify(&mut self) {
        self.verify = true;
    }

    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// All values, to be set from outside.
    pub(crate) fn values_mut(&mut self) -> &mut [f64] {
        self.unsettle();
        self.wave.lost = true;
        &mut self.frame.values
    }

    /// Remembers the value of an input, if the slot belongs to one.
    pub(crate) fn note_input(&mut self, slot: Slot, value: impl FnOnce() -> Value) {
        if self.program.info.given.binary_search(&slot).is_ok() {
            self.inputs.insert(slot, value());
        }
    }

    /// Puts the inputs that were set from outside into their places again.
    pub(crate) fn keep_inputs(&mut self) {
        for (slot, value) in std::mem::take(&mut self.inputs) {
            match &value {
                Value::Str(text) => self.set_text(slot, text),
                number => self.frame.set(slot, number.as_f64().unwrap_or_default()),
            }
            self.inputs.insert(slot, value);
        }
    }

    /// The inputs that were set from outside, with their slots.
    pub(crate) fn given_inputs(&self) -> &BTreeMap<Slot, Value> {
        &self.inputs
    }

    pub(crate) fn set_text(&mut self, slot: u32, text: &str) {
        let memory = &self.program.memory;
        if let Some(k) = memory.slot_of.iter().position(|&s| s == slot).and_then(|v| memory.other_of[v]) {
            self.frame.put(&self.program, k, Value::str(text));
            self.computed_at = None;
            let mut computed = self.program.parameters.iter().flat_map(|code| &code.to);
            if let Some(at) = computed.position(|to| matches!(to, Destination::Other(at) if *at == k)) {
                self.overridden[at] = true;
            }
        }
    }

    /// Chooses the states that serve best for the variables as they stand, whatever the states are.
    pub(crate) fn select(&mut self) -> Eval {
        let program = self.program.clone();
        self.frame.reselect(&program)?;
        self.stale();
        Ok(())
    }

    /// Slots of the variables that are states at present.
    pub(crate) fn selected(&self) -> Vec<u32> {
        let states = self.program.info.states.iter();
        states.map(|&slot| self.frame.candidate(&self.program, slot).unwrap_or(slot)).collect()
    }

    pub(crate) fn sync_relations(&mut self) {
        let first = self.program.memory.relations as usize;
        for (k, held) in self.relations.iter_mut().enumerate() {
            *held = self.frame.values[first + k] != 0.0;
        }
    }

    /// Copies every left limit.
    fn settle(&mut self) {
        for &(from, to) in self.program.pre.iter().chain(&self.program.discrete) {
            self.frame.values[to as usize] = self.frame.values[from as usize];
        }
        self.sync_relations();
        self.relations_before.copy_from_slice(&self.relations);
    }

    /// Every assigned variable is a number.
    pub(crate) fn check_finite(&self) -> Eval {
        self.program.definitions.iter().try_for_each(|definition| self.check_definition(definition))
    }

    #[inline]
    pub(crate) fn check_definition(&self, definition: &Definition) -> Eval {
        match self.frame.get(definition.slot).is_finite() {
            true => Ok(()),
            false => self.undefined(definition),
        }
    }

    #[cold]
    fn undefined(&self, definition: &Definition) -> Eval {
        let told = self.frame.reason(&self.program, definition.value);
        let fault =
            told.unwrap_or_else(|| diagnostics::undefined(&self.program, definition, &self.frame.values));
        Err(EvalError::Recoverable(fault))
    }

    /// A failure that follows from a variable without a value is told as that.
    pub(crate) fn blame(&self, error: EvalError) -> EvalError {
        match (error, self.check_finite()) {
            (EvalError::Recoverable(_), Err(first)) => first,
            (error, _) => error,
        }
    }

    /// One evaluation at an event; blocks without a solution leave word of it in the frame.
    fn evaluate_event(&mut self, samples: &[bool], terminal: bool, effects: &mut Effects) -> Eval {
        (self.settled, self.decided) = (false, true);
        if self.wave.focused && !terminal {
            let done = match self.verify {
                true => self.event_verified(samples, effects),
                false => self.event_followed(samples, effects),
            };
            return done.inspect_err(|_| self.stale());
        }
        // Until the event is over, nothing is what it was.
        self.stale();
        let Self { program, frame, .. } = self;
        for (k, &flag) in program.sampler_flags.iter().enumerate() {
            let ticks = samples.get(k).copied().unwrap_or(false);
            frame.set(flag, f64::from(u8::from(ticks)));
        }
        frame.set(program.terminal_flag, f64::from(u8::from(terminal)));
        let done = frame.run_sequence(program, &program.event);
        done.map_err(|error| self.blame(error))?;
        self.sync_relations();
        self.check_finite()?;
        self.check_asserts(effects)?;
        self.take_effect(effects)?;
        self.fresh = Fresh::Everything;
        self.wave.begin_whole();
        Ok(())
    }

    /// Operands of operators with memory at the present point; false if they have no values.
    fn read_past(&mut self) -> bool {
        let program = self.program.clone();
        self.bring(Fresh::Everything).is_ok() && self.frame.run(&program, &program.history).is_ok()
    }
}
