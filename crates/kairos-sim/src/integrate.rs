//! The chosen integrator as the supervisor uses it: one step at a time, with dense output.

use crate::error::Culprit;
use crate::system::{Memory, System};
use crate::{Method, SimError, SimOptions, Summary};
use kairos_machine::{EvalError, Machine};
use kairos_numerics::integrate::{
    Bdf, Cause, DormandPrince, Esdirk, Failure, FixedMethod, FixedStep, Integrator, Ode, Options, Radau,
    Stats, Tolerance,
};
use serde::{Deserialize, Serialize};

/// The solution between two ends, and the way to the next end.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Solver {
    method: Option<Formula>,
    tolerance: Tolerance,
    settings: Options,
    /// Effort of methods that were given up.
    spent: Stats,
    span: (f64, f64),
    /// Without states: how far to look ahead at once.
    stride: f64,
    begun: bool,
    /// The step that proved right after the last restart is tried again. A multistep method starts with a low order,
    /// for which it may be far too long.
    keeps_step: bool,
}

#[derive(Clone, Serialize, Deserialize)]
enum Formula {
    /// Explicit as long as the system does not prove stiff; the count of steps that said so.
    Changeable(Box<DormandPrince>, u32),
    /// Implicit since it did.
    Adopted(Adopted),
    /// As the user asked.
    Chosen(Box<dyn Integrator>),
}

/// An implicit method, which may prove to be the wrong one for as many events as there are.
#[derive(Clone, Serialize, Deserialize)]
struct Adopted {
    method: Box<dyn Integrator>,
    multistep: bool,
    /// After so many steps it is looked at again.
    patience: u64,
    doubt: Doubt,
    seen: Seen,
}

/// Whether a one-step method might do better for another reason than events.
#[derive(Clone, Copy, Serialize, Deserialize)]
enum Doubt {
    None,
    /// It is tried, since the multistep method came forward by so little time for each evaluation.
    Trial(f64),
    /// It was tried, and did not.
    Settled,
}

/// How far a method was at the last look.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct Seen {
    steps: u64,
    restarts: u64,
    jacobians: u64,
    evaluations: u64,
    time: f64,
}

impl Seen {
    fn of(method: &dyn Integrator) -> Seen {
        let stats = method.stats();
        Seen {
            steps: stats.steps,
            restarts: stats.restarts,
            jacobians: stats.jacobian_evaluations,
            evaluations: stats.evaluations + stats.difference_evaluations,
            time: method.time(),
        }
    }
}

impl Formula {
    fn integrator(&self) -> &dyn Integrator {
        match self {
            Formula::Changeable(method, _) => method.as_ref(),
            Formula::Adopted(Adopted { method, .. }) | Formula::Chosen(method) => method.as_ref(),
        }
    }

    fn integrator_mut(&mut self) -> &mut dyn Integrator {
        match self {
            Formula::Changeable(method, _) => method.as_mut(),
            Formula::Adopted(Adopted { method, .. }) | Formula::Chosen(method) => method.as_mut(),
        }
    }
}

impl Adopted {
    /// Whether the last steps had so many restarts, or so few, that the other kind of method does better, or whether it is to
    /// be tried; with what is to be thought of that.
    fn misjudged(&mut self) -> Option<Doubt> {
        let (now, before) = (Seen::of(self.method.as_ref()), self.seen);
        let (past, events) = (now.steps - before.steps, now.restarts - before.restarts);
        if past < self.patience {
            return None;
        }
        (self.seen, self.patience) = (now, LOOK);
        let pace = (now.time - before.time) / (now.evaluations - before.evaluations).max(1) as f64;
        let same = if let Doubt::Settled = self.doubt { Doubt::Settled } else { Doubt::None };
        match (self.multistep, self.doubt) {
            (true, _) if events * EVENT_DENSE > past => Some(same),
            // Where the equations have kinks, as at flows about zero, Newton's method fails again and again, and each time
            // a multistep method gives up a step that it takes many steps to regain.
            (true, Doubt::None) if (now.jacobians - before.jacobians) * RENEWED > past => {
                Some(Doubt::Trial(pace))
            }
            (true, _) => None,
            (false, Doubt::Trial(other)) if pace < other => Some(Doubt::Settled),
            (false, Doubt::Trial(_)) => {
                (self.doubt, self.patience) = (Doubt::None, LOOK * 10);
                None
            }
            (false, _) => (events * EVENT_SPARSE < past).then_some(same),
        }
    }
}

/// Step size times dominant eigenvalue from which on an explicit method wastes its effort (Hairer and Wanner, IV.2).
const STIFF: f64 = 3.25;
/// The same for what decays, where nothing but the motion limits the step: from here on the decay itself is below all usual
/// tolerances, and implicit steps of several orders take fewer evaluations. An oscillation is no such reason.
const DECAYING: f64 = 1.0;
/// So many steps must say so.
const STIFF_STEPS: u32 = 10;
/// With fewer steps between restarts a one-step method is the better choice, with more a multistep method.
const EVENT_DENSE: u64 = 10;
const EVENT_SPARSE: u64 = 50;
/// A Jacobian for so many steps is one too many: those of smooth motion serve for dozens.
const RENEWED: u64 = 4;
/// So many steps tell how many events there are.
const LOOK: u64 = 200;

impl Solver {
    /// The integrator that the options ask for; `searching` where crossing functions have to be watched.
    pub fn new(
        machine: &mut dyn Machine,
        memory: &mut Memory,
        options: &SimOptions,
        searching: bool,
    ) -> Result<Self, SimError> {
        let range = options.range();
        let max_step = options.max_step.unwrap_or(f64::INFINITY);
        let stride = if searching { max_step.min(range / 500.0) } else { f64::INFINITY };
        let span = (options.start, options.start);
        if machine.info().states.is_empty() {
            let (tolerance, settings) = (Tolerance::uniform(0, 1.0, 1.0), Options::default());
            return Ok(Self {
                method: None,
                tolerance,
                settings,
                spent: Stats::default(),
                span,
                stride,
                begun: true,
                keeps_step: true,
            });
        }
        let tolerance = Tolerance::nominal(options.tolerance, &nominals(machine));
        let settings = Options { max_step, ..Options::default() };
        let system: &dyn Ode = &System::new(machine, memory);
        let fixed = |method| {
            // Not the interval of output: what is written does not change what happens.
            let step = options.step.unwrap_or(range / 500.0);
            FixedStep::new(system, method, step).map(|m| Formula::Chosen(Box::new(m)))
        };
        let method = match options.method {
            Method::Euler => fixed(FixedMethod::Euler),
            Method::Rk2 => fixed(FixedMethod::Midpoint),
            Method::Rk4 => fixed(FixedMethod::RungeKutta4),
            Method::Rk45 => {
                DormandPrince::new(system, tolerance.clone(), settings).map(|m| Formula::Chosen(Box::new(m)))
            }
            Method::Auto => DormandPrince::new(system, tolerance.clone(), settings)
                .map(|m| Formula::Changeable(Box::new(m), 0)),
            Method::Bdf => {
                Bdf::new(system, tolerance.clone(), settings).map(|m| Formula::Chosen(Box::new(m)))
            }
            Method::Esdirk => {
                Esdirk::new(system, tolerance.clone(), settings).map(|m| Formula::Chosen(Box::new(m)))
            }
            Method::Radau => {
                Radau::new(system, tolerance.clone(), settings).map(|m| Formula::Chosen(Box::new(m)))
            }
        };
        let method = method.map_err(|_| {
            let text = format!("the method {} cannot solve this model", options.method.name());
            SimError::option(text, "choose another method, or a positive step")
        })?;
        Ok(Self {
            method: Some(method),
            tolerance,
            settings,
            spent: Stats::default(),
            span,
            stride,
            begun: false,
            keeps_step: options.method != Method::Bdf,
        })
    }

    /// An integrator for the motion along a surface, which no structure is known of.
    pub fn along(system: &dyn Ode, machine: &dyn Machine, options: &SimOptions) -> Result<Self, SimError> {
        let tolerance = Tolerance::nominal(options.tolerance, &nominals(machine));
        let max_step = options.max_step.unwrap_or(f64::INFINITY);
        let settings = Options { max_step, ..Options::default() };
        let method = DormandPrince::new(system, tolerance.clone(), settings);
        let method = method.map_err(|_| SimError::option("no method for a surface".into(), ""))?;
        let method = Some(Formula::Chosen(Box::new(method)));
        let span = (options.start, options.start);
        let (spent, stride) = (Stats::default(), f64::INFINITY);
        Ok(Self { method, tolerance, settings, spent, span, stride, begun: false, keeps_step: true })
    }

    /// Forgets the past; the solution goes on from here.
    pub fn restart(&mut self, t: f64, x: &[f64]) {
        self.span = (t, t);
        if let Some(method) = &mut self.method {
            method.integrator_mut().restart(t, x, self.begun && self.keeps_step);
            self.begun = true;
        }
    }

    /// The last steps were short for a reason that is gone: the next restart chooses anew.
    pub fn forget_step(&mut self) {
        self.begun = false;
    }

    /// One step that does not pass `limit`.
    #[inline]
    pub fn step(&mut self, system: &mut dyn Ode, limit: f64) -> Result<(), Failure> {
        self.reconsider(system)?;
        match &mut self.method {
            None => self.span = (self.span.1, (self.span.1 + self.stride).min(limit)),
            Some(method) => {
                let integrator = method.integrator_mut();
                let from = integrator.time();
                let step = integrator.step(system, limit)?;
                self.span = (from, if step.at_limit { step.to.max(limit) } else { step.to });
                if let Formula::Changeable(method, stiff) = method {
                    *stiff = if is_stiff(method) { *stiff + 1 } else { stiff.saturating_sub(1) };
                }
            }
        }
        Ok(())
    }

    /// Goes over to an implicit method where the explicit one takes steps for its stability alone, and to the other kind of
    /// implicit method where the events turn out to be rarer or denser.
    fn reconsider(&mut self, system: &mut dyn Ode) -> Result<(), Failure> {
        let (multistep, doubt) = match &mut self.method {
            Some(Formula::Changeable(method, STIFF_STEPS..)) => {
                (!is_event_dense(method.stats()), Doubt::None)
            }
            Some(Formula::Adopted(adopted)) => match adopted.misjudged() {
                Some(doubt) => (!adopted.multistep, doubt),
                None => return Ok(()),
            },
            _ => return Ok(()),
        };
        let Some(before) = self.method.as_ref().map(Formula::integrator) else { return Ok(()) };
        let tolerance = self.tolerance.clone();
        // Multistep methods pay at every restart for the order they have to build up again.
        let mut method: Box<dyn Integrator> = match multistep {
            true => Box::new(Bdf::new(system, tolerance, self.settings)?),
            false => Box::new(Esdirk::new(system, tolerance, self.settings)?),
        };
        method.restart(before.time(), before.state(), false);
        self.spent += before.stats();
        self.keeps_step = !multistep;
        let seen = Seen { time: method.time(), ..Seen::default() };
        self.method = Some(Formula::Adopted(Adopted { method, multistep, patience: LOOK, doubt, seen }));
        Ok(())
    }

    /// The interval of the last step.
    pub fn span(&self) -> (f64, f64) {
        self.span
    }

    /// The solution within the last step.
    #[inline]
    pub fn at(&self, t: f64, x: &mut [f64]) {
        if let Some(method) = &self.method {
            let method = method.integrator();
            if self.span.0 == self.span.1 || t == self.span.1 {
                x.copy_from_slice(method.state());
            } else {
                method.interpolate(t, x);
            }
        }
    }

    /// The states at the end of the last step.
    pub fn state(&self) -> &[f64] {
        self.method.as_ref().map_or(&[], |method| method.integrator().state())
    }

    /// One state of it.
    pub fn state_at(&self, t: f64, state: usize) -> f64 {
        match &self.method {
            None => 0.0,
            Some(method) if self.span.0 == self.span.1 || t == self.span.1 => {
                method.integrator().state()[state]
            }
            Some(method) => method.integrator().component(t, state),
        }
    }

    pub fn effort(&self, summary: &mut Summary) {
        if let Some(method) = &self.method {
            for stats in [&self.spent, method.integrator().stats()] {
                summary.steps += stats.steps;
                summary.rejected_steps += stats.error_failures + stats.convergence_failures;
                summary.evaluations += stats.evaluations + stats.difference_evaluations;
                summary.jacobians += stats.jacobian_evaluations;
                summary.newton_iterations += stats.iterations;
            }
        }
    }
}

fn is_event_dense(stats: &Stats) -> bool {
    stats.restarts * EVENT_DENSE > stats.steps
}

/// Whether the last steps were limited by stability, or soon will be.
fn is_stiff(method: &DormandPrince) -> bool {
    method.stiffness() > STIFF || method.decay() > DECAYING && !is_event_dense(method.stats())
}

/// A step from `time` and `x` that failed, in the user's terms.
pub(crate) fn step_error(
    failure: Failure,
    (time, x): (f64, &[f64]),
    machine: &dyn Machine,
    memory: &mut Memory,
) -> SimError {
    let info = machine.info();
    let state = |k: usize| {
        let name = info.state_names.get(k).cloned().unwrap_or_default();
        let span = info.vars.iter().find(|var| var.name == name).map(|var| var.span);
        Some(Culprit { name, value: x[k], span })
    };
    match failure {
        Failure::Fatal { t, .. } => match memory.fault.take() {
            Some(fault) => SimError::evaluation(t, EvalError::Fatal(fault)),
            None => SimError::step(t, 0.0, None, None),
        },
        Failure::Unsupported => {
            SimError::option("the method cannot solve this model".into(), "choose another method")
        }
        Failure::StepTooSmall { t, h, cause } => {
            let time = if t.is_finite() { t } else { time };
            match cause {
                Cause::Evaluation(_) => SimError::step(time, h, memory.fault.take(), None),
                Cause::Error { component }
                | Cause::Convergence { component }
                | Cause::NotFinite { component } => SimError::step(time, h, None, state(component)),
                Cause::Singular { column } => SimError::step(time, h, None, state(column)),
            }
        }
    }
}

/// Options that no model could be run with.
pub fn check(options: &SimOptions) -> Result<(), SimError> {
    let wrong = |text: String, help: &str| Err(SimError::option(text, help));
    let positive = |value: Option<f64>| value.filter(|&v| !(v > 0.0 && v.is_finite()));
    let (start, stop) = (options.start, options.stop);
    if !(start.is_finite() && stop.is_finite()) {
        return wrong(
            format!("the run from time {start} to {stop} has no end"),
            "give finite times in seconds",
        );
    }
    if stop < start {
        let text = format!("the run would end at time {stop}, before it begins at {start}");
        return wrong(text, "give a later stop time or an earlier start time");
    }
    if let Some(step) = positive(options.step) {
        return wrong(format!("the step {step} is not positive"), "give a positive step in seconds");
    }
    if let Some(step) = positive(options.max_step) {
        return wrong(format!("the largest step {step} is not positive"), "give a positive step in seconds");
    }
    let tolerance = options.tolerance;
    if !(tolerance > 0.0 && tolerance < 1.0) {
        let text = format!("the tolerance {tolerance} is not between 0 and 1");
        return wrong(text, "give a tolerance such as 1e-6");
    }
    let interval = options.interval;
    if !(interval >= 0.0 && interval.is_finite()) {
        return wrong(format!("the interval {interval} is negative"), "give a positive interval in seconds");
    }
    Ok(())
}

pub(crate) fn nominals(machine: &dyn Machine) -> Vec<f64> {
    let info = machine.info();
    let given = |k: usize| info.nominal.get(k).copied().filter(|v| v.is_finite() && *v != 0.0);
    (0..info.states.len()).map(|k| given(k).unwrap_or(1.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kairos_numerics::integrate::Step;

    /// A method that has come so far with so much effort.
    struct Told(f64, Stats);

    impl Integrator for Told {
        fn clone_integrator(&self) -> Box<dyn Integrator> {
            Box::new(Told(self.0, self.1))
        }

        fn restart(&mut self, _: f64, _: &[f64], _: bool) {}
        fn step(&mut self, _: &mut dyn Ode, _: f64) -> Result<Step, Failure> {
            Err(Failure::Unsupported)
        }
        fn interpolate(&self, _: f64, _: &mut [f64]) {}
        fn component(&self, _: f64, _: usize) -> f64 {
            0.0
        }
        fn interpolate_slope(&self, _: f64, _: &mut [f64]) {}
        fn time(&self) -> f64 {
            self.0
        }
        fn state(&self) -> &[f64] {
            &[]
        }
        fn stats(&self) -> &Stats {
            &self.1
        }
    }

    fn adopted(multistep: bool, doubt: Doubt) -> Adopted {
        let method = Box::new(Told(0.0, Stats::default()));
        Adopted { method, multistep, patience: LOOK, doubt, seen: Seen::default() }
    }

    /// Says that it has come to a time, with these steps, Jacobians, evaluations and restarts in all.
    fn comes(to: &mut Adopted, time: f64, [steps, jacobians, evaluations, restarts]: [u64; 4]) {
        let stats =
            Stats { steps, jacobian_evaluations: jacobians, evaluations, restarts, ..Stats::default() };
        to.method = Box::new(Told(time, stats));
    }

    #[test]
    fn a_multistep_method_that_renews_its_jacobian_is_put_to_the_test() {
        let mut bdf = adopted(true, Doubt::None);
        // Too early to tell.
        comes(&mut bdf, 1.0, [199, 199, 400, 1]);
        assert!(bdf.misjudged().is_none());
        // A Jacobian for four steps is just good enough, for fewer it is not: 1 s for 400 evaluations.
        comes(&mut bdf, 1.0, [200, 50, 400, 1]);
        assert!(bdf.misjudged().is_none());
        comes(&mut bdf, 2.0, [400, 101, 800, 1]);
        assert!(matches!(bdf.misjudged(), Some(Doubt::Trial(pace)) if pace == 1.0 / 400.0));
    }

    #[test]
    fn the_one_step_method_stays_where_it_comes_forward_faster() {
        let mut esdirk = adopted(false, Doubt::Trial(1.0 / 400.0));
        // 3 s for 1,000 evaluations is more than 1 s for 400, so it stays, though there are no events.
        comes(&mut esdirk, 3.0, [200, 100, 1_000, 1]);
        assert!(esdirk.misjudged().is_none());
        // After ten times as many steps the multistep method gets its chance again, and may be doubted again.
        comes(&mut esdirk, 6.0, [2_199, 1_000, 10_000, 1]);
        assert!(esdirk.misjudged().is_none());
        comes(&mut esdirk, 6.0, [2_200, 1_000, 10_000, 1]);
        assert!(matches!(esdirk.misjudged(), Some(Doubt::None)));
    }

    #[test]
    fn the_one_step_method_goes_for_good_where_it_does_not() {
        let mut esdirk = adopted(false, Doubt::Trial(1.0 / 400.0));
        // 2 s for 1,000 evaluations is less than 1 s for 400.
        comes(&mut esdirk, 2.0, [200, 100, 1_000, 1]);
        let doubt = esdirk.misjudged().expect("a change");
        assert!(matches!(doubt, Doubt::Settled));
        let mut bdf = adopted(true, doubt);
        comes(&mut bdf, 1.0, [200, 200, 1_000, 1]);
        assert!(bdf.misjudged().is_none(), "it was tried before");
        // Events are another reason, with more than one for ten steps.
        comes(&mut bdf, 2.0, [400, 400, 2_000, 22]);
        assert!(matches!(bdf.misjudged(), Some(Doubt::Settled)));
    }
}
