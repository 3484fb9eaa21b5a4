//! The corrector of the BDF: a modified Newton iteration that keeps its matrix as long as that pays.

use super::super::iteration::{Jacobian, Shifted};
use super::super::tolerance::{norm, worst};
use super::super::{Cause, Dae, Failure, Ode, Stats, Tolerance, recover};
use super::{Failed, Nordsieck};
use crate::Eval;
use crate::linear::{Dense, Matrix, Pattern, RankRevealing, Singular};

const MAX_ITERATIONS: usize = 3;
/// Steps after which a matrix, or a Jacobian, is renewed in any case.
const MATRIX_AGE: u64 = 20;
const JACOBIAN_AGE: u64 = 50;
/// The change of the leading coefficient that a matrix survives.
const MATRIX_DRIFT: f64 = 0.3;
const JACOBIAN_DRIFT: f64 = 0.2;
/// How much smaller the expected error must be where the changes alternate.
const ALTERNATING: f64 = 0.2;

/// Working memory of the iteration; `x` and `change` hold its result.
pub struct Corrector {
    pub x: Vec<f64>,
    /// What was added to the predicted value, and its norm.
    pub change: Vec<f64>,
    pub size: f64,
    /// That of the step before and the step's size; whether the last two point in opposite directions, and the step does not grow.
    earlier: Vec<f64>,
    earlier_step: f64,
    alternating: bool,
    jacobian: Jacobian,
    matrix: Shifted<f64>,
    mass: Option<Matrix>,
    mass_inverse: MassInverse,
    /// The slope times the leading coefficient.
    scaled_slope: Vec<f64>,
    right: Vec<f64>,
    /// Shifted slopes and expected changes, for difference quotients of implicit systems.
    shifted: Vec<f64>,
    moves: Vec<f64>,
    /// The right-hand side or residual last evaluated.
    f: Vec<f64>,
    rate: f64,
    matrix_gamma: f64,
    matrix_step: u64,
    jacobian_step: u64,
    jacobian_fresh: bool,
}

/// What the corrector needs to know of a form of equations.
pub trait Form {
    /// `-gamma F`, as right-hand side of the Newton equation.
    fn defect(&mut self, c: &mut Corrector, t: f64, gamma: f64) -> Result<(), Eval>;

    /// A factored `∂F/∂x' + gamma ∂F/∂x`.
    fn renew(
        &mut self,
        c: &mut Corrector,
        at: (f64, f64, f64),
        stale: bool,
        stats: &mut Stats,
    ) -> Result<Result<(), Singular>, Eval>;

    /// The slope that the equations give at a point, as far as they do.
    fn slope(&mut self, t: f64, x: &[f64], c: &mut Corrector, dx: &mut [f64]) -> Result<(), Eval>;

    fn gives_slope(&self) -> bool;

    fn accept(&mut self, t: f64, x: &[f64]) -> Result<(), Eval>;
}

/// How a slope follows from `M x' = f`; where `M` is singular, the smallest such slope.
enum MassInverse {
    Identity,
    Diagonal(Vec<f64>),
    General(Dense, Box<RankRevealing>),
}

impl MassInverse {
    fn new(n: usize, mass: Option<&Matrix>) -> Self {
        let Some(mass) = mass else { return MassInverse::Identity };
        let mut diagonal = vec![0.0; n];
        let mut only = true;
        let mut note = |row: usize, column: usize, value: f64| {
            if row == column && value != 0.0 {
                diagonal[row] = 1.0 / value;
            }
            only &= row == column || value == 0.0;
        };
        for column in 0..n {
            match mass {
                Matrix::Dense(dense) => (0..n).for_each(|row| note(row, column, dense[(row, column)])),
                Matrix::Sparse(csc) => csc
                    .pattern
                    .range(column)
                    .for_each(|at| note(csc.pattern.rows[at] as usize, column, csc.values[at])),
            }
        }
        if only {
            return MassInverse::Diagonal(diagonal);
        }
        let mass = dense(n, mass);
        let inverse = RankRevealing::new(&mass, 1e-12);
        MassInverse::General(mass, Box::new(inverse))
    }
}

pub struct OdeForm<'a>(pub &'a mut dyn Ode);

pub struct DaeForm<'a>(pub &'a mut dyn Dae);

impl Corrector {
    pub fn new(
        n: usize,
        pattern: Option<&Pattern>,
        mass: Option<Matrix>,
        tolerance: &Tolerance,
    ) -> Result<Self, Singular> {
        let jacobian = Jacobian::new(n, pattern, tolerance);
        let mass_inverse = MassInverse::new(n, mass.as_ref());
        Ok(Corrector {
            x: vec![0.0; n],
            change: vec![0.0; n],
            size: 0.0,
            earlier: vec![0.0; n],
            earlier_step: 0.0,
            alternating: false,
            matrix: Shifted::new(n, &jacobian.matrix, mass.as_ref())?,
            jacobian,
            mass,
            mass_inverse,
            scaled_slope: vec![0.0; n],
            right: vec![0.0; n],
            shifted: Vec::new(),
            moves: Vec::new(),
            f: vec![0.0; n],
            rate: 1.0,
            matrix_gamma: 1.0,
            matrix_step: 0,
            jacobian_step: 0,
            jacobian_fresh: false,
        })
    }

    pub fn implicit(n: usize, pattern: Option<&Pattern>, tolerance: &Tolerance) -> Result<Self, Singular> {
        // The whole matrix comes as the Jacobian; a mass without entries keeps the diagonal out of the pattern.
        let mass =
            pattern.map(|_| Matrix::new(n, Some(&Pattern { start: vec![0; n + 1], rows: Vec::new() })));
        let mut corrector = Corrector::new(0, None, None, tolerance)?;
        corrector.jacobian = Jacobian::new(n, pattern, tolerance);
        corrector.matrix = Shifted::new(n, &corrector.jacobian.matrix, mass.as_ref())?;
        corrector.mass = mass;
        for vector in [
            &mut corrector.x,
            &mut corrector.change,
            &mut corrector.earlier,
            &mut corrector.scaled_slope,
            &mut corrector.right,
            &mut corrector.f,
            &mut corrector.shifted,
            &mut corrector.moves,
        ] {
            vector.resize(n, 0.0);
        }
        Ok(corrector)
    }

    /// The equations give all slopes: no mass matrix.
    pub fn plain(&self) -> bool {
        self.mass.is_none()
    }

    /// Solves for the corrected value at the predicted point of the history.
    pub fn correct(
        &mut self,
        form: &mut dyn Form,
        history: &Nordsieck,
        t: f64,
        count: u64,
        failed: Failed,
        weights: &[f64],
        stats: &mut Stats,
    ) -> Result<Result<(), Cause>, Failure> {
        let leading = 1.0 / history.l[1];
        let gamma = history.h * leading;
        if count == 0 && failed == Failed::No {
            self.matrix_gamma = gamma;
            self.matrix_step = 0;
            self.jacobian_step = 0;
        }
        let drift = (gamma / self.matrix_gamma - 1.0).abs();
        let mut renew = failed != Failed::No
            || count == 0
            || count >= self.matrix_step + MATRIX_AGE
            || drift > MATRIX_DRIFT;
        let mut stale =
            count == 0 || count > self.jacobian_step + JACOBIAN_AGE || failed == Failed::Convergence;
        self.jacobian_fresh = false;
        loop {
            self.x.copy_from_slice(history.row(0));
            for (out, z) in self.scaled_slope.iter_mut().zip(history.row(1)) {
                *out = leading * z;
            }
            stats.evaluations += 1;
            if let Err(cause) = recover(form.defect(self, t, gamma), t)? {
                return Ok(Err(cause));
            }
            if renew {
                stats.factorisations += 1;
                match form.renew(self, (t, gamma, history.h), stale, stats) {
                    Ok(Ok(())) => {}
                    Ok(Err(Singular { column, .. })) => {
                        if self.jacobian_fresh {
                            return Ok(Err(Cause::Singular { column }));
                        }
                        stale = true;
                        continue;
                    }
                    Err(error) => {
                        if let Err(cause) = recover(Err(error), t)? {
                            return Ok(Err(cause));
                        }
                    }
                }
                if self.jacobian_fresh {
                    self.jacobian_step = count;
                }
                self.matrix_gamma = gamma;
                self.matrix_step = count;
                self.rate = 1.0;
            }
            match self.iterate(form, history, t, gamma, weights, stats)? {
                Ok(()) => return Ok(Ok(())),
                Err(_) if !self.jacobian_fresh => {
                    // A matrix renewed for a new leading coefficient may still hold an old Jacobian.
                    stale = (gamma / self.matrix_gamma - 1.0).abs() < JACOBIAN_DRIFT;
                    renew = true;
                    if !stale && self.matrix_step == count && self.matrix_gamma == gamma {
                        stale = true;
                    }
                }
                Err(cause) => return Ok(Err(cause)),
            }
        }
    }

    fn compare_with_earlier(&mut self, step: f64, weights: &[f64]) {
        let (mut product, mut now, mut before) = (0.0, 0.0, 0.0);
        for ((change, earlier), weight) in self.change.iter().zip(&self.earlier).zip(weights) {
            let (a, b) = (change * weight, earlier * weight);
            product += a * b;
            now += a * a;
            before += b * b;
        }
        let opposite = product < -0.5 * (now * before).sqrt();
        self.alternating = opposite && step <= self.earlier_step;
        self.earlier_step = step;
        self.earlier.copy_from_slice(&self.change);
    }

    fn iterate(
        &mut self,
        form: &mut dyn Form,
        history: &Nordsieck,
        t: f64,
        gamma: f64,
        weights: &[f64],
        stats: &mut Stats,
    ) -> Result<Result<(), Cause>, Failure> {
        let leading = 1.0 / history.l[1];
        self.change.fill(0.0);
        let ratio = gamma / self.matrix_gamma;
        // Corrects on average for the difference between the matrix's leading coefficient and the present one.
        let relax = if ratio != 1.0 { 2.0 / (1.0 + ratio) } else { 1.0 };
        let mut before = 0.0;
        for iteration in 0..MAX_ITERATIONS {
            stats.iterations += 1;
            self.matrix.solve(&mut self.right);
            if relax != 1.0 {
                self.right.iter_mut().for_each(|v| *v *= relax);
            }
            let step = norm(&self.right, weights);
            for ((change, x), (d, z)) in
                self.change.iter_mut().zip(&mut self.x).zip(self.right.iter().zip(history.row(0)))
            {
                *change += d;
                *x = z + *change;
            }
            if iteration > 0 {
                self.rate = (0.3 * self.rate).max(step / before);
            }
            // Errors of the iteration that the prediction magnifies come back with the other sign: where that is seen, the
            // rate of earlier steps is not trusted.
            let trusted = if iteration == 0 && self.alternating { ALTERNATING } else { 1.0 };
            if step * self.rate.min(1.0) / history.tq[4] <= trusted {
                self.size = if iteration == 0 { step } else { norm(&self.change, weights) };
                self.compare_with_earlier(history.h, weights);
                return Ok(Ok(()));
            }
            if iteration + 1 == MAX_ITERATIONS || (iteration >= 1 && step > 2.0 * before) || !step.is_finite()
            {
                let component = worst(&self.right, weights);
                return Ok(Err(if step.is_finite() {
                    Cause::Convergence { component }
                } else {
                    Cause::NotFinite { component }
                }));
            }
            before = step;
            for ((out, z), change) in self.scaled_slope.iter_mut().zip(history.row(1)).zip(&self.change) {
                *out = leading * z + change;
            }
            stats.evaluations += 1;
            if let Err(cause) = recover(form.defect(self, t, gamma), t)? {
                return Ok(Err(cause));
            }
        }
        Ok(Ok(()))
    }
}

impl Form for OdeForm<'_> {
    fn defect(&mut self, c: &mut Corrector, t: f64, gamma: f64) -> Result<(), Eval> {
        self.0.rhs(t, &c.x, &mut c.f)?;
        match &c.mass {
            None => {
                for ((out, f), slope) in c.right.iter_mut().zip(&c.f).zip(&c.scaled_slope) {
                    *out = gamma * f - slope;
                }
            }
            Some(mass) => {
                c.right.iter_mut().zip(&c.f).for_each(|(out, f)| *out = gamma * f);
                mass.add_product(-1.0, &c.scaled_slope, &mut c.right);
            }
        }
        Ok(())
    }

    fn renew(
        &mut self,
        c: &mut Corrector,
        (t, gamma, _): (f64, f64, f64),
        stale: bool,
        stats: &mut Stats,
    ) -> Result<Result<(), Singular>, Eval> {
        if stale {
            c.jacobian.evaluate(self.0, t, &c.x, &c.f, stats)?;
            c.jacobian_fresh = true;
        }
        Ok(c.matrix.factor(1.0, c.mass.as_ref(), -gamma, &c.jacobian.matrix))
    }

    fn slope(&mut self, t: f64, x: &[f64], c: &mut Corrector, dx: &mut [f64]) -> Result<(), Eval> {
        self.0.rhs(t, x, dx)?;
        match &c.mass_inverse {
            MassInverse::Identity => {}
            MassInverse::Diagonal(inverse) => dx.iter_mut().zip(inverse).for_each(|(v, m)| *v *= m),
            MassInverse::General(mass, inverse) => {
                let found = inverse.solve(mass, dx, 1e-8);
                dx.copy_from_slice(&found.x);
            }
        }
        Ok(())
    }

    fn gives_slope(&self) -> bool {
        true
    }

    fn accept(&mut self, t: f64, x: &[f64]) -> Result<(), Eval> {
        self.0.accept(t, x)
    }
}

impl Form for DaeForm<'_> {
    fn defect(&mut self, c: &mut Corrector, t: f64, gamma: f64) -> Result<(), Eval> {
        let inverse = 1.0 / gamma;
        c.scaled_slope.iter_mut().for_each(|v| *v *= inverse);
        self.0.residual(t, &c.x, &c.scaled_slope, &mut c.f)?;
        c.right.iter_mut().zip(&c.f).for_each(|(out, f)| *out = -gamma * f);
        Ok(())
    }

    fn renew(
        &mut self,
        c: &mut Corrector,
        (t, gamma, h): (f64, f64, f64),
        _stale: bool,
        stats: &mut Stats,
    ) -> Result<Result<(), Singular>, Eval> {
        stats.jacobian_evaluations += 1;
        c.jacobian.matrix.fill(0.0);
        if !self.0.jacobian(t, &c.x, &c.scaled_slope, gamma, &mut c.jacobian.matrix)? {
            let Corrector { scaled_slope: slope, shifted: kept, moves, jacobian, .. } = c;
            moves.iter_mut().zip(&*slope).for_each(|(out, v)| *out = h * v);
            let system = &mut *self.0;
            jacobian.by_differences(&c.x, &c.f, Some(moves), stats, |x, out, increment| {
                kept.copy_from_slice(slope);
                kept.iter_mut().enumerate().for_each(|(j, v)| *v += increment(j) / gamma);
                system.residual(t, x, kept, out)
            })?;
            match &mut c.jacobian.matrix {
                Matrix::Dense(dense) => dense.data_mut().iter_mut().for_each(|v| *v *= gamma),
                Matrix::Sparse(csc) => csc.values.iter_mut().for_each(|v| *v *= gamma),
            }
        }
        c.jacobian_fresh = true;
        Ok(c.matrix.factor(0.0, c.mass.as_ref(), 1.0, &c.jacobian.matrix))
    }

    /// The history knows the slope; the equations alone do not give it.
    fn slope(&mut self, _t: f64, _x: &[f64], _c: &mut Corrector, dx: &mut [f64]) -> Result<(), Eval> {
        dx.fill(0.0);
        Ok(())
    }

    fn gives_slope(&self) -> bool {
        false
    }

    fn accept(&mut self, t: f64, x: &[f64]) -> Result<(), Eval> {
        self.0.accept(t, x)
    }
}

fn dense(n: usize, matrix: &Matrix) -> Dense {
    match matrix {
        Matrix::Dense(dense) => dense.clone(),
        Matrix::Sparse(csc) => {
            let mut dense = Dense::new(n, n);
            for column in 0..n {
                for at in csc.pattern.range(column) {
                    dense[(csc.pattern.rows[at] as usize, column)] = csc.values[at];
                }
            }
            dense
        }
    }
}
