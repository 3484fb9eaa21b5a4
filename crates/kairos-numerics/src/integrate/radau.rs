//! Radau IIA of order five: L-stable and very accurate for stiff systems.
//!
//! After Hairer and Wanner, Solving Ordinary Differential Equations II, IV.8.

use super::iteration::{Jacobian, Shifted};
use super::promise::{Kept, Promise, Scale};
use super::tolerance::{is_damped, largest, norm, worst};
use super::{Cause, Failure, Integrator, Ode, Options, STRETCH, Stats, Step, Tolerance};
use super::{is_inside, recover, resolution};
use crate::Eval;
use crate::linear::{Complex, Scalar};
use serde::{Deserialize, Serialize};

const S6: f64 = 2.449_489_742_783_178;
const C: [f64; 3] = [(4.0 - S6) / 10.0, (4.0 + S6) / 10.0, 1.0];
const E: [f64; 3] = [(-13.0 - 7.0 * S6) / 3.0, (-13.0 + 7.0 * S6) / 3.0, -1.0 / 3.0];
/// Eigenvalues of the inverse of the method's matrix: `3 + 3^(2/3) - 3^(1/3)` and the complex pair.
const MU: f64 = 3.637_834_252_744_496;
const MU_COMPLEX: Complex = Complex { re: 2.681_082_873_627_752, im: -3.050_430_199_247_410_6 };
/// The transformation to its eigenvectors and back.
const T: [[f64; 3]; 3] = [
    [0.094_438_762_488_975_24, -0.141_255_295_020_954_2, 0.030_029_194_105_147_42],
    [0.250_213_122_965_333_3, 0.204_129_352_293_799_94, -0.382_942_112_757_261_9],
    [1.0, 1.0, 0.0],
];
const TI: [[f64; 3]; 3] = [
    [4.178_718_591_551_904, 0.327_682_820_761_062_4, 0.523_376_445_499_449_5],
    [-4.178_718_591_551_904, -0.327_682_820_761_062_4, 0.476_623_554_500_550_44],
    [0.502_872_634_945_786_8, -2.571_926_949_855_605, 0.596_039_204_828_224_9],
];
/// The collocation polynomial from the stage values.
const P: [[f64; 3]; 3] = [
    [13.0 / 3.0 + 7.0 * S6 / 3.0, -23.0 / 3.0 - 22.0 * S6 / 3.0, 10.0 / 3.0 + 5.0 * S6],
    [13.0 / 3.0 - 7.0 * S6 / 3.0, -23.0 / 3.0 + 22.0 * S6 / 3.0, 10.0 / 3.0 - 5.0 * S6],
    [1.0 / 3.0, -8.0 / 3.0, 10.0 / 3.0],
];
const MAX_ITERATIONS: usize = 7;
/// A residual of so many tolerances matters.
const MATTERS: f64 = 0.5;
/// An error so many times as large as the order of the method foretells after a rejected step comes from no smooth solution.
const SURPRISE: f64 = 10.0;
/// A step gets so many Jacobians of its end before it is tried shorter.
const LOOKS: usize = 3;
/// Rounds that each of these adds.
const ROUNDS: usize = 3;

/// Implicit, order five at the grid points and three between.
#[derive(Clone, Serialize, Deserialize)]
pub struct Radau {
    n: usize,
    options: Options,
    tolerance: Tolerance,
    t: f64,
    x: Vec<f64>,
    previous: f64,
    previous_x: Vec<f64>,
    slope: Vec<f64>,
    /// Stage values relative to the start of the step, and in the transformed space.
    z: Vec<f64>,
    w: Vec<f64>,
    f: Vec<f64>,
    moved: Vec<f64>,
    embedded: Vec<f64>,
    right: Vec<f64>,
    right_complex: Vec<Complex>,
    /// Residuals and corrections of all stages together, by component.
    residual: Vec<f64>,
    correction: Vec<f64>,
    promise: Promise,
    error: Vec<f64>,
    /// The estimated error before it is damped.
    raw: Vec<f64>,
    /// The step meets a kink.
    bent: bool,
    /// What users ask for, and whether it rules: the tolerance of the estimate counts on a smooth solution.
    given: Tolerance,
    strict: bool,
    weights: Vec<f64>,
    polynomial: Vec<f64>,
    /// Third derivatives of the dense output, of the last step and of the one before; that one's length, zero if there is none.
    third: Vec<f64>,
    third_before: Vec<f64>,
    laid: f64,
    jacobian: Jacobian,
    matrix: Shifted<f64>,
    matrix_complex: Shifted<Complex>,
    matrix_step: f64,
    jacobian_current: bool,
    need_jacobian: bool,
    h: f64,
    wanted: f64,
    h_before: f64,
    error_before: f64,
    fresh: bool,
    keep_step: bool,
    extrapolate: bool,
    iterations: usize,
    rate: f64,
    stats: Stats,
}

/// The most that s (s - C0) (s - C1) (s - 1) is between zero and one.
const BULGE: f64 = 0.019;
/// The dense output may be off by so many tolerances: its order is lower than that of the steps.
const ASIDE: f64 = 10.0;
/// How sharply the directions are told that the step does not resolve, and those of decays that it passes over.
const STIFF: usize = 2;
const SHARP: usize = 8;
/// What the parabola through the stages is at the start of the step, and the part of what it is off there by which the cubic is off
/// between the last two stages.
const START: [f64; 3] = [1.558_078_204_724_9, -0.891_411_538_058_2, 1.0 / 3.0];
const SWING: f64 = 0.22;

impl Radau {
    pub fn new(system: &dyn Ode, tolerance: Tolerance, options: Options) -> Result<Self, Failure> {
        let n = system.dimension();
        let given = tolerance.clone();
        let mut tolerance = tolerance;
        // The error estimate is of order three, the solution of order five: what is asked of the one gives the
        // other (the transformation of RADAU5).
        let relative = 0.1 * tolerance.relative.max(1e-14).powf(2.0 / 3.0);
        let ratio = relative / tolerance.relative.max(1e-14);
        tolerance.absolute.iter_mut().for_each(|absolute| *absolute *= ratio);
        tolerance.relative = relative;
        let zeros = |count: usize| vec![0.0; count];
        let jacobian = Jacobian::new(n, system.pattern(), &tolerance);
        Ok(Radau {
            n,
            options,
            tolerance,
            t: 0.0,
            x: zeros(n),
            previous: 0.0,
            previous_x: zeros(n),
            slope: zeros(n),
            z: zeros(3 * n),
            w: zeros(3 * n),
            f: zeros(3 * n),
            moved: zeros(n),
            embedded: zeros(n),
            right: zeros(n),
            right_complex: vec![Complex::default(); n],
            residual: zeros(n),
            correction: zeros(n),
            promise: Promise::new(n),
            error: zeros(n),
            raw: zeros(n),
            bent: false,
            given,
            strict: false,
            weights: zeros(n),
            polynomial: zeros(4 * n),
            third: zeros(n),
            third_before: zeros(n),
            laid: 0.0,
            matrix: Shifted::new(n, &jacobian.matrix).map_err(|_| Failure::Unsupported)?,
            matrix_complex: Shifted::new(n, &jacobian.matrix).map_err(|_| Failure::Unsupported)?,
            jacobian,
            matrix_step: 0.0,
            jacobian_current: false,
            need_jacobian: true,
            h: 0.0,
            wanted: 0.0,
            h_before: 0.0,
            error_before: 0.0,
            fresh: true,
            keep_step: false,
            extrapolate: false,
            iterations: 0,
            rate: 0.0,
            stats: Stats::default(),
        })
    }

    fn start(&mut self, system: &mut dyn Ode, limit: f64) -> Result<(), Failure> {
        let t = self.t;
        self.stats.evaluations += 1;
        if let Err(cause) = recover(system.rhs(t, &self.x, &mut self.slope), t)? {
            return Err(Failure::StepTooSmall { t, h: 0.0, cause });
        }
        if let Some(component) = self.slope.iter().position(|v| !v.is_finite()) {
            return Err(Failure::StepTooSmall { t, h: 0.0, cause: Cause::NotFinite { component } });
        }
        self.fresh = false;
        self.laid = 0.0;
        self.extrapolate = false;
        self.need_jacobian = true;
        self.jacobian_current = false;
        self.error_before = 0.0;
        if self.keep_step && self.wanted > 0.0 {
            return Ok(());
        }
        self.tolerance.weigh(&self.x, &mut self.weights);
        let (size, speed) = (norm(&self.x, &self.weights), norm(&self.slope, &self.weights));
        let span = if limit.is_finite() { limit - t } else { 1.0 };
        let guess = match (size > 1e-5, speed > 0.0) {
            (_, false) => 1e-3 * span,
            (true, _) => 0.01 * size / speed,
            (false, _) => 1.0 / speed,
        };
        let guess = guess * self.tolerance.relative.clamp(1e-12, 1.0).powf(0.25) * 10.0;
        self.wanted = self.options.initial_step.unwrap_or(guess.min(0.1 * span)).max(10.0 * resolution(t));
        Ok(())
    }

    fn prepare(&mut self, system: &mut dyn Ode, h: f64) -> Result<Result<(), Cause>, Failure> {
        if self.need_jacobian && !self.jacobian_current {
            let result = self.jacobian.evaluate(system, self.t, &self.x, &self.slope, &mut self.stats);
            if let Err(cause) = recover(result, self.t)? {
                return Ok(Err(cause));
            }
            self.jacobian_current = true;
            self.matrix_step = 0.0;
        }
        self.need_jacobian = false;
        if self.matrix_step != h {
            self.stats.factorisations += 1;
            let jacobian = &self.jacobian.matrix;
            let outcome = self
                .matrix
                .factor(MU / h, -1.0, jacobian)
                .and_then(|()| self.matrix_complex.factor(MU_COMPLEX.scale(1.0 / h), -1.0, jacobian));
            if let Err(singular) = outcome {
                self.matrix_step = 0.0;
                return Ok(Err(Cause::Singular { column: singular.column }));
            }
            self.matrix_step = h;
        }
        Ok(Ok(()))
    }

    /// Solves for the stage values; `z` is the starting guess.
    fn collocate(&mut self, system: &mut dyn Ode, h: f64) -> Result<Result<(), Cause>, Failure> {
        let n = self.n;
        transform(&TI, &self.z, &mut self.w, n);
        let relative = self.tolerance.relative.max(1e-14);
        let goal = (10.0 * f64::EPSILON / relative).max(relative.sqrt().min(0.03));
        let (mut before, mut since, mut looks, mut fresh) = (0.0, 0, 0, false);
        self.rate = 0.0;
        self.promise.begin();
        let lambda = MU_COMPLEX.scale(1.0 / h);
        for iteration in 0..MAX_ITERATIONS + ROUNDS * LOOKS {
            self.iterations = iteration + 1;
            self.stats.iterations += 1;
            for s in 0..3 {
                for i in 0..n {
                    self.moved[i] = self.x[i] + self.z[s * n + i];
                }
                self.stats.evaluations += 1;
                let t = self.t + C[s] * h;
                if let Err(cause) = recover(system.rhs(t, &self.moved, &mut self.f[s * n..(s + 1) * n]), t)? {
                    return Ok(Err(cause));
                }
            }
            for i in 0..n {
                self.right[i] = -MU / h * self.w[i] + self.combine(0, i);
                let (a, b) = (self.combine(1, i), self.combine(2, i));
                self.right_complex[i] = Complex { re: a, im: b } - lambda.scale(self.w[n + i]);
                self.right_complex[i] -= lambda * Complex { re: 0.0, im: self.w[2 * n + i] };
            }
            for i in 0..n {
                let (a, c) = (self.right[i].abs(), self.right_complex[i]);
                self.residual[i] = h / MU * (a + c.re.abs() + c.im.abs());
            }
            let raw = (self.right.clone(), self.right_complex.clone());
            self.correct();
            let scale = Scale { weights: &self.weights, residual: MATTERS, missing: goal };
            let mut kept = match iteration {
                0 => Kept::Some,
                _ => self.promise.kept(&self.residual, &self.correction, looks > 0, scale),
            };
            if kept == Kept::Broken {
                if looks == LOOKS {
                    break;
                }
                looks += 1;
                let mut noise = false;
                let looked = self.look_again(system, h, raw, fresh && since == 1);
                if let Err(cause) = recover(looked.map(|same| noise = same), self.t)? {
                    return Ok(Err(cause));
                }
                fresh = true;
                if noise {
                    kept = Kept::All;
                } else {
                    since = 0;
                    self.promise.begin();
                }
            }
            self.promise.remember(&self.residual, &self.correction);
            let mut sum = 0.0;
            for i in 0..n {
                let (a, c, weight) = (self.right[i], self.right_complex[i], self.weights[i]);
                sum += (a * a + c.re * c.re + c.im * c.im) * weight * weight;
                self.w[i] += a;
                self.w[n + i] += c.re;
                self.w[2 * n + i] += c.im;
            }
            let size = (sum / (3 * n) as f64).sqrt();
            if !size.is_finite() {
                return Ok(Err(Cause::NotFinite { component: worst(&self.right, &self.weights) }));
            }
            transform(&T, &self.w, &mut self.z, n);
            let rate = if since > 0 { size / before } else { 0.0 };
            self.rate = rate;
            let small = match since {
                0 => size < 1e-3 * goal,
                _ => rate < 1.0 && rate / (1.0 - rate) * size < goal,
            };
            let scale = Scale { weights: &self.weights, residual: MATTERS, missing: goal };
            if small && self.promise.is_enough(kept, &self.correction, scale) {
                return Ok(Ok(()));
            }
            if since > 0 && !small {
                let left = MAX_ITERATIONS as i32 - since;
                if rate >= 1.0 || left <= 0 || rate.powi(left) / (1.0 - rate) * size > goal {
                    break;
                }
            }
            before = size;
            since += 1;
        }
        Ok(Err(Cause::Convergence { component: worst(&self.right, &self.weights) }))
    }

    /// Turns the residuals into corrections.
    fn correct(&mut self) {
        self.matrix.solve(&mut self.right);
        self.matrix_complex.solve(&mut self.right_complex);
        let both = self.right.iter().zip(&self.right_complex);
        for (correction, (a, c)) in self.correction.iter_mut().zip(both) {
            *correction = a.abs() + c.re.abs() + c.im.abs();
        }
    }

    /// Corrects the residuals with a Jacobian of where the step ends. True if it says the same as an earlier one of there: then
    /// what is left is noise.
    #[cold]
    fn look_again(
        &mut self,
        system: &mut dyn Ode,
        h: f64,
        raw: (Vec<f64>, Vec<Complex>),
        fresh: bool,
    ) -> Result<bool, Eval> {
        let n = self.n;
        self.bent = true;
        (0..n).for_each(|i| self.moved[i] = self.x[i] + self.z[2 * n + i]);
        self.jacobian.evaluate(system, self.t + h, &self.moved, &self.f[2 * n..], &mut self.stats)?;
        self.stats.factorisations += 1;
        // The next step begins elsewhere.
        (self.jacobian_current, self.matrix_step) = (false, 0.0);
        self.matrix.factor(MU / h, -1.0, &self.jacobian.matrix).map_err(|_| Eval::Recoverable(0))?;
        let complex = self.matrix_complex.factor(MU_COMPLEX.scale(1.0 / h), -1.0, &self.jacobian.matrix);
        complex.map_err(|_| Eval::Recoverable(0))?;
        let old = std::mem::take(&mut self.correction);
        self.correction = vec![0.0; n];
        (self.right, self.right_complex) = raw;
        self.correct();
        let scale = Scale { weights: &self.weights, residual: MATTERS, missing: 0.03 };
        Ok(fresh && self.promise.excuse(&self.residual, &old, &self.correction, scale))
    }

    fn combine(&self, row: usize, i: usize) -> f64 {
        (0..3).map(|s| TI[row][s] * self.f[s * self.n + i]).sum()
    }

    /// The error of the embedded formula; a second pass damps it where the first was too large.
    fn estimate(
        &mut self,
        system: &mut dyn Ode,
        h: f64,
        refine: bool,
    ) -> Result<Result<f64, Cause>, Failure> {
        let n = self.n;
        let tolerance = if self.strict { &self.given } else { &self.tolerance };
        for i in 0..n {
            self.embedded[i] = (0..3).map(|s| E[s] * self.z[s * n + i]).sum::<f64>() / h;
            let reach = self.x[i].abs().max((self.x[i] + self.z[2 * n + i]).abs());
            self.weights[i] = 1.0 / (tolerance.relative * reach + tolerance.absolute[i]).max(1e-290);
        }
        self.error.iter_mut().zip(self.embedded.iter().zip(&self.slope)).for_each(|(e, (p, f))| *e = p + f);
        // What the error would be if nothing damped it.
        self.raw.iter_mut().zip(&self.error).for_each(|(raw, error)| *raw = h / MU * error);
        self.matrix.solve(&mut self.error);
        let size = self.size();
        if size > 1.0 && refine {
            self.moved.iter_mut().zip(self.x.iter().zip(&self.error)).for_each(|(m, (x, e))| *m = x + e);
            self.stats.evaluations += 1;
            if recover(system.rhs(self.t, &self.moved, &mut self.right), self.t)?.is_ok() {
                self.error
                    .iter_mut()
                    .zip(self.embedded.iter().zip(&self.right))
                    .for_each(|(e, (p, f))| *e = p + f);
                self.matrix.solve(&mut self.error);
                return Ok(Ok(self.size()));
            }
        }
        if size <= 1.0 && self.is_damped() {
            return self.confirm(system, h, size);
        }
        Ok(Ok(size))
    }

    /// The estimated error in tolerances: where a kink was met errors do not spread evenly, and the largest counts.
    fn size(&self) -> f64 {
        if self.bent { largest(&self.error, &self.weights) } else { norm(&self.error, &self.weights) }
    }

    /// Does only the matrix say that the error is small?
    fn is_damped(&self) -> bool {
        is_damped(&self.raw, &self.error, &self.weights)
    }

    /// Asks the right-hand side at the end of the step whether it damps the error as the matrix says. If not, a Jacobian of
    /// there decides.
    fn confirm(&mut self, system: &mut dyn Ode, h: f64, size: f64) -> Result<Result<f64, Cause>, Failure> {
        let (n, t) = (self.n, self.t + h);
        (0..n).for_each(|i| self.moved[i] = self.x[i] + self.z[2 * n + i]);
        self.stats.evaluations += 2;
        if let Err(cause) = recover(system.rhs(t, &self.moved, &mut self.embedded), t)? {
            return Ok(Err(cause));
        }
        self.residual.iter_mut().zip(&self.moved).zip(&self.error).for_each(|((out, x), e)| *out = x + e);
        if let Err(cause) = recover(system.rhs(t, &self.residual, &mut self.right), t)? {
            return Ok(Err(cause));
        }
        let pairs = self.right.iter().zip(&self.embedded).zip(self.raw.iter().zip(&self.error));
        let told = pairs.map(|((there, here), (raw, error))| raw - error + h / MU * (there - here));
        if told.zip(&self.weights).all(|(off, weight)| (off * weight).abs() <= 1.0) {
            return Ok(Ok(size));
        }
        let evaluated = self.jacobian.evaluate(system, t, &self.moved, &self.embedded, &mut self.stats);
        if let Err(cause) = recover(evaluated, t)? {
            return Ok(Err(cause));
        }
        self.stats.factorisations += 1;
        (self.jacobian_current, self.matrix_step) = (false, 0.0);
        if let Err(singular) = self.matrix.factor(MU / h, -1.0, &self.jacobian.matrix) {
            return Ok(Err(Cause::Singular { column: singular.column }));
        }
        let undamped = self.raw.iter().map(|raw| raw * MU / h).collect();
        let old = std::mem::replace(&mut self.error, undamped);
        self.matrix.solve(&mut self.error);
        let pairs = self.error.iter().zip(&old).zip(&self.weights);
        self.bent |=
            pairs.into_iter().any(|((new, old), w)| new.abs() * w > 1.0 && new.abs() > 2.0 * old.abs());
        Ok(Ok(self.size()))
    }

    /// How far the dense output is off between the stages in stiff directions, in tolerances: from how its third derivative differs from
    /// that of the step before. Stages are right whatever happens in between, so nothing else would shorten a step over which a
    /// fast component follows more than a cubic can.
    fn way_off(&mut self, h: f64, damped: bool) -> f64 {
        let n = self.n;
        for i in 0..n {
            self.third[i] = (0..3).map(|s| P[s][2] * self.z[s * n + i]).sum::<f64>() * 6.0 / h.powi(3);
        }
        if !damped {
            return 0.0;
        }
        self.given.weigh(&self.x, &mut self.weights);
        if self.laid == 0.0 {
            // Stages come right after a decay, however short that is; a cubic through them and the start does not.
            let start = |i: usize| START.iter().enumerate().map(|(s, l)| l * self.z[s * n + i]).sum::<f64>();
            let mut off: Vec<f64> = (0..n).map(|i| SWING * start(i)).collect();
            self.matrix.keep_fast(MU / h, &mut off, &mut self.right, SHARP);
            return norm(&off, &self.weights) / ASIDE;
        }
        let factor = h.powi(4) * BULGE / 24.0 / (0.5 * (h + self.laid));
        let thirds = self.third.iter().zip(&self.third_before);
        let mut off: Vec<f64> = thirds.map(|(now, before)| factor * (now - before)).collect();
        self.matrix.keep_fast(MU / h, &mut off, &mut self.right, STIFF);
        norm(&off, &self.weights) / ASIDE
    }

    /// Gives the polynomial the slope that the motion has at the start of the step, where that makes no difference beyond
    /// the tolerance: what starts from zero must not seem to start the wrong way.
    fn leave_as_it_goes(&mut self, i: usize, h: f64) {
        let n = self.n;
        // s (s - C0) (s - C1) (s - 1) vanishes at all stages, has the slope -C0 C1 = -1/10 at zero.
        let factor = 10.0 * (self.polynomial[i] - h * self.slope[i]);
        self.polynomial[3 * n + i] = 0.0;
        if factor.abs() * BULGE * self.weights[i] <= 1.0 {
            for (j, coefficient) in [-0.1, 0.9, -1.8, 1.0].into_iter().enumerate() {
                self.polynomial[j * n + i] += factor * coefficient;
            }
        }
    }

    fn polynomial_at(&self, s: f64, i: usize) -> f64 {
        let (n, p) = (self.n, &self.polynomial);
        s * (p[i] + s * (p[n + i] + s * (p[2 * n + i] + s * p[3 * n + i])))
    }
}

fn transform(matrix: &[[f64; 3]; 3], from: &[f64], to: &mut [f64], n: usize) {
    for i in 0..n {
        let (a, b, c) = (from[i], from[n + i], from[2 * n + i]);
        for (s, row) in matrix.iter().enumerate() {
            to[s * n + i] = row[0] * a + row[1] * b + row[2] * c;
        }
    }
}

impl Integrator for Radau {
    fn clone_integrator(&self) -> Box<dyn Integrator> {
        Box::new(self.clone())
    }

    fn written(&self) -> Option<super::Written> {
        Some(super::Written::Radau(Box::new(self.clone())))
    }

    fn restart(&mut self, t: f64, x: &[f64], keep_step: bool) {
        self.t = t;
        self.x.copy_from_slice(x);
        self.fresh = true;
        self.keep_step = keep_step;
        self.stats.restarts += 1;
    }

    fn step(&mut self, system: &mut dyn Ode, limit: f64) -> Result<Step, Failure> {
        let from = self.t;
        if limit - from <= resolution(from) {
            return Ok(Step { to: from, at_limit: true });
        }
        let first = self.fresh;
        if self.fresh {
            self.start(system, limit)?;
        }
        let n = self.n;
        let mut rejected = first;
        let mut retried = false;
        // The extrapolation has not led to a solution: the last value is the safer guess.
        let mut astray = false;
        // Error and size of the attempt before.
        let mut earlier = (0.0, 1.0);
        loop {
            let mut h = self.wanted.min(self.options.max_step);
            let at_limit = h * STRETCH >= limit - from;
            if at_limit {
                h = limit - from;
            }
            let to = if at_limit { limit } else { from + h };
            let tolerance = if self.strict { &self.given } else { &self.tolerance };
            tolerance.weigh(&self.x, &mut self.weights);
            self.bent = false;
            let mut outcome = self.prepare(system, h)?;
            if outcome.is_ok() {
                for s in 0..3 {
                    for i in 0..n {
                        self.z[s * n + i] = if self.extrapolate && !astray && !self.strict {
                            let at = (from + C[s] * h - self.previous) / self.h;
                            self.previous_x[i] + self.polynomial_at(at, i) - self.x[i]
                        } else {
                            0.0
                        };
                    }
                }
                outcome = self.collocate(system, h)?;
            }
            if outcome.is_ok() {
                (0..n).for_each(|i| self.moved[i] = self.x[i] + self.z[2 * n + i]);
                outcome = recover(system.accept(to, &self.moved), to)?;
            }
            let estimated = match outcome {
                Ok(()) => self.estimate(system, h, rejected)?,
                Err(cause) => Err(cause),
            };
            if self.bent && !self.strict {
                // The step is judged anew.
                self.strict = true;
                if estimated.is_ok() {
                    continue;
                }
            }
            let size = match estimated {
                Ok(size) => size,
                Err(cause) => {
                    self.stats.convergence_failures += 1;
                    astray = true;
                    if !self.jacobian_current && !retried {
                        (self.need_jacobian, retried) = (true, true);
                        continue;
                    }
                    self.need_jacobian = !self.jacobian_current;
                    rejected = true;
                    self.wanted = if self.bent { 0.25 } else { 0.5 } * h;
                    if self.wanted <= resolution(from) {
                        return Err(Failure::StepTooSmall { t: from, h, cause });
                    }
                    continue;
                }
            };
            let foreseen = earlier.0 * (h / earlier.1).powi(4);
            if earlier.0 > 0.0 && size > SURPRISE * foreseen && !self.strict {
                self.strict = true;
                continue;
            }
            let spent = (2 * MAX_ITERATIONS + self.iterations) as f64;
            let safety = 0.9 * (2 * MAX_ITERATIONS + 1) as f64 / spent;
            let floor = size.max(1e-10);
            let mut factor = floor.powf(-0.25);
            if self.error_before > 0.0 {
                factor *= (h / self.h_before * (self.error_before / floor).powf(0.25)).min(1.0);
            }
            if size > 1.0 || size.is_nan() {
                self.stats.error_failures += 1;
                rejected = true;
                let shorter = if size.is_finite() { (safety * factor).clamp(0.1, 0.9) } else { 0.1 };
                earlier = (size, h);
                self.wanted = h * shorter;
                if self.wanted <= resolution(from) {
                    let component = worst(&self.error, &self.weights);
                    return Err(Failure::StepTooSmall { t: from, h, cause: Cause::Error { component } });
                }
                continue;
            }
            let damped = self.is_damped();
            let off = self.way_off(h, damped);
            let fits = 0.9 * off.max(1e-10).powf(-0.25);
            if off > 1.0 && 0.1 * h > resolution(from) {
                self.stats.error_failures += 1;
                rejected = true;
                self.wanted = h * fits.clamp(if self.laid == 0.0 { 0.01 } else { 0.1 }, 0.9);
                continue;
            }
            let slow = self.iterations > 2 && self.rate > 1e-3;
            let mut grown = (safety * factor).min(8.0).min(fits);
            if !slow && (1.0..1.2).contains(&grown) {
                grown = 1.0;
            }
            self.stats.evaluations += 1;
            (0..n).for_each(|i| self.moved[i] = self.x[i] + self.z[2 * n + i]);
            if let Err(cause) = is_inside(system, to, &self.moved, &mut self.right)? {
                rejected = true;
                self.wanted = 0.25 * h;
                if self.wanted <= resolution(from) {
                    return Err(Failure::StepTooSmall { t: from, h, cause });
                }
                continue;
            }
            for i in 0..n {
                for j in 0..3 {
                    self.polynomial[j * n + i] = (0..3).map(|s| P[s][j] * self.z[s * n + i]).sum();
                }
                self.leave_as_it_goes(i, h);
            }
            self.slope.copy_from_slice(&self.right);
            let next = h * grown;
            self.wanted = if at_limit { next.max(self.wanted) } else { next };
            (self.h_before, self.error_before) = (h, size.max(1e-2));
            std::mem::swap(&mut self.third, &mut self.third_before);
            self.laid = h;
            (self.previous, self.h, self.t) = (from, h, to);
            self.previous_x.copy_from_slice(&self.x);
            self.x.copy_from_slice(&self.moved);
            self.extrapolate = true;
            self.strict &= self.bent || rejected;
            self.jacobian_current = false;
            self.need_jacobian = slow;
            self.stats.steps += 1;
            return Ok(Step { to, at_limit });
        }
    }

    fn interpolate(&self, t: f64, x: &mut [f64]) {
        if self.fresh || t == self.t {
            x.copy_from_slice(&self.x);
            return;
        }
        let s = (t - self.previous) / self.h;
        for i in 0..self.n {
            x[i] = self.previous_x[i] + self.polynomial_at(s, i);
        }
    }

    fn component(&self, t: f64, index: usize) -> f64 {
        match self.fresh || t == self.t {
            true => self.x[index],
            false => self.previous_x[index] + self.polynomial_at((t - self.previous) / self.h, index),
        }
    }

    fn interpolate_slope(&self, t: f64, dx: &mut [f64]) {
        if self.fresh {
            dx.fill(0.0);
            return;
        }
        let (n, s) = (self.n, (t - self.previous) / self.h);
        for i in 0..n {
            let p = |j: usize| self.polynomial[j * n + i];
            dx[i] = (p(0) + s * (2.0 * p(1) + s * (3.0 * p(2) + 4.0 * s * p(3)))) / self.h;
        }
    }

    fn time(&self) -> f64 {
        self.t
    }

    fn state(&self) -> &[f64] {
        &self.x
    }

    fn stats(&self) -> &Stats {
        &self.stats
    }
}
