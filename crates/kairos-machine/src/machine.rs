//! The model as numbers see it: the interface on which simulator, FMI and Python stand.
//!
//! `Machine` is all that a right simulation needs, and it is shaped like FMI: describe, set and get, initialise,
//! derivatives, event indicators, event mode, next instants. What only makes runs faster, or serves models with delays
//! or changing structure, is optional (`crate::shortcuts`); methods of `dyn Machine` ask for it and otherwise do with
//! the interface alone.

use crate::shortcuts::Shortcuts;
use kairos_base::{Code, Span};
pub use kairos_program::info::{MachineInfo, PartInfo, RelationInfo, Source, VarInfo};
use serde::{Deserialize, Serialize};

/// Why an evaluation gave no numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum EvalError {
    /// A smaller step may avoid it: a failed assert, a domain error, a Newton iteration that did not converge.
    Recoverable(Fault),
    /// No step size helps.
    Fatal(Fault),
}

impl EvalError {
    pub fn fault(&self) -> &Fault {
        match self {
            EvalError::Recoverable(fault) | EvalError::Fatal(fault) => fault,
        }
    }
}

/// A numeric failure in the user's terms.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fault {
    /// Stable kebab-case code.
    #[serde(with = "kairos_base::stored::code")]
    pub code: Code,
    pub message: String,
    /// The equation, where one is to blame.
    pub span: Option<Span>,
    /// Names and values that explain it.
    pub values: Vec<(String, f64)>,
    pub help: Vec<String>,
}

pub type Eval<T = ()> = Result<T, EvalError>;

/// Which part of the sorted system an evaluation runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Between events: relations and discrete variables keep their values.
    Continuous,
    /// At an event: everything, relations are decided literally, `when` acts on edges against `pre`.
    Event,
}

/// What an event starts from; everything else is as it was before.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Trigger {
    pub samplers: Vec<u32>,
    pub relations: Vec<u32>,
}

impl Trigger {
    pub fn sources(&self) -> impl Iterator<Item = Source> + '_ {
        let samplers = self.samplers.iter().map(|&k| Source::Sampler(k));
        samplers.chain(self.relations.iter().map(|&r| Source::Relation(r)))
    }
}

/// What an event evaluation asked for beyond values.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Effects {
    /// `reinit` of a state (by its index): new value.
    pub reinits: Vec<(u32, f64)>,
    pub terminate: Option<String>,
    /// Failed assertions of level warning, with their place.
    pub warnings: Vec<(String, Span)>,
    /// The when-clauses that acted.
    pub fired: Vec<Span>,
    /// Parts of the model that went over to equations of another structure, in order.
    pub restarts: Vec<Restart>,
    /// Conditions contradict the equations they lead to: the values stand for one step of the event iteration, and the
    /// event must not end with them.
    pub contradiction: Option<Box<Fault>>,
}

impl Effects {
    /// Forgets everything; storage is kept.
    pub fn clear(&mut self) {
        self.reinits.clear();
        self.terminate = None;
        self.warnings.clear();
        self.fired.clear();
        self.restarts.clear();
        self.contradiction = None;
    }
}

/// A part of the model enters a mode: from values that may contradict its constraints to values that do not.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Restart {
    /// The conditions that make the mode, as the user wrote them.
    pub mode: String,
    pub left: String,
    /// Modes that were considered in the evaluation and not entered.
    pub mythical: Vec<String>,
    /// Variables that jumped, with both values.
    pub jumps: Vec<(String, f64, f64)>,
    /// Variables that were infinite during the instant, with the areas of their pulses.
    pub impulses: Vec<(String, f64)>,
}

/// What the event iteration found different from `pre`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Changes {
    /// Value slots of discrete variables.
    pub discrete: Vec<u32>,
    pub relations: Vec<u32>,
    /// Somebody reads a left limit that has changed: the event has to be evaluated again.
    pub again: bool,
    /// Something that a continuous equation reads has changed.
    pub continuous_affected: bool,
}

impl Changes {
    /// Forgets everything; storage is kept.
    pub fn clear(&mut self) {
        self.discrete.clear();
        self.relations.clear();
        (self.again, self.continuous_affected) = (false, false);
    }
}

/// A value from outside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Given<'a> {
    /// Of a Real, an Integer, a Boolean (0 or 1) or an enumeration (the ordinal).
    Number(f64),
    /// Of a String.
    Text(&'a str),
}

/// How a run begins.
#[derive(Clone, Debug, Default)]
pub struct Start {
    /// What had to be assumed, in words.
    pub assumptions: Vec<String>,
    /// The text of a `terminate` that acts at the start.
    pub terminated: Option<String>,
}

/// The instants at which a source acts by itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// The first of them; infinite if there is none.
    pub first: f64,
    /// From one to the next; infinite if there is only one.
    pub interval: f64,
}

/// A compiled model with its values. One per run; cheap to clone for parallel runs.
pub trait Machine: Send {
    fn info(&self) -> &MachineInfo;

    /// All values: variables (Booleans 0/1, Integers and enumerations as numbers), parameters, `pre` copies.
    fn values(&self) -> &[f64];

    /// Text of a String variable.
    fn string(&self, slot: u32) -> &str;

    /// Gives a variable or parameter its value.
    fn set(&mut self, slot: u32, given: Given<'_>);

    fn set_time(&mut self, time: f64);

    /// Writes the states into their slots.
    fn set_states(&mut self, x: &[f64]);

    /// Evaluates the parameters and solves the initial problem at the current time: afterwards all variables are
    /// consistent, relations decided, `pre` equals current. Then makes the calls and asks the asserts of clauses that act
    /// at the start.
    fn initialise(&mut self) -> Eval<Start>;

    /// Evaluates what the derivatives need (`Phase::Continuous`), and gives them; one that is no finite number is a
    /// recoverable failure.
    fn derivatives(&mut self, dx: &mut [f64]) -> Eval;

    /// Evaluates the crossing functions (`lhs - rhs`) of all relations under frozen relation values;
    /// entries of time relations are left alone.
    fn crossings(&mut self, z: &mut [f64]) -> Eval;

    /// Evaluates all variables for output, relations frozen.
    fn outputs(&mut self) -> Eval;

    /// Fetches the warnings that `outputs` has noticed.
    fn warnings(&mut self, _warnings: &mut Vec<(String, Span)>) {}

    /// One evaluation of the whole sorted system at an event (hybrid contract, section 3). `samples[k]` tells which
    /// samplers tick now; `terminal` is the last instant. The caller keeps `effects`: an event loop need not allocate.
    fn event(&mut self, samples: &[bool], terminal: bool, effects: &mut Effects) -> Eval;

    /// Compares discrete variables and relations with their `pre` values and sets `pre` to current.
    fn advance_pre(&mut self, changes: &mut Changes);

    /// Held relation values.
    fn relations(&self) -> &[bool];

    /// Of a time relation the next instant after the current time at which it changes; of a sampler start and interval,
    /// which are evaluated once after initialisation.
    fn plan(&mut self, source: Source) -> Eval<Plan>;

    /// Another run from where this one stands.
    fn clone_machine(&self) -> Box<dyn Machine>;

    /// Appends everything that the run has made of the machine, or says why that cannot be.
    fn save(&self, _to: &mut Vec<u8>) -> Result<(), String> {
        Err("the machine of this model cannot be saved".into())
    }

    /// Goes on where the machine of the same model was whose bytes these are, bit for bit. After an error the machine is
    /// of no use.
    fn restore(&mut self, _from: &[u8]) -> Result<(), String> {
        Err("the machine of this model cannot be restored".into())
    }

    /// What the machine can do beyond this interface.
    fn shortcuts(&self) -> Option<&dyn Shortcuts> {
        None
    }
    fn shortcuts_mut(&mut self) -> Option<&mut dyn Shortcuts> {
        None
    }
}

impl Clone for Box<dyn Machine> {
    fn clone(&self) -> Self {
        self.clone_machine()
    }
}
