//! Damped Newton iteration for nonlinear systems, scaled by nominal values.

use crate::linear::{Colouring, DenseLu, Lu, Matrix, Pattern, RankRevealing, Singular, SparseLu};
use crate::{Eval, Reason};

/// Systems up to this size get a minimum-norm step where the Jacobian is singular.
const RANK_LIMIT: usize = 400;

/// `F(x) = 0`.
pub trait Nonlinear {
    fn dimension(&self) -> usize;

    fn residual(&mut self, x: &[f64], residual: &mut [f64]) -> Result<(), Eval>;

    /// Where the Jacobian can be nonzero; without it the Jacobian is dense.
    fn pattern(&self) -> Option<&Pattern> {
        None
    }

    /// Writes the Jacobian over zeros; false if it is to be found by differences.
    fn jacobian(&mut self, _x: &[f64], _jacobian: &mut Matrix) -> Result<bool, Eval> {
        Ok(false)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewtonOptions {
    /// Converged when the next step is below this, relative to the larger of value and nominal value.
    pub tolerance: f64,
    pub max_iterations: usize,
    /// Start with the factorisation of the last solution.
    pub keep_factorisation: bool,
}

impl Default for NewtonOptions {
    fn default() -> Self {
        NewtonOptions { tolerance: 1e-10, max_iterations: 100, keep_factorisation: false }
    }
}

/// How a solution was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewtonReport {
    pub iterations: usize,
    pub evaluations: usize,
    pub jacobians: usize,
    /// The size of the last step, scaled.
    pub last_step: f64,
    /// The smallest damping factor used.
    pub damping: f64,
    /// The Jacobian was singular on the way: the solution may be one of many.
    pub rank_deficient: bool,
    /// The largest residuals relative to the terms of their equation, worst first, as (equation, value).
    pub worst: Vec<(usize, f64)>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum NewtonFailure {
    /// No step reduces the residuals any more.
    Stalled(NewtonReport),
    TooManyIterations(NewtonReport),
    Singular {
        column: usize,
        report: NewtonReport,
    },
    /// The residuals cannot be evaluated at the starting point, or nowhere along the step.
    Evaluation {
        reason: Reason,
        report: NewtonReport,
    },
    /// A residual or derivative is not finite where the iteration stands.
    NotFinite {
        equation: usize,
        report: NewtonReport,
    },
    Fatal(Reason),
}

/// Working memory for systems of one shape.
#[derive(Clone, Debug)]
pub struct Newton {
    options: NewtonOptions,
    nominal: Vec<f64>,
    /// Sizes of the unknowns at the last Jacobian, whose columns are scaled by them.
    scale: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    jacobian: Matrix,
    colours: Colouring,
    lu: Lu<f64>,
    factored: bool,
    rank: Option<Box<RankRevealing>>,
    residual: Vec<f64>,
    trial: Vec<f64>,
    trial_residual: Vec<f64>,
    step: Vec<f64>,
    next_step: Vec<f64>,
}

impl Newton {
    /// Memory for a system; fails when its Jacobian is structurally singular.
    pub fn new(system: &dyn Nonlinear, options: NewtonOptions) -> Result<Self, Singular> {
        let n = system.dimension();
        let zeros = || vec![0.0; n];
        let lu = match system.pattern() {
            Some(pattern) => Lu::Sparse(Box::new(SparseLu::new(pattern)?)),
            None => Lu::Dense(DenseLu::new(n)),
        };
        Ok(Newton {
            options,
            nominal: vec![1.0; n],
            scale: vec![1.0; n],
            lower: vec![f64::NEG_INFINITY; n],
            upper: vec![f64::INFINITY; n],
            jacobian: Matrix::new(n, system.pattern()),
            colours: system.pattern().map_or_else(|| Colouring::trivial(n), |p| Colouring::new(p, n)),
            lu,
            factored: false,
            rank: None,
            residual: zeros(),
            trial: zeros(),
            trial_residual: zeros(),
            step: zeros(),
            next_step: zeros(),
        })
    }

    /// Typical sizes of the unknowns.
    pub fn set_nominal(&mut self, nominal: &[f64]) {
        for (out, &size) in self.nominal.iter_mut().zip(nominal) {
            *out = if size.abs() > 0.0 && size.is_finite() { size.abs() } else { 1.0 };
        }
    }

    /// Bounds that iterates must not leave.
    pub fn set_bounds(&mut self, lower: &[f64], upper: &[f64]) {
        self.lower.copy_from_slice(lower);
        self.upper.copy_from_slice(upper);
    }

    /// Improves `x` until it solves the system; on failure `x` is the best point met.
    pub fn solve(
        &mut self,
        system: &mut dyn Nonlinear,
        x: &mut [f64],
    ) -> Result<NewtonReport, NewtonFailure> {
        let mut report = NewtonReport { damping: 1.0, ..NewtonReport::default() };
        if x.is_empty() {
            return Ok(report);
        }
        for i in 0..x.len() {
            x[i] = x[i].max(self.lower[i]).min(self.upper[i]);
        }
        report.evaluations += 1;
        match system.residual(x, &mut self.residual) {
            Ok(()) => {}
            Err(Eval::Fatal(reason)) => return Err(NewtonFailure::Fatal(reason)),
            Err(Eval::Recoverable(reason)) => return Err(NewtonFailure::Evaluation { reason, report }),
        }
        if let Some(equation) = self.residual.iter().position(|r| !r.is_finite()) {
            return Err(NewtonFailure::NotFinite { equation, report });
        }
        let mut fresh = false;
        let mut have_step = false;
        if !(self.options.keep_factorisation && self.factored) {
            self.renew(system, x, &mut report)?;
            fresh = true;
        }
        for _ in 0..self.options.max_iterations {
            report.iterations += 1;
            if !have_step {
                self.step.iter_mut().zip(&self.residual).for_each(|(s, r)| *s = -r);
                solve(&mut self.lu, self.rank.as_deref(), &self.jacobian, &self.scale, &mut self.step);
            }
            let size = self.size(x, &self.step);
            report.last_step = size;
            if size <= self.options.tolerance && (fresh || size <= 0.01 * self.options.tolerance || have_step)
            {
                for i in 0..x.len() {
                    x[i] = (x[i] + self.step[i]).max(self.lower[i]).min(self.upper[i]);
                }
                return self.finish(system, x, report);
            }
            match self.search(system, x, size, &mut report)? {
                Search::Accepted { damping, contraction } => {
                    report.damping = report.damping.min(damping);
                    x.copy_from_slice(&self.trial);
                    std::mem::swap(&mut self.residual, &mut self.trial_residual);
                    // The old matrix goes on as long as it converges fast.
                    have_step = damping == 1.0 && contraction < 0.1;
                    if have_step {
                        std::mem::swap(&mut self.step, &mut self.next_step);
                        fresh = false;
                    } else {
                        self.renew(system, x, &mut report)?;
                        fresh = true;
                    }
                }
                Search::Rejected(_) if !fresh => {
                    self.renew(system, x, &mut report)?;
                    (fresh, have_step) = (true, false);
                }
                Search::Rejected(cause) => {
                    self.rank_worst(x, &mut report);
                    // What round-off leaves is no failure.
                    if report.worst.first().is_none_or(|worst| worst.1 < 1e-13) {
                        return Ok(report);
                    }
                    return Err(match cause {
                        Some(reason) => NewtonFailure::Evaluation { reason, report },
                        None => NewtonFailure::Stalled(report),
                    });
                }
            }
        }
        self.rank_worst(x, &mut report);
        Err(NewtonFailure::TooManyIterations(report))
    }

    /// Shortens the step until the next one, by the same matrix, would be smaller (Deuflhard's natural test).
    fn search(
        &mut self,
        system: &mut dyn Nonlinear,
        x: &[f64],
        size: f64,
        report: &mut NewtonReport,
    ) -> Result<Search, NewtonFailure> {
        let mut damping: f64 = 1.0;
        let mut cause = None;
        if !size.is_finite() {
            return Ok(Search::Rejected(None));
        }
        while damping > 1e-7 {
            for i in 0..x.len() {
                self.trial[i] = (x[i] + damping * self.step[i]).max(self.lower[i]).min(self.upper[i]);
            }
            report.evaluations += 1;
            cause = None;
            match system.residual(&self.trial, &mut self.trial_residual) {
                Err(Eval::Fatal(reason)) => return Err(NewtonFailure::Fatal(reason)),
                Err(Eval::Recoverable(reason)) => cause = Some(reason),
                Ok(()) if self.trial_residual.iter().all(|r| r.is_finite()) => {
                    self.next_step.iter_mut().zip(&self.trial_residual).for_each(|(s, r)| *s = -r);
                    solve(
                        &mut self.lu,
                        self.rank.as_deref(),
                        &self.jacobian,
                        &self.scale,
                        &mut self.next_step,
                    );
                    let next = self.size(x, &self.next_step);
                    if next <= (1.0 - 0.25 * damping) * size || next <= 0.1 * self.options.tolerance {
                        return Ok(Search::Accepted { damping, contraction: next / size });
                    }
                    // The optimal damping for the curvature seen.
                    let mut bend: f64 = 0.0;
                    for i in 0..x.len() {
                        let off = self.next_step[i] - (1.0 - damping) * self.step[i];
                        bend = bend.max(off.abs() / self.nominal[i].max(x[i].abs()));
                    }
                    let wanted = 0.5 * size * damping * damping / bend;
                    damping = if wanted.is_finite() {
                        wanted.min(0.5 * damping).max(0.1 * damping)
                    } else {
                        0.5 * damping
                    };
                    continue;
                }
                Ok(()) => {}
            }
            damping *= 0.25;
        }
        Ok(Search::Rejected(cause))
    }

    fn size(&self, x: &[f64], step: &[f64]) -> f64 {
        let mut largest: f64 = 0.0;
        for i in 0..x.len() {
            let part = step[i].abs() / self.nominal[i].max(x[i].abs());
            if part.is_nan() {
                return f64::NAN;
            }
            largest = largest.max(part);
        }
        largest
    }

    /// A new Jacobian and its factorisation.
    fn renew(
        &mut self,
        system: &mut dyn Nonlinear,
        x: &[f64],
        report: &mut NewtonReport,
    ) -> Result<(), NewtonFailure> {
        report.jacobians += 1;
        self.jacobian.fill(0.0);
        self.factored = false;
        self.rank = None;
        let outcome = match system.jacobian(x, &mut self.jacobian) {
            Ok(true) => Ok(()),
            Ok(false) => self.difference(system, x, report),
            Err(error) => Err(error),
        };
        match outcome {
            Ok(()) => {}
            Err(Eval::Fatal(reason)) => return Err(NewtonFailure::Fatal(reason)),
            Err(Eval::Recoverable(reason)) => {
                return Err(NewtonFailure::Evaluation { reason, report: std::mem::take(report) });
            }
        }
        if !self.jacobian.is_finite() {
            return Err(NewtonFailure::NotFinite { equation: 0, report: std::mem::take(report) });
        }
        self.scale_columns(x);
        let outcome = match (&mut self.lu, &self.jacobian) {
            (Lu::Dense(lu), Matrix::Dense(jacobian)) => match lu.factor(jacobian) {
                Ok(()) if lu.weakest_pivot() < 1e-13 => {
                    Err(Singular { column: x.len() - 1, structural: false })
                }
                other => other,
            },
            (Lu::Sparse(lu), Matrix::Sparse(jacobian)) => lu.factor(&jacobian.values),
            _ => Err(Singular { column: 0, structural: true }),
        };
        if let Err(Singular { column, .. }) = outcome {
            report.rank_deficient = true;
            match &self.jacobian {
                Matrix::Dense(jacobian) if x.len() <= RANK_LIMIT => {
                    self.rank = Some(Box::new(RankRevealing::new(jacobian, 1e-11)));
                }
                _ => {
                    self.rank_worst(x, report);
                    return Err(NewtonFailure::Singular { column, report: std::mem::take(report) });
                }
            }
        }
        self.factored = self.rank.is_none();
        Ok(())
    }

    /// Measures unknowns in their own sizes, so that a pivot is small only where the equations are dependent.
    fn scale_columns(&mut self, x: &[f64]) {
        for i in 0..x.len() {
            self.scale[i] = self.nominal[i].max(x[i].abs());
        }
        match &mut self.jacobian {
            Matrix::Dense(jacobian) => {
                for row in jacobian.data_mut().chunks_exact_mut(x.len()) {
                    row.iter_mut().zip(&self.scale).for_each(|(value, scale)| *value *= scale);
                }
            }
            Matrix::Sparse(csc) => {
                for i in 0..x.len() {
                    for at in csc.pattern.range(i) {
                        csc.values[at] *= self.scale[i];
                    }
                }
            }
        }
    }

    fn difference(
        &mut self,
        system: &mut dyn Nonlinear,
        x: &[f64],
        report: &mut NewtonReport,
    ) -> Result<(), Eval> {
        self.trial.copy_from_slice(x);
        let root = f64::EPSILON.sqrt();
        for group in 0..self.colours.len() {
            for &column in self.colours.group(group) {
                let i = column as usize;
                let step = root * self.nominal[i].max(x[i].abs());
                // Step inwards at a bound.
                self.trial[i] = if x[i] + step > self.upper[i] { x[i] - step } else { x[i] + step };
            }
            report.evaluations += 1;
            system.residual(&self.trial, &mut self.trial_residual)?;
            for &column in self.colours.group(group) {
                let i = column as usize;
                let inverse = 1.0 / (self.trial[i] - x[i]);
                match &mut self.jacobian {
                    Matrix::Dense(jacobian) => {
                        for row in 0..x.len() {
                            jacobian[(row, i)] = (self.trial_residual[row] - self.residual[row]) * inverse;
                        }
                    }
                    Matrix::Sparse(csc) => {
                        for at in csc.pattern.range(i) {
                            let row = csc.pattern.rows[at] as usize;
                            csc.values[at] = (self.trial_residual[row] - self.residual[row]) * inverse;
                        }
                    }
                }
                self.trial[i] = x[i];
            }
        }
        Ok(())
    }

    /// Checks the solution where that is not certain, and lists what is left.
    fn finish(
        &mut self,
        system: &mut dyn Nonlinear,
        x: &[f64],
        mut report: NewtonReport,
    ) -> Result<NewtonReport, NewtonFailure> {
        if report.rank_deficient {
            report.evaluations += 1;
            if system.residual(x, &mut self.residual).is_ok() {
                self.rank_worst(x, &mut report);
                // The step of least norm is zero at a contradiction, too.
                if report.worst.first().is_some_and(|worst| worst.1 > 1e-8) {
                    return Err(NewtonFailure::Stalled(report));
                }
            }
        }
        Ok(report)
    }

    /// The largest residuals relative to the sizes of the terms in their equations.
    fn rank_worst(&mut self, x: &[f64], report: &mut NewtonReport) {
        let mut scale = vec![f64::MIN_POSITIVE; x.len()];
        match &self.jacobian {
            Matrix::Dense(jacobian) => {
                for row in 0..x.len() {
                    scale[row] += jacobian.row(row).iter().map(|v| v.abs()).sum::<f64>();
                }
            }
            Matrix::Sparse(csc) => {
                for (&row, value) in csc.pattern.rows.iter().zip(&csc.values) {
                    scale[row as usize] += value.abs();
                }
            }
        }
        let mut worst: Vec<(usize, f64)> =
            self.residual.iter().zip(&scale).map(|(r, s)| (r / s).abs()).enumerate().collect();
        worst.sort_by(|a, b| b.1.total_cmp(&a.1));
        worst.truncate(3);
        report.worst = worst;
    }
}

enum Search {
    Accepted { damping: f64, contraction: f64 },
    Rejected(Option<Reason>),
}

fn solve(lu: &mut Lu<f64>, rank: Option<&RankRevealing>, jacobian: &Matrix, scale: &[f64], b: &mut [f64]) {
    match (rank, jacobian) {
        (Some(rank), Matrix::Dense(jacobian)) => {
            let found = rank.solve(jacobian, b, 1.0);
            b.copy_from_slice(&found.x);
        }
        _ => lu.solve(b),
    }
    b.iter_mut().zip(scale).for_each(|(value, scale)| *value *= scale);
}
