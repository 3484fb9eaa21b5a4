//! The model as numbers see it: the interface on which simulator, FMI and Python stand.

use kairos_base::Span;
pub use kairos_program::info::{MachineInfo, PartInfo, RelationInfo, Source, VarInfo};

/// Why an evaluation gave no numbers.
#[derive(Clone, Debug, PartialEq)]
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
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// Stable kebab-case code.
    pub code: &'static str,
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
#[derive(Clone, Debug, Default)]
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

/// What an event from one source can reach.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reached<'a> {
    /// Nothing that the motion or its crossing functions depend on.
    pub quiet: bool,
    /// The states whose present values are read; `None`: all.
    pub states: Option<&'a [u32]>,
    /// Parts whose structure changes that are read, set or told something; `None`: all.
    pub regions: Option<&'a [u32]>,
}

/// Events that a source may have one after the other: before this instant, and no more than so many. For a sampler
/// its start, its interval and the number of its tick.
#[derive(Clone, Copy, Debug)]
pub struct Leave {
    pub limit: f64,
    pub most: u32,
    pub ticks: (f64, f64, u64),
}

/// What became of it.
#[derive(Clone, Copy, Debug)]
pub struct Burst {
    pub events: u64,
    pub iterations: u64,
    /// The instant of the last event.
    pub time: f64,
    /// The last event is over; otherwise its iteration has to go on.
    pub settled: bool,
}

/// What an event evaluation asked for beyond values.
#[derive(Clone, Debug, Default)]
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
#[derive(Clone, Debug, Default, PartialEq)]
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

/// How far an event has been evaluated.
#[derive(Clone, Copy, Debug, Default)]
pub struct Passage {
    /// Evaluations that have been made, their left limits taken.
    pub rounds: u32,
    /// The event is over; otherwise its iteration has to go on.
    pub settled: bool,
    /// Discrete variables or relations differ, or something acted; discrete variables differ; the motion sees it.
    pub changed: bool,
    pub visible: bool,
    pub affected: bool,
}

/// What the event iteration found different from `pre`.
#[derive(Clone, Debug, Default)]
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

/// A compiled model with its values. One per run; cheap to clone for parallel runs.
pub trait Machine: Send {
    fn info(&self) -> &MachineInfo;

    /// All values: variables (Booleans 0/1, Integers and enumerations as numbers), parameters, `pre` copies.
    fn values(&self) -> &[f64];
    fn values_mut(&mut self) -> &mut [f64];

    /// Text of a String variable.
    fn string(&self, slot: u32) -> &str;
    fn set_string(&mut self, slot: u32, text: &str);

    fn set_time(&mut self, time: f64);
    /// Writes the states into their slots.
    fn set_states(&mut self, x: &[f64]);
    fn get_states(&self, x: &mut [f64]);

    /// Evaluates parameters that depend on others, after `set` of changed ones.
    fn update_parameters(&mut self) -> Eval;

    /// Solves the initial problem at the current time: afterwards all variables are consistent, relations decided,
    /// `pre` equals current. Says in words what had to be assumed.
    fn initialise(&mut self) -> Eval<Vec<String>>;

    /// Makes the calls and asks the asserts of clauses that act at the start, once it is found; gives the text of a
    /// `terminate` among them.
    fn act_at_start(&mut self) -> Eval<Option<String>> {
        Ok(None)
    }

    /// Evaluates what the derivatives need (`Phase::Continuous`), and gives them; one that is no finite number is a
    /// recoverable failure.
    fn derivatives(&mut self, dx: &mut [f64]) -> Eval;

    /// The derivatives at a point. Where the machine stands afterwards is not said.
    fn derivatives_at(&mut self, time: f64, x: &[f64], dx: &mut [f64]) -> Eval {
        self.set_time(time);
        self.set_states(x);
        self.derivatives(dx)
    }

    /// A whole step of the explicit method, as `kairos_numerics::integrate::Ode::leap` has it; false: stage by stage. Where
    /// there are `glances`, there follow: one if they are told, then each in the middle and each at the end of the step.
    fn leap(&mut self, _time: f64, _from: &[f64], _to: &mut [f64]) -> bool {
        false
    }

    /// Evaluates all variables for output, relations frozen.
    fn outputs(&mut self) -> Eval;

    /// Fetches the warnings that `outputs` has noticed.
    fn warnings(&mut self, _warnings: &mut Vec<(String, Span)>) {}

    /// Evaluates what an event at the present point may read, relations frozen.
    fn left_limit(&mut self) -> Eval {
        self.outputs()
    }

    /// A part of the continuous system as a machine of its own, with the present discrete values. Its time and states
    /// are the caller's to set.
    fn part(&mut self, _index: usize) -> Option<&mut dyn Machine> {
        None
    }

    /// Grows when a part's equations, or what they read beside states and time, have changed.
    fn revision(&self, _part: usize) -> u64 {
        0
    }

    /// Evaluates the crossing functions (`lhs - rhs`) of all relations under frozen relation values;
    /// entries of time relations are left alone.
    fn crossings(&mut self, z: &mut [f64]) -> Eval;

    /// Tells of each relation whether nothing reads its value, until an event changes something.
    fn unread(&mut self, _relations: &mut [bool]) -> Eval {
        Ok(())
    }

    /// The crossing functions at a point. Where the machine stands afterwards is not said.
    fn crossings_at(&mut self, time: f64, x: &[f64], z: &mut [f64]) -> Eval {
        self.set_time(time);
        self.set_states(x);
        self.crossings(z)
    }

    /// One evaluation of the whole sorted system at an event (hybrid contract, section 3).
    /// `samples[k]` tells which samplers tick now; `terminal` is the last instant.
    fn event(&mut self, samples: &[bool], terminal: bool) -> Eval<Effects>;

    /// Compares discrete variables and relations with their `pre` values and sets `pre` to current.
    fn advance_pre(&mut self) -> Changes;

    /// Evaluates an event from its left limits on, as `advance_pre` and `event` in turn would, as far as that can be done
    /// without looking at anything else; `None`: nothing is done.
    fn pass(&mut self, _samples: &[bool]) -> Option<Passage> {
        None
    }

    /// As `event`, into storage that the caller keeps: an event loop need not allocate.
    fn event_into(&mut self, samples: &[bool], terminal: bool, effects: &mut Effects) -> Eval {
        *effects = self.event(samples, terminal)?;
        Ok(())
    }

    /// As `advance_pre`, into storage that the caller keeps.
    fn advance_pre_into(&mut self, changes: &mut Changes) {
        *changes = self.advance_pre();
    }

    /// Evaluations of an event from here on need only follow what the trigger reaches; `None`: all of the model,
    /// as also before the first call. Time, and the states that the sources reach, must have been set. Says whether
    /// less than all will be evaluated; left limits that are read have then been taken.
    fn focus(&mut self, _trigger: Option<&Trigger>) -> Eval<bool> {
        Ok(false)
    }

    /// What an event from this source alone can reach.
    fn reached(&self, _source: Source) -> Reached<'_> {
        Reached::default()
    }

    /// Runs an event of this source at the present time to its end, and further ones of it as long as they may be,
    /// where that can be done without looking at anything else. Otherwise nothing is done.
    fn burst(&mut self, _source: Source, _leave: Leave) -> Eval<Option<Burst>> {
        Ok(None)
    }

    /// Gives one state its value; for events whose sources do not reach the others.
    fn set_state(&mut self, state: u32, value: f64) {
        let mut x = vec![0.0; self.info().states.len()];
        self.get_states(&mut x);
        x[state as usize] = value;
        self.set_states(&x);
    }

    /// Sets numbers from outside that move as states do: for each pair the place in `given` and the slot.
    fn set_inputs(&mut self, list: &[(u32, u32)], given: &[f64]) {
        let values = self.values_mut();
        list.iter().for_each(|&(from, to)| values[to as usize] = given[from as usize]);
    }

    /// The time relations whose instants may have changed since this was last asked; false: any of them may.
    fn replanned(&mut self, _relations: &mut Vec<u32>) -> bool {
        false
    }

    /// Relations that have these values at events, whatever their sides are, until this is called again: at a zero of its
    /// crossing function the motion may go on to either side. False if the machine cannot do that.
    fn pin(&mut self, _relations: &[(u32, bool)]) -> bool {
        false
    }

    /// Held relation values.
    fn relations(&self) -> &[bool];

    /// The next instant after the current time at which a time relation changes; infinity if never.
    fn time_event(&mut self, relation: usize) -> Eval<f64>;

    /// Start and interval of a sampler, evaluated once after initialisation.
    fn sampler(&mut self, index: usize) -> Eval<(f64, f64)>;

    /// The state Jacobian at the current point, exact, by columns as in `jacobian_columns`; `false`: not available.
    fn jacobian(&mut self, values: &mut [Vec<f64>]) -> Eval<bool>;

    /// Looks whether other variables would serve better as states at the present, accepted point; if so, changes
    /// them: then the integration has to start again from `get_states`.
    fn reselect(&mut self) -> Eval<bool> {
        Ok(false)
    }

    /// Chooses the states that serve best for the variables as they stand, whatever the states are.
    fn select(&mut self) -> Eval {
        Ok(())
    }

    /// Slots of the variables that are states at present.
    fn selected(&self) -> Vec<u32> {
        self.info().states.clone()
    }

    /// Appends the unknowns of nonlinear systems, which are solved from where they stand.
    fn guesses(&self, _guesses: &mut Vec<f64>) {}

    /// Where the next evaluation starts from; what does not fit the present mode is ignored.
    fn set_guesses(&mut self, _guesses: &[f64]) {}

    /// Tells the accepted point to operators with memory (`delay`). It `continues` where nothing has happened since the
    /// last one told: both lie on one smooth piece of the way. Says whether a jump comes out from here on.
    fn accept(&mut self, _continues: bool) -> bool {
        false
    }

    /// How far at the present point the next jumps are from coming out of operators with memory whose instants cannot be
    /// planned; not positive if one should be out.
    fn distance_of_jumps(&mut self) -> Eval<f64> {
        Ok(f64::INFINITY)
    }

    /// The shortest time by which something is delayed at present.
    fn shortest_delay(&self) -> f64 {
        f64::INFINITY
    }

    /// The next instant at which a jump comes out of a `delay`.
    fn delay_event(&self) -> f64 {
        f64::INFINITY
    }

    /// Appends what the variables at this instant follow from, besides time and parameters: states, discrete variables,
    /// relations. `false` if they follow from more than numbers.
    fn snapshot(&self, _values: &mut Vec<f64>) -> bool {
        false
    }

    /// Goes back to an instant whose snapshot this is; `false` if it is none of this machine.
    fn restore(&mut self, _values: &[f64]) -> bool {
        false
    }

    /// Makes what speeds up this machine and its clones, where that was left for later.
    fn quicken(&self) {}

    fn clone_machine(&self) -> Box<dyn Machine>;
}
