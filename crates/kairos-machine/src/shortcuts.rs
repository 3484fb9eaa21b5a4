//! What a machine may offer beyond `Machine`: shortcuts, and what models with delays or changing structure need.
//!
//! Each trait is a capability of its own. The simulator calls methods of `dyn Machine` (`crate::ask`), which ask for the
//! capability and otherwise do the same with the plain interface, only slower, or answer that there is nothing.

use crate::machine::{Eval, Fault, Machine, Source, Trigger};

/// The capabilities of a machine; each is absent unless it is told.
pub trait Shortcuts {
    fn local_events(&self) -> Option<&dyn LocalEvents> {
        None
    }
    fn local_events_mut(&mut self) -> Option<&mut dyn LocalEvents> {
        None
    }
    fn delays(&self) -> Option<&dyn Delays> {
        None
    }
    fn delays_mut(&mut self) -> Option<&mut dyn Delays> {
        None
    }
    fn regions(&self) -> Option<&dyn Regions> {
        None
    }
    fn regions_mut(&mut self) -> Option<&mut dyn Regions> {
        None
    }
    fn sides_mut(&mut self) -> Option<&mut dyn Sides> {
        None
    }
    fn state_sets_mut(&mut self) -> Option<&mut dyn StateSets> {
        None
    }
    fn motion(&self) -> Option<&dyn Motion> {
        None
    }
    fn motion_mut(&mut self) -> Option<&mut dyn Motion> {
        None
    }
    fn replay(&self) -> Option<&dyn Replay> {
        None
    }
    fn replay_mut(&mut self) -> Option<&mut dyn Replay> {
        None
    }
    fn courses(&self) -> Option<&dyn Courses> {
        None
    }
    fn courses_mut(&mut self) -> Option<&mut dyn Courses> {
        None
    }
    fn slopes_mut(&mut self) -> Option<&mut dyn Slopes> {
        None
    }
    fn guest(&self) -> Option<&dyn Guest> {
        None
    }
    fn guest_mut(&mut self) -> Option<&mut dyn Guest> {
        None
    }
    /// Systems of the last evaluations that have many solutions, as warnings.
    fn left_open(&self) -> Vec<Fault> {
        Vec::new()
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

/// Events that evaluate only what they reach.
pub trait LocalEvents: Machine {
    /// Evaluations of an event from here on need only follow what the trigger reaches; `None`: all of the model,
    /// as also before the first call. Time, and the states that the sources reach, must have been set. Says whether
    /// less than all will be evaluated; left limits that are read have then been taken.
    fn focus(&mut self, trigger: Option<&Trigger>) -> Eval<bool>;

    /// What an event from this source alone can reach.
    fn reached(&self, source: Source) -> Reached<'_>;

    /// Runs an event of this source at the present time to its end, and further ones of it as long as they may be,
    /// where that can be done without looking at anything else. Otherwise nothing is done.
    fn burst(&mut self, _source: Source, _leave: Leave) -> Eval<Option<Burst>> {
        Ok(None)
    }

    /// Evaluates an event from its left limits on, as `advance_pre` and `event` in turn would, as far as that can be done
    /// without looking at anything else; `None`: nothing is done.
    fn pass(&mut self, _samples: &[bool]) -> Option<Passage> {
        None
    }

    /// Gives one state its value; for events whose sources do not reach the others.
    fn set_state(&mut self, state: u32, value: f64);

    /// Sets numbers from outside that move as states do: for each pair the place in `given` and the slot.
    fn set_inputs(&mut self, list: &[(u32, u32)], given: &[f64]);

    /// The time relations whose instants may have changed since this was last asked; false: any of them may.
    fn replanned(&mut self, relations: &mut Vec<u32>) -> bool;

    /// Tells of each relation whether nothing reads its value, until an event changes something.
    fn unread(&mut self, _relations: &mut [bool]) -> Eval {
        Ok(())
    }

    /// Evaluates what an event at the present point may read, relations frozen.
    fn left_limit(&mut self) -> Eval;
}

/// Operators with memory (`delay`, `spatialDistribution`); a model that has them needs this.
pub trait Delays: Machine {
    /// Tells the accepted point to operators with memory. It `continues` where nothing has happened since the
    /// last one told: both lie on one smooth piece of the way. Says whether a jump comes out from here on.
    fn accept(&mut self, continues: bool) -> bool;

    /// How far at the present point the next jumps are from coming out of operators with memory whose instants cannot be
    /// planned; not positive if one should be out.
    fn distance_of_jumps(&mut self) -> Eval<f64>;

    /// The shortest time by which something is delayed at present.
    fn shortest_delay(&self) -> f64;

    /// The next instant at which a jump comes out of a `delay`.
    fn delay_event(&self) -> f64 {
        f64::INFINITY
    }
}

/// Parts of the continuous system that move on their own: `MachineInfo::parts`.
pub trait Regions: Machine {
    /// A part as a machine of its own, with the present discrete values. Its time and states are the caller's to set.
    fn part(&mut self, index: usize) -> Option<&mut dyn Machine>;

    /// Grows when a part's equations, or what they read beside states and time, have changed.
    fn revision(&self, part: usize) -> u64;
}

/// Both sides of a switching surface, exactly at it; otherwise they are looked for close to it.
pub trait Sides: Machine {
    /// Relations that have these values at events, whatever their sides are, until this is called again: at a zero of its
    /// crossing function the motion may go on to either side.
    fn pin(&mut self, relations: &[(u32, bool)]);
}

/// States that are chosen while the simulation runs: `MachineInfo::state_sets`; a model that has them needs this.
pub trait StateSets: Machine {
    /// Looks whether other variables would serve better as states at the present, accepted point; if so, changes
    /// them: then the integration has to start again from `get_states`.
    fn reselect(&mut self) -> Eval<bool>;
}

/// The motion between events, faster than point by point.
pub trait Motion: Machine {
    /// The derivatives at a point. Where the machine stands afterwards is not said.
    fn derivatives_at(&mut self, time: f64, x: &[f64], dx: &mut [f64]) -> Eval {
        self.set_time(time);
        self.set_states(x);
        self.derivatives(dx)
    }

    /// The crossing functions at a point. Where the machine stands afterwards is not said.
    fn crossings_at(&mut self, time: f64, x: &[f64], z: &mut [f64]) -> Eval {
        self.set_time(time);
        self.set_states(x);
        self.crossings(z)
    }

    /// A whole step of the explicit method, as `kairos_numerics::integrate::Ode::leap` has it; false: stage by stage. Where
    /// there are `glances`, there follow: one if they are told, then each in the middle and each at the end of the step.
    fn leap(&mut self, _time: f64, _from: &[f64], _to: &mut [f64]) -> bool {
        false
    }

    /// The state Jacobian at the current point, exact, by columns as in `jacobian_columns`; `false`: not available.
    fn jacobian(&mut self, values: &mut [Vec<f64>]) -> Eval<bool>;

    /// Appends the unknowns of nonlinear systems, which are solved from where they stand.
    fn guesses(&self, guesses: &mut Vec<f64>);

    /// Where the next evaluation starts from; what does not fit the present mode is ignored.
    fn set_guesses(&mut self, guesses: &[f64]);

    /// Begins a look, or ends it: what is evaluated meanwhile is shown to somebody, and later evaluations are as if it had
    /// not been. Systems start from where they stood before it, and keep the form in which they are solved.
    fn look(&mut self, _begins: bool) {}

    /// Makes what speeds up this machine and its clones, where that was left for later.
    fn quicken(&self) {}
}

/// Instants of a run that is over, from a few numbers each.
pub trait Replay: Machine {
    /// Appends what the variables at this instant follow from, besides time and parameters: states, discrete variables,
    /// relations. `false` if they follow from more than numbers.
    fn snapshot(&self, values: &mut Vec<f64>) -> bool;

    /// Evaluates parameters that depend on others; before the first instant.
    fn prepare_replay(&mut self) -> Eval;

    /// Goes back to an instant whose snapshot this is; `false` if it is none of this machine.
    fn go_back(&mut self, values: &[f64]) -> bool;
}

/// Inputs that follow signals (`crate::signal`): the machine puts them where they are at any time that it is asked for.
pub trait Courses: Machine {
    /// The first jump that has not been crossed; infinite if there is none.
    fn next_jump(&self) -> f64;

    /// The first instant after a time at which the slope of an input that moves jumps.
    fn next_bend(&self, after: f64) -> f64;

    /// Goes over to what follows the jumps at the present time, within an event. Does an input that the motion may read
    /// differ?
    fn cross(&mut self, time: f64) -> bool;

    /// Appends the slots of the inputs that jump up to this time.
    fn crossing(&self, time: f64, slots: &mut Vec<u32>);
}

/// Exact derivatives at the present point between events, discrete values held; otherwise they are differences.
pub trait Slopes: Machine {
    /// Changes of unknowns along directions, as `dyn Machine::directional` has it; false: they cannot be told exactly.
    fn directional(
        &mut self,
        knowns: &[u32],
        unknowns: &[u32],
        directions: &[f64],
        changes: &mut [f64],
    ) -> Eval<bool>;

    /// For each unknown the places of the knowns that it depends on by structure, ascending.
    fn dependences(&self, knowns: &[u32], unknowns: &[u32]) -> Option<Vec<Vec<u32>>>;
}

/// A machine that others have made: it is told of the experiment, may move on by itself, and may end the run.
pub trait Guest: Machine {
    /// Tells when the run ends and how exactly it is computed, before it is initialised, and the step that was asked for.
    fn announce(&mut self, stop: f64, tolerance: f64, step: Option<f64>);

    /// Of a machine that moves by itself: the next instant at which it takes its inputs; infinite: none.
    fn next_point(&self) -> f64;

    /// When it has ended the run.
    fn ended(&self) -> Option<f64>;
}
