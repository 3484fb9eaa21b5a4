//! Steady states: points where all state derivatives vanish.
//!
//! Idea: pseudo-transient continuation. Each step solves `(I/h - A) s = f`, an implicit Euler step of length `h` with the
//! exact Jacobian `A`; `h` grows as the residual falls, so that the steps go over from following the motion (which finds its
//! way from far off, and stays in the right basin) to Newton's method (which converges quadratically). After each step the
//! discrete variables follow by an event. Where `A` is singular, as with a free position, the step stays defined.
//! A rest that motion leaves (a pendulum that stands) is not found in this way; then Newton's method follows the solutions of
//! `f(x) = (1 - c) f(x0)` from `c = 0`, where the start solves it, to `c = 1`.
//! Cost: one factorisation of a dense matrix of the states for each step, some tens of steps.
//! Literature: Kelley and Keyes, Convergence Analysis of Pseudo-Transient Continuation, SIAM J. Numer. Anal. 35 (1998).

use kairos::{Error, Machine, Model, Options, SimError, VarInfo};
use kairos_base::Diagnostic;
use kairos_machine::{Changes, Effects, Eval};
use kairos_numerics::linear::DenseLu;

/// More steps are not made.
const STEPS: usize = 400;
/// Rounds of one event.
const ROUNDS: usize = 50;
/// The greatest growth of a step in one go, and the longest step.
const GROWTH: f64 = 10.0;
const LONGEST: f64 = 1e18;
/// A residual that grows by more than this tells of a step that was too long.
const FAR: f64 = 10.0;
/// Steps of Newton's method at the end, and for one point of a continuation.
const POLISH: usize = 4;
const CORRECTIONS: usize = 8;
/// The first step of a continuation, and the least.
const FIRST: f64 = 0.1;
const LEAST: f64 = 1e-4;
/// State derivatives below this part of the states' sizes each second are rest.
const TOLERANCE: f64 = 1e-10;

/// A steady state.
#[derive(Clone, Debug, PartialEq)]
pub struct Steady {
    /// Names and values of the states.
    pub states: Vec<(String, f64)>,
    /// Names and values of all variables.
    pub variables: Vec<(String, f64)>,
    /// The largest state derivative that is left, in nominal values of the states each second.
    pub residual: f64,
    /// How many steps it took.
    pub steps: usize,
}

/// Finds a steady state of a model near where a run of it begins, at the start time and with the inputs as they are there.
pub fn steady_state(model: &Model, options: &Options) -> Result<Steady, Error> {
    let mut sim = model.start(&options.clone().events(false))?;
    let time = sim.time();
    let failed = |error| model.failure(&SimError::evaluation(time, error));
    let begin = Point::new(sim.look()?.clone_machine()).map_err(failed)?;
    let mut at = begin.copy();
    let mut h = if at.residual > 0.0 { 0.1 / at.residual } else { 1.0 };
    for steps in 0..STEPS {
        if at.residual <= TOLERANCE {
            // Slow motions are still far from their ends: Newton's method itself has no clock.
            for _ in 0..POLISH {
                match at.step(LONGEST, &[]).map_err(failed)? {
                    Some(next) if next.residual < at.residual => at = next,
                    _ => break,
                }
            }
            return Ok(at.told(steps));
        }
        // A step that fails, or leads far away, was too long.
        match at.step(h, &[]).map_err(failed)? {
            Some(next) if next.residual <= FAR * at.residual => {
                h = (h * (at.residual / next.residual.max(f64::MIN_POSITIVE)).clamp(0.3, GROWTH))
                    .min(LONGEST);
                at = next;
            }
            _ => h *= 0.1,
        }
    }
    if let Some((found, steps)) = continued(begin).map_err(failed)? {
        return Ok(found.told(STEPS + steps));
    }
    let text = format!(
        "no steady state was found: after {STEPS} steps a state still moves by {:.3e} of its size each second",
        at.residual
    );
    let help =
        "begin nearer to it, give the inputs other values, or simulate and look which state goes on moving";
    Err(Error::from(Diagnostic::error("no-steady-state", text).help(help)))
}

/// Follows the solutions of `f(x) = (1 - c) f(x0)` to rest; the point and the number of steps, if it comes there.
fn continued(begin: Point) -> Eval<Option<(Point, usize)>> {
    let first = begin.slope.clone();
    let (mut at, mut c, mut by, mut steps) = (begin, 0.0, FIRST, 0);
    while c < 1.0 && steps < STEPS {
        let next = (c + by).min(1.0);
        let goal: Vec<f64> = first.iter().map(|slope| (1.0 - next) * slope).collect();
        let mut trial = Some(at.copy());
        for _ in 0..CORRECTIONS {
            steps += 1;
            trial = match trial {
                Some(point) if point.distance(&goal) > TOLERANCE => point.step(LONGEST, &goal)?,
                other => other,
            };
        }
        match trial.filter(|point| point.distance(&goal) <= TOLERANCE) {
            Some(point) => (at, c, by) = (point, next, 2.0 * by),
            None if by > LEAST => by *= 0.25,
            None => return Ok(None),
        }
    }
    Ok((c >= 1.0).then_some((at, steps)))
}

/// A machine at a point, with the state derivatives there.
struct Point {
    machine: Box<dyn Machine>,
    x: Vec<f64>,
    slope: Vec<f64>,
    residual: f64,
}

impl Point {
    fn new(mut machine: Box<dyn Machine>) -> Eval<Self> {
        let n = machine.info().states.len();
        let (mut x, mut slope) = (vec![0.0; n], vec![0.0; n]);
        machine.get_states(&mut x);
        machine.derivatives(&mut slope)?;
        let sizes = x.iter().zip(&machine.info().nominal).map(|(x, nominal)| nominal.max(x.abs()));
        let residual = slope.iter().zip(sizes).map(|(slope, size)| slope.abs() / size).fold(0.0, f64::max);
        Ok(Self { machine, x, slope, residual })
    }

    fn copy(&self) -> Self {
        Self {
            machine: self.machine.clone_machine(),
            x: self.x.clone(),
            slope: self.slope.clone(),
            residual: self.residual,
        }
    }

    /// How far the slopes are from others, in nominal values of the states each second.
    fn distance(&self, goal: &[f64]) -> f64 {
        let sizes = self.x.iter().zip(&self.machine.info().nominal).map(|(x, nominal)| nominal.max(x.abs()));
        let apart = self.slope.iter().zip(goal).map(|(slope, goal)| (slope - goal).abs());
        apart.zip(sizes).map(|(apart, size)| apart / size).fold(0.0, f64::max)
    }

    /// An implicit step of this length towards slopes that are wanted, without any towards rest; nothing if that leads nowhere.
    fn step(&self, h: f64, goal: &[f64]) -> Eval<Option<Self>> {
        let mut machine = self.machine.clone_machine();
        let (states, derivatives) = (machine.info().states.clone(), machine.info().derivatives.clone());
        let n = states.len();
        let mut rows = vec![0.0; n * n];
        machine.partials(&states, &derivatives, &mut rows)?;
        let mut lu: DenseLu<f64> = DenseLu::new(n);
        for (k, entry) in lu.matrix_mut().iter_mut().enumerate() {
            let (i, j) = (k / n, k % n);
            *entry = if i == j { 1.0 / h } else { 0.0 } - rows[j * n + i];
        }
        if lu.factor_in_place().is_err() {
            return Ok(None);
        }
        let mut step = self.slope.clone();
        step.iter_mut().zip(goal).for_each(|(step, goal)| *step -= goal);
        lu.solve(&mut step);
        let there: Vec<f64> = self.x.iter().zip(&step).map(|(x, step)| x + step).collect();
        machine.set_states(&there);
        let next = settle(&mut *machine).and_then(|()| Point::new(machine));
        Ok(next.ok().filter(|next| next.residual.is_finite()))
    }

    fn told(mut self, steps: usize) -> Steady {
        // Values that cannot be told are those of the last evaluation.
        let _ = self.machine.outputs();
        let (info, values) = (self.machine.info(), self.machine.values());
        let value = |var: &VarInfo| values[var.slot as usize] * if var.negated { -1.0 } else { 1.0 };
        Steady {
            states: info.state_names.iter().cloned().zip(self.x.iter().copied()).collect(),
            variables: info.vars.iter().map(|var| (var.name.clone(), value(var))).collect(),
            residual: self.residual,
            steps,
        }
    }
}

/// Lets discrete variables and relations follow the states.
fn settle(machine: &mut dyn Machine) -> Eval {
    let samples = vec![false; machine.info().samplers.len()];
    let (mut effects, mut changes) = (Effects::default(), Changes::default());
    machine.outputs()?;
    machine.advance_pre(&mut changes);
    for _ in 0..ROUNDS {
        machine.event(&samples, false, &mut effects)?;
        machine.advance_pre(&mut changes);
        if changes.discrete.is_empty() && changes.relations.is_empty() {
            break;
        }
    }
    Ok(())
}
