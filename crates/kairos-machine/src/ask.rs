//! What the simulator asks of any machine: by a capability where the machine has it, by the plain interface otherwise.

use crate::diagnostics;
use crate::machine::{Eval, EvalError, Given, Machine, Source, Trigger};
use crate::shortcuts::{
    Burst, Courses, Delays, Guest, Leave, LocalEvents, Motion, Passage, Reached, Regions, Replay, Shortcuts,
    Sides, StateSets,
};
use kairos_expr::Scalar;

/// The capabilities of a machine, present or not.
impl<'m> dyn Machine + 'm {
    #[inline]
    fn local_events(&self) -> Option<&dyn LocalEvents> {
        self.shortcuts().and_then(Shortcuts::local_events)
    }

    #[inline]
    fn local_events_mut(&mut self) -> Option<&mut dyn LocalEvents> {
        self.shortcuts_mut().and_then(Shortcuts::local_events_mut)
    }

    #[inline]
    fn delays(&self) -> Option<&dyn Delays> {
        self.shortcuts().and_then(Shortcuts::delays)
    }

    #[inline]
    fn delays_mut(&mut self) -> Option<&mut dyn Delays> {
        self.shortcuts_mut().and_then(Shortcuts::delays_mut)
    }

    #[inline]
    fn regions_mut(&mut self) -> Option<&mut dyn Regions> {
        self.shortcuts_mut().and_then(Shortcuts::regions_mut)
    }

    #[inline]
    fn state_sets_mut(&mut self) -> Option<&mut dyn StateSets> {
        self.shortcuts_mut().and_then(Shortcuts::state_sets_mut)
    }

    #[inline]
    fn motion(&self) -> Option<&dyn Motion> {
        self.shortcuts().and_then(Shortcuts::motion)
    }

    #[inline]
    fn motion_mut(&mut self) -> Option<&mut dyn Motion> {
        self.shortcuts_mut().and_then(Shortcuts::motion_mut)
    }

    #[inline]
    fn sides_mut(&mut self) -> Option<&mut dyn Sides> {
        self.shortcuts_mut().and_then(Shortcuts::sides_mut)
    }

    #[inline]
    fn replay_mut(&mut self) -> Option<&mut dyn Replay> {
        self.shortcuts_mut().and_then(Shortcuts::replay_mut)
    }
}

/// Integers have 32 bits; the number below the smallest one is still told apart.
pub const INTEGER_LIMIT: f64 = 2_147_483_648.0;

/// Inputs; without the capability they stay as they were set.
impl<'m> dyn Machine + 'm {
    /// As `Courses::next_jump`.
    pub fn next_jump(&self) -> f64 {
        self.shortcuts().and_then(Shortcuts::courses).map_or(f64::INFINITY, Courses::next_jump)
    }

    /// As `Courses::next_bend`.
    pub fn next_bend(&self, after: f64) -> f64 {
        let courses = self.shortcuts().and_then(Shortcuts::courses);
        courses.map_or(f64::INFINITY, |courses| courses.next_bend(after))
    }

    /// As `Courses::cross`.
    pub fn cross(&mut self, time: f64) -> bool {
        self.shortcuts_mut().and_then(Shortcuts::courses_mut).is_some_and(|courses| courses.cross(time))
    }

    /// As `Courses::crossing`.
    pub fn crossing(&self, time: f64, slots: &mut Vec<u32>) {
        if let Some(courses) = self.shortcuts().and_then(Shortcuts::courses) {
            courses.crossing(time, slots);
        }
    }
}

/// Values.
impl<'m> dyn Machine + 'm {
    /// No parameter may be something that is not a number.
    pub fn check_parameters(&self) -> Eval {
        let values = self.values();
        for var in self.info().vars.iter().filter(|var| var.is_parameter()) {
            let value = values.get(var.slot as usize).copied().unwrap_or_default();
            let fault = match var.ty {
                Scalar::Real if value.is_nan() => diagnostics::not_a_number(&var.name, value),
                Scalar::Int if value.is_nan() || value.abs() > INTEGER_LIMIT => {
                    diagnostics::integer_overflow(&var.name, value)
                }
                _ => continue,
            };
            return Err(EvalError::Fatal(fault));
        }
        Ok(())
    }
}

/// States and inputs.
impl<'m> dyn Machine + 'm {
    #[inline]
    pub fn get_states(&self, x: &mut [f64]) {
        let values = self.values();
        for (&slot, x) in self.info().states.iter().zip(x) {
            *x = values[slot as usize];
        }
    }

    /// As `LocalEvents::set_state`.
    #[inline]
    pub fn set_state(&mut self, state: u32, value: f64) {
        if let Some(local) = self.local_events_mut() {
            return local.set_state(state, value);
        }
        let mut x = vec![0.0; self.info().states.len()];
        self.get_states(&mut x);
        x[state as usize] = value;
        self.set_states(&x);
    }

    /// As `LocalEvents::set_inputs`.
    #[inline]
    pub fn set_inputs(&mut self, list: &[(u32, u32)], given: &[f64]) {
        match self.local_events_mut() {
            Some(local) => local.set_inputs(list, given),
            None => list.iter().for_each(|&(from, to)| self.set(to, Given::Number(given[from as usize]))),
        }
    }

    /// As `StateSets::reselect`.
    #[inline]
    pub fn reselect(&mut self) -> Eval<bool> {
        self.state_sets_mut().map_or(Ok(false), StateSets::reselect)
    }
}

/// Events; without the capability each is one of the whole model.
impl<'m> dyn Machine + 'm {
    /// As `LocalEvents::focus`.
    #[inline]
    pub fn focus(&mut self, trigger: Option<&Trigger>) -> Eval<bool> {
        self.local_events_mut().map_or(Ok(false), |local| local.focus(trigger))
    }

    /// As `LocalEvents::reached`.
    #[inline]
    pub fn reached(&self, source: Source) -> Reached<'_> {
        self.local_events().map_or(Reached::default(), |local| local.reached(source))
    }

    /// As `LocalEvents::burst`.
    #[inline]
    pub fn burst(&mut self, source: Source, leave: Leave) -> Eval<Option<Burst>> {
        self.local_events_mut().map_or(Ok(None), |local| local.burst(source, leave))
    }

    /// As `LocalEvents::pass`.
    #[inline]
    pub fn pass(&mut self, samples: &[bool]) -> Option<Passage> {
        self.local_events_mut()?.pass(samples)
    }

    /// As `LocalEvents::replanned`.
    #[inline]
    pub fn replanned(&mut self, relations: &mut Vec<u32>) -> bool {
        self.local_events_mut().is_some_and(|local| local.replanned(relations))
    }

    /// As `LocalEvents::unread`.
    #[inline]
    pub fn unread(&mut self, relations: &mut [bool]) -> Eval {
        self.local_events_mut().map_or(Ok(()), |local| local.unread(relations))
    }

    /// As `LocalEvents::left_limit`.
    #[inline]
    pub fn left_limit(&mut self) -> Eval {
        match self.local_events_mut() {
            Some(local) => local.left_limit(),
            None => self.outputs(),
        }
    }

    /// As `Sides::pin`; false if the machine cannot do that.
    #[inline]
    pub fn pin(&mut self, relations: &[(u32, bool)]) -> bool {
        self.sides_mut().map(|sides| sides.pin(relations)).is_some()
    }

    /// Can relations be given a value that their functions do not have?
    pub fn can_pin(&mut self) -> bool {
        self.sides_mut().is_some()
    }
}

/// Operators with memory; without the capability there are none.
impl<'m> dyn Machine + 'm {
    /// As `Delays::accept`.
    #[inline]
    pub fn accept(&mut self, continues: bool) -> bool {
        self.delays_mut().is_some_and(|delays| delays.accept(continues))
    }

    /// As `Delays::distance_of_jumps`.
    #[inline]
    pub fn distance_of_jumps(&mut self) -> Eval<f64> {
        self.delays_mut().map_or(Ok(f64::INFINITY), Delays::distance_of_jumps)
    }

    /// As `Delays::shortest_delay`.
    #[inline]
    pub fn shortest_delay(&self) -> f64 {
        self.delays().map_or(f64::INFINITY, Delays::shortest_delay)
    }

    /// As `Delays::delay_event`.
    #[inline]
    pub fn delay_event(&self) -> f64 {
        self.delays().map_or(f64::INFINITY, Delays::delay_event)
    }
}

/// Parts; without the capability the system is one.
impl<'m> dyn Machine + 'm {
    /// As `Regions::part`.
    #[inline]
    pub fn part(&mut self, index: usize) -> Option<&mut dyn Machine> {
        self.regions_mut()?.part(index)
    }

    /// As `Regions::revision`.
    #[inline]
    pub fn revision(&self, part: usize) -> u64 {
        let regions = self.shortcuts().and_then(Shortcuts::regions);
        regions.map_or(0, |regions| regions.revision(part))
    }
}

/// The motion between events.
impl<'m> dyn Machine + 'm {
    /// As `Motion::derivatives_at`.
    #[inline]
    pub fn derivatives_at(&mut self, time: f64, x: &[f64], dx: &mut [f64]) -> Eval {
        if let Some(motion) = self.motion_mut() {
            return motion.derivatives_at(time, x, dx);
        }
        self.set_time(time);
        self.set_states(x);
        self.derivatives(dx)
    }

    /// As `Motion::crossings_at`.
    #[inline]
    pub fn crossings_at(&mut self, time: f64, x: &[f64], z: &mut [f64]) -> Eval {
        if let Some(motion) = self.motion_mut() {
            return motion.crossings_at(time, x, z);
        }
        self.set_time(time);
        self.set_states(x);
        self.crossings(z)
    }

    /// As `Motion::leap`.
    #[inline]
    pub fn leap(&mut self, time: f64, from: &[f64], to: &mut [f64]) -> bool {
        self.motion_mut().is_some_and(|motion| motion.leap(time, from, to))
    }

    /// As `Motion::jacobian`.
    #[inline]
    pub fn jacobian(&mut self, values: &mut [Vec<f64>]) -> Eval<bool> {
        self.motion_mut().map_or(Ok(false), |motion| motion.jacobian(values))
    }

    /// As `Motion::guesses`.
    #[inline]
    pub fn guesses(&self, guesses: &mut Vec<f64>) {
        if let Some(motion) = self.motion() {
            motion.guesses(guesses);
        }
    }

    /// As `Motion::set_guesses`.
    #[inline]
    pub fn set_guesses(&mut self, guesses: &[f64]) {
        if let Some(motion) = self.motion_mut() {
            motion.set_guesses(guesses);
        }
    }

    /// As `Motion::look`.
    #[inline]
    pub fn look(&mut self, begins: bool) {
        if let Some(motion) = self.motion_mut() {
            motion.look(begins);
        }
    }

    /// As `Motion::quicken`.
    pub fn quicken(&self) {
        if let Some(motion) = self.motion() {
            motion.quicken();
        }
    }
}

/// Instants of a run that is over; without the capability there are none.
impl<'m> dyn Machine + 'm {
    /// As `Replay::snapshot`.
    #[inline]
    pub fn snapshot(&self, values: &mut Vec<f64>) -> bool {
        let replay = self.shortcuts().and_then(Shortcuts::replay);
        replay.is_some_and(|replay| replay.snapshot(values))
    }

    /// As `Replay::prepare_replay`.
    pub fn prepare_replay(&mut self) -> Eval {
        self.replay_mut().map_or(Ok(()), Replay::prepare_replay)
    }

    /// As `Replay::go_back`.
    pub fn go_back(&mut self, values: &[f64]) -> bool {
        self.replay_mut().is_some_and(|replay| replay.go_back(values))
    }
}

/// Machines that others have made.
impl<'m> dyn Machine + 'm {
    /// As `Guest::announce`.
    pub fn announce(&mut self, stop: f64, tolerance: f64, step: Option<f64>) {
        if let Some(guest) = self.shortcuts_mut().and_then(Shortcuts::guest_mut) {
            guest.announce(stop, tolerance, step);
        }
    }

    /// As `Guest::next_point`.
    pub fn next_point(&self) -> f64 {
        self.shortcuts().and_then(Shortcuts::guest).map_or(f64::INFINITY, Guest::next_point)
    }

    /// As `Guest::ended`.
    pub fn ended(&self) -> Option<f64> {
        self.shortcuts().and_then(Shortcuts::guest).and_then(Guest::ended)
    }
}
