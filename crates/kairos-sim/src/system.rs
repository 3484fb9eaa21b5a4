//! A machine as the differential equations that integrators accept.

use kairos_machine::{Eval, EvalError, Fault, Machine};
use kairos_numerics as numerics;
use kairos_numerics::integrate::Ode;
use kairos_numerics::integrate::leap::{AT, ROWS};
use kairos_numerics::linear::{Matrix, Pattern};
use serde::{Deserialize, Serialize};

/// Above this many states, and where at most a quarter is filled, Jacobians are sparse.
const DENSE_STATES: usize = 48;

/// What outlives a single step: storage of Jacobians, and the last failure in the user's terms.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct Memory {
    pattern: Option<Pattern>,
    columns: Vec<Vec<f64>>,
    rows: Vec<Vec<u32>>,
    pub fault: Option<Fault>,
    /// The time of the last evaluation in a step.
    reached: f64,
    /// The unknowns of nonlinear systems at the last accepted point. Trials beyond it may lead systems with several
    /// solutions to another one.
    pub guesses: Vec<f64>,
    ahead: Vec<f64>,
    /// The relations whose crossing functions a leap tells, and what it has told.
    glances: Vec<u32>,
    seen: Vec<f64>,
    /// The instants of the last step at which it has told the crossing functions.
    glanced: Option<[f64; 2]>,
}

impl Memory {
    pub fn new(machine: &dyn Machine) -> Self {
        let info = machine.info();
        let n = info.states.len();
        if info.jacobian_columns.len() != n {
            return Self::default();
        }
        let rows = info.jacobian_columns.clone();
        let filled: usize = rows.iter().map(Vec::len).sum();
        let pattern = (n > DENSE_STATES && filled <= n * n / 4).then(|| {
            let entries: Vec<(u32, u32)> = (rows.iter().enumerate())
                .flat_map(|(column, rows)| rows.iter().map(move |&row| (row, column as u32)))
                .collect();
            Pattern::from_entries(n, &entries)
        });
        Self {
            pattern,
            columns: rows.iter().map(|rows| vec![0.0; rows.len()]).collect(),
            rows,
            glances: info.glances.clone(),
            seen: vec![0.0; 2 * info.glances.len()],
            ..Self::default()
        }
    }

    /// What the last leap has told of the crossing functions does not hold any more, or will not.
    pub fn forget_glances(&mut self) {
        self.glanced = None;
    }

    /// The crossing functions of the last step at this instant, if that is one of those at which it has told them.
    #[inline(always)]
    pub fn glanced(&self, time: f64, z: &mut [f64]) -> bool {
        let Some(k) = self.glanced.and_then(|told| told.iter().position(|&then| then == time)) else {
            return false;
        };
        let told = &self.seen[k * self.glances.len()..];
        self.glances.iter().zip(told).for_each(|(&relation, &value)| z[relation as usize] = value);
        true
    }

    /// The machine is at a point that is accepted.
    pub fn keep_guesses(&mut self, machine: &dyn Machine) {
        self.guesses.clear();
        machine.guesses(&mut self.guesses);
    }

    /// The machine has been at the end of the next stretch, and is to go through it from the accepted point on.
    pub fn look_back(&mut self, machine: &mut dyn Machine) {
        if !self.guesses.is_empty() {
            self.ahead.clear();
            machine.guesses(&mut self.ahead);
            machine.set_guesses(&self.guesses);
        }
    }

    /// The end of that stretch is nearer now.
    pub fn look_ahead(&mut self, machine: &mut dyn Machine) {
        if !self.guesses.is_empty() {
            machine.set_guesses(&self.ahead);
        }
    }

    /// Keeps a failure for the message and passes on whether a smaller step may help.
    #[cold]
    fn note(&mut self, error: EvalError) -> numerics::Eval {
        match error {
            EvalError::Recoverable(fault) => {
                self.fault = Some(fault);
                numerics::Eval::Recoverable(0)
            }
            EvalError::Fatal(fault) => {
                self.fault = Some(fault);
                numerics::Eval::Fatal(0)
            }
        }
    }
}

pub(crate) struct System<'a> {
    machine: &'a mut dyn Machine,
    memory: &'a mut Memory,
}

impl<'a> System<'a> {
    pub fn new(machine: &'a mut dyn Machine, memory: &'a mut Memory) -> Self {
        Self { machine, memory }
    }

    fn jacobian_columns(&mut self, t: f64, x: &[f64]) -> Eval<bool> {
        self.machine.set_time(t);
        self.machine.set_states(x);
        self.machine.jacobian(&mut self.memory.columns)
    }
}

impl Ode for System<'_> {
    fn dimension(&self) -> usize {
        self.machine.info().states.len()
    }

    fn rhs(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), numerics::Eval> {
        // Back in time: a longer step has been rejected.
        if std::mem::replace(&mut self.memory.reached, t) > t {
            self.machine.set_guesses(&self.memory.guesses);
        }
        self.machine.derivatives_at(t, x, dx).map_err(|error| self.memory.note(error))
    }

    fn beyond(&self) -> usize {
        match self.memory.glances.len() {
            0 => 0,
            count => 1 + 2 * count,
        }
    }

    fn leap(&mut self, t: f64, from: &[f64], to: &mut [f64]) -> bool {
        let Memory { glances, glanced, seen, .. } = &mut *self.memory;
        let [.., h, end, known] = *from else { return false };
        *glanced = None;
        let done = self.machine.leap(t, from, to);
        let own = ROWS * (from.len() / 2 - 1);
        if done && !glances.is_empty() && to.len() == own + 1 + seen.len() {
            seen.iter_mut().zip(&to[own + 1..]).for_each(|(seen, told)| *seen = *told);
            *glanced = (to[own] != 0.0).then_some([t + 0.5 * (end - t), end]);
        }
        if done {
            // As its stages would have.
            if std::mem::replace(&mut self.memory.reached, t + h)
                > if known == 0.0 { t } else { t + AT[1] * h }
            {
                self.machine.set_guesses(&self.memory.guesses);
            }
        }
        done
    }

    fn pattern(&self) -> Option<&Pattern> {
        self.memory.pattern.as_ref()
    }

    fn jacobian(&mut self, t: f64, x: &[f64], jacobian: &mut Matrix) -> Result<bool, numerics::Eval> {
        if self.memory.columns.is_empty() {
            return Ok(false);
        }
        let exact = self.jacobian_columns(t, x).map_err(|error| self.memory.note(error))?;
        if !exact {
            return Ok(false);
        }
        let entries = self.memory.columns.iter().zip(&self.memory.rows).enumerate();
        for (column, (values, rows)) in entries {
            for (&value, &row) in values.iter().zip(rows) {
                match jacobian {
                    Matrix::Dense(dense) => dense[(row as usize, column)] += value,
                    Matrix::Sparse(csc) => csc.add(row, column, value),
                }
            }
        }
        Ok(true)
    }
}
