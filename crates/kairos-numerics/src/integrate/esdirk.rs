//! The L-stable ESDIRK 4(3) of Kennedy and Carpenter: cheap to restart, for stiff systems with many events.

use super::iteration::{Jacobian, Shifted};
use super::promise::{Kept, Promise, Scale};
use super::tolerance::{is_damped, largest, norm, worst};
use super::{Cause, Failure, Integrator, Ode, Options, STRETCH, Stats, Step, Tolerance};
use super::{WARY, crosses_zero, is_inside, recover, resolution};
use crate::Eval;
use serde::{Deserialize, Serialize};

const STAGES: usize = 6;
const GAMMA: f64 = 0.25;
const C: [f64; STAGES] = [0.0, 0.5, 83.0 / 250.0, 31.0 / 50.0, 17.0 / 20.0, 1.0];
/// ARK4(3)6L[2]SA, implicit part; the last row is also the solution.
const A: [&[f64]; STAGES] = [
    &[],
    &[0.25],
    &[8611.0 / 62500.0, -1743.0 / 31250.0],
    &[5012029.0 / 34652500.0, -654441.0 / 2922500.0, 174375.0 / 388108.0],
    &[
        15267082809.0 / 155376265600.0,
        -71443401.0 / 120774400.0,
        730878875.0 / 902184768.0,
        2285395.0 / 8070912.0,
    ],
    &[82889.0 / 524892.0, 0.0, 15625.0 / 83664.0, 69875.0 / 102672.0, -2260.0 / 8211.0],
];
const B_HAT: [f64; STAGES] = [
    4586570599.0 / 29645900160.0,
    0.0,
    178811875.0 / 945068544.0,
    814220225.0 / 1159782912.0,
    -3700637.0 / 11593932.0,
    61727.0 / 225920.0,
];
/// Another formula of order three from the same stages.
const SIMPSON: [f64; STAGES] = [1.0 / 6.0, 4.0 / 6.0, 0.0, 0.0, 0.0, 1.0 / 6.0];
/// Two stages and a factor that extrapolate the slope of each stage from those before.
const GUESS: [(usize, usize, f64); STAGES] = [
    (0, 0, 0.0),
    (0, 0, 0.0),
    (1, 0, -0.336),
    (1, 2, 0.12 / 0.168),
    (3, 2, 0.23 / 0.288),
    (4, 3, 0.15 / 0.23),
];
/// Corrections of the slopes at start and end by what stages in between are off a cubic: the least squares fit for the nodes `C`.
const FIT: [[f64; STAGES - 2]; 2] = [
    [2.074_496_25, 6.600_641_12, -1.657_190_95, -4.643_558_13],
    [-0.711_795_61, 3.722_734_45, -3.974_782_21, -5.578_082_85],
];
const MAX_ITERATIONS: usize = 8;
const JACOBIAN_AGE: usize = 10;
const SMALL: usize = 16;
/// The part of the tolerance left to the iteration.
const KAPPA: f64 = 0.02;

/// Jacobians of iterates that a stage may have, and rounds with each.
const LOOKS: usize = 8;
const ROUNDS: usize = 3;
/// What is missing to the solution of a stage may be so many tolerances.
const MISSING: f64 = 0.02;
/// A residual of so many tolerances matters.
const MATTERS: f64 = 0.05;

/// After a restart the dense output may be off by so many tolerances: events are searched along it, and what switches
/// may be far smaller than the tolerance of the states.
const ASTRAY: f64 = 0.05;
/// A decay is approached in steps that are shorter by this at most.
const SHORTER: f64 = 0.01;
/// How sharply the directions are told in which stages know better than slopes how the way goes.
const STIFF: usize = 2;
/// How sharply what is resolved is told from what is damped.
const SHARPNESS: usize = 8;

/// Implicit one-step method with cubic dense output.
#[derive(Clone, Serialize, Deserialize)]
pub struct Esdirk {
    n: usize,
    options: Options,
    tolerance: Tolerance,
    t: f64,
    x: Vec<f64>,
    previous: f64,
    previous_x: Vec<f64>,
    /// The slopes of the dense output at both ends of the last step.
    previous_slope: Vec<f64>,
    final_slope: Vec<f64>,
    /// Third derivatives of the dense output, of the last step and of the one before; that one's length, zero if there is none.
    third: Vec<f64>,
    third_before: Vec<f64>,
    h_before: f64,
    k: Vec<f64>,
    base: Vec<f64>,
    moved: Vec<f64>,
    change: Vec<f64>,
    right: Vec<f64>,
    slope: Vec<f64>,
    residual: Vec<f64>,
    promise: Promise,
    error: Vec<f64>,
    /// The estimated error before it is damped.
    raw: Vec<f64>,
    /// The step meets a kink.
    bent: bool,
    /// So many steps are still looked at once more before they are accepted.
    wary: u32,
    weights: Vec<f64>,
    jacobian: Jacobian,
    matrix: Shifted<f64>,
    /// The step the matrix was factored for; 0 if there is none.
    matrix_step: f64,
    jacobian_current: bool,
    jacobian_age: usize,
    h: f64,
    wanted: f64,
    fresh: bool,
    keep_step: bool,
    /// What the restart has stirred up may not be gone yet.
    settling: bool,
    /// What a kink has stirred up may not be gone yet.
    doubt: bool,
    rate: f64,
    stats: Stats,
}

impl Esdirk {
    pub fn new(system: &dyn Ode, tolerance: Tolerance, options: Options) -> Result<Self, Failure> {
        let n = system.dimension();
        let zeros = || vec![0.0; n];
        let jacobian = Jacobian::new(n, system.pattern(), &tolerance);
        Ok(Esdirk {
            n,
            options,
            tolerance,
            t: 0.0,
            x: zeros(),
            previous: 0.0,
            previous_x: zeros(),
            previous_slope: zeros(),
            final_slope: zeros(),
            third: zeros(),
            third_before: zeros(),
            h_before: 0.0,
            k: vec![0.0; STAGES * n],
            base: zeros(),
            moved: zeros(),
            change: zeros(),
            right: zeros(),
            slope: zeros(),
            residual: zeros(),
            promise: Promise::new(n),
            error: zeros(),
            raw: zeros(),
            bent: false,
            wary: 0,
            weights: zeros(),
            matrix: Shifted::new(n, &jacobian.matrix).map_err(|_| Failure::Unsupported)?,
            jacobian,
            matrix_step: 0.0,
            jacobian_current: false,
            jacobian_age: 0,
            h: 0.0,
            wanted: 0.0,
            fresh: true,
            keep_step: false,
            settling: false,
            doubt: false,
            rate: 0.0,
            stats: Stats::default(),
        })
    }

    fn start(&mut self, system: &mut dyn Ode, limit: f64) -> Result<(), Failure> {
        let t = self.t;
        self.stats.evaluations += 1;
        if let Err(cause) = recover(system.rhs(t, &self.x, &mut self.k[..self.n]), t)? {
            return Err(Failure::StepTooSmall { t, h: 0.0, cause });
        }
        if let Some(component) = self.k[..self.n].iter().position(|v| !v.is_finite()) {
            return Err(Failure::StepTooSmall { t, h: 0.0, cause: Cause::NotFinite { component } });
        }
        self.fresh = false;
        self.h_before = 0.0;
        self.settling = true;
        self.jacobian_current = false;
        self.matrix_step = 0.0;
        if self.keep_step && self.wanted > 0.0 {
            return Ok(());
        }
        self.tolerance.weigh(&self.x, &mut self.weights);
        let (size, speed) = (norm(&self.x, &self.weights), norm(&self.k[..self.n], &self.weights));
        let span = if limit.is_finite() { limit - t } else { 1.0 };
        let guess = match (size > 1e-5, speed > 0.0) {
            (_, false) => 1e-3 * span,
            (true, _) => 0.01 * size / speed,
            (false, _) => 1.0 / speed,
        };
        // An error of fourth order is forgiving: the tolerance enters with its fourth root.
        let guess = guess.min(0.1 * span) * self.tolerance.relative.clamp(1e-12, 1.0).powf(0.25) * 30.0;
        self.wanted = self.options.initial_step.unwrap_or(guess.min(0.1 * span)).max(10.0 * resolution(t));
        Ok(())
    }

    /// Brings Jacobian and matrix up to date for a step.
    fn prepare(&mut self, system: &mut dyn Ode, h: f64, renew: bool) -> Result<Result<(), Cause>, Failure> {
        let t = self.t;
        if renew && !self.jacobian_current {
            // The slope kept from the last stage carries the error of its iteration, too coarse for differences.
            self.stats.evaluations += 1;
            if let Err(cause) = recover(system.rhs(t, &self.x, &mut self.right), t)? {
                return Ok(Err(cause));
            }
            let result = self.jacobian.evaluate(system, t, &self.x, &self.right, &mut self.stats);
            if let Err(cause) = recover(result, t)? {
                return Ok(Err(cause));
            }
            self.jacobian_current = true;
            self.jacobian_age = 0;
            self.matrix_step = 0.0;
        }
        if self.matrix_step != h {
            self.stats.factorisations += 1;
            if let Err(singular) = self.matrix.factor(1.0, -GAMMA * h, &self.jacobian.matrix) {
                return Ok(Err(Cause::Singular { column: singular.column }));
            }
            self.matrix_step = h;
        }
        Ok(Ok(()))
    }

    fn stages(&mut self, system: &mut dyn Ode, h: f64) -> Result<Result<(), Cause>, Failure> {
        let n = self.n;
        self.rate = 0.0;
        self.bent = false;
        for s in 1..STAGES {
            self.base.copy_from_slice(&self.x);
            for (j, &a) in A[s].iter().enumerate().filter(|(_, a)| **a != 0.0) {
                self.base.iter_mut().zip(&self.k[j * n..(j + 1) * n]).for_each(|(x, k)| *x += h * a * k);
            }
            let (near, far, factor) = GUESS[s];
            for i in 0..n {
                let slope = self.k[near * n + i] + factor * (self.k[near * n + i] - self.k[far * n + i]);
                self.change[i] = GAMMA * h * slope;
            }
            if let Err(cause) = self.iterate(system, self.t + C[s] * h, h)? {
                return Ok(Err(cause));
            }
            let inverse = 1.0 / (GAMMA * h);
            self.k[s * n..(s + 1) * n].iter_mut().zip(&self.change).for_each(|(k, z)| *k = z * inverse);
        }
        Ok(Ok(()))
    }

    /// Solves one stage for `change`.
    fn iterate(&mut self, system: &mut dyn Ode, t: f64, h: f64) -> Result<Result<(), Cause>, Failure> {
        let (mut before, mut since, mut looks, mut fresh) = (0.0, 0, 0, false);
        self.promise.begin();
        for iteration in 0..MAX_ITERATIONS + ROUNDS * LOOKS {
            for ((x, base), z) in self.moved.iter_mut().zip(&self.base).zip(&self.change) {
                *x = base + z;
            }
            self.stats.evaluations += 1;
            self.stats.iterations += 1;
            if let Err(cause) = recover(system.rhs(t, &self.moved, &mut self.right), t)? {
                return Ok(Err(cause));
            }
            self.slope.copy_from_slice(&self.right);
            for (right, z) in self.right.iter_mut().zip(&self.change) {
                *right = GAMMA * h * *right - z;
            }
            self.residual.copy_from_slice(&self.right);
            self.matrix.solve(&mut self.right);
            let mut size = norm(&self.right, &self.weights);
            let mut kept = match iteration {
                0 => Kept::Some,
                _ => {
                    let scale = Scale { weights: &self.weights, residual: MATTERS, missing: MISSING };
                    self.promise.kept(&self.residual, &self.right, looks > 0, scale)
                }
            };
            // The second correction may be as large as the first: what follows from others by no linear law, and nothing
            // follows from (the square of a current, summed up), is right only after these are. Behind a kink the matrix may be
            // far too small: a Jacobian of where that has led is the way back.
            let grows = since > 0 && size > KAPPA && size > if since == 1 { 2.0 } else { 0.9 } * before;
            if kept == Kept::Broken || grows {
                if looks == LOOKS {
                    break;
                }
                looks += 1;
                let mut noise = false;
                let looked = self.look_again(system, t, h, fresh && since == 1);
                if let Err(cause) = recover(looked.map(|same| noise = same), t)? {
                    return Ok(Err(cause));
                }
                fresh = true;
                if looks > 1 {
                    self.promise.damp(&mut self.right, &self.weights);
                }
                size = norm(&self.right, &self.weights);
                if noise {
                    kept = Kept::All;
                } else {
                    since = 0;
                    self.promise.begin();
                }
            }
            self.promise.remember(&self.residual, &self.right);
            self.change.iter_mut().zip(&self.right).for_each(|(z, d)| *z += d);
            if !size.is_finite() {
                return Ok(Err(Cause::NotFinite { component: worst(&self.right, &self.weights) }));
            }
            let rate = if since > 0 { size / before } else { 0.0 };
            self.rate = self.rate.max(rate);
            // One small correction proves nothing if the matrix is far off; two tell the rate.
            let small = match since {
                0 => size <= 0.01 * KAPPA,
                _ => size * rate <= KAPPA * (1.0 - rate).max(1e-3),
            };
            if small && self.promise.is_enough(kept, &self.right, self.scale()) {
                return Ok(Ok(()));
            }
            before = size;
            since += 1;
            if since > MAX_ITERATIONS {
                break;
            }
        }
        Ok(Err(Cause::Convergence { component: worst(&self.right, &self.weights) }))
    }

    fn scale(&self) -> Scale<'_> {
        Scale { weights: &self.weights, residual: MATTERS, missing: MISSING }
    }

    /// Corrects the residual of a stage with a Jacobian of the point reached. True if it says the same as one of the last point:
    /// then what is left is noise.
    #[cold]
    fn look_again(&mut self, system: &mut dyn Ode, t: f64, h: f64, fresh: bool) -> Result<bool, Eval> {
        self.jacobian.evaluate(system, t, &self.moved, &self.slope, &mut self.stats)?;
        self.stats.factorisations += 1;
        self.bent = true;
        // The next step begins elsewhere.
        (self.jacobian_current, self.matrix_step) = (false, 0.0);
        self.matrix.factor(1.0, -GAMMA * h, &self.jacobian.matrix).map_err(|_| Eval::Recoverable(0))?;
        let old = std::mem::replace(&mut self.right, self.residual.clone());
        self.matrix.solve(&mut self.right);
        let scale = Scale { weights: &self.weights, residual: MATTERS, missing: MISSING };
        Ok(fresh && self.promise.excuse(&self.residual, &old, &self.right, scale))
    }

    /// The estimated error, damped in the stiff directions. A kink may lie where an estimate does not see it: a step that meets
    /// one needs two.
    fn estimate(&mut self, system: &mut dyn Ode, h: f64) -> Result<Result<f64, Cause>, Failure> {
        for i in 0..self.n {
            let reach = self.x[i].abs().max((self.base[i] + self.change[i]).abs());
            self.weights[i] =
                1.0 / (self.tolerance.relative * reach + self.tolerance.absolute[i]).max(1e-290);
        }
        let size = self.estimate_with(system, h, &B_HAT)?;
        match size {
            Ok(first) if self.bent && first <= 1.0 => {
                let second = self.estimate_with(system, h, &SIMPSON)?;
                Ok(second.map(|second| first.max(second)))
            }
            _ => Ok(size),
        }
    }

    fn estimate_with(
        &mut self,
        system: &mut dyn Ode,
        h: f64,
        other: &[f64; STAGES],
    ) -> Result<Result<f64, Cause>, Failure> {
        let n = self.n;
        for i in 0..n {
            let mut sum = 0.0;
            for s in 0..STAGES {
                let b = if s + 1 == STAGES { GAMMA } else { A[STAGES - 1][s] };
                sum += (b - other[s]) * self.k[s * n + i];
            }
            self.error[i] = h * sum;
        }
        self.raw.copy_from_slice(&self.error);
        self.matrix.solve(&mut self.error);
        let size = self.size();
        if size > 1.0 || !self.is_damped() {
            return Ok(Ok(size));
        }
        self.confirm(system, h, size)
    }

    /// The estimated error in tolerances: where a kink was met errors do not spread evenly, and the largest counts.
    fn size(&self) -> f64 {
        match self.bent {
            true => largest(&self.error, &self.weights),
            false => norm(&self.error, &self.weights),
        }
    }

    /// Does only the matrix say that the error is small?
    fn is_damped(&self) -> bool {
        is_damped(&self.raw, &self.error, &self.weights)
    }

    /// Asks the right-hand side at the end of the step whether it damps the error as the matrix says. If not, a Jacobian of there
    /// decides; it is also what the next step begins with.
    fn confirm(&mut self, system: &mut dyn Ode, h: f64, size: f64) -> Result<Result<f64, Cause>, Failure> {
        let t = self.t + h;
        for ((x, base), z) in self.moved.iter_mut().zip(&self.base).zip(&self.change) {
            *x = base + z;
        }
        self.stats.evaluations += 2;
        if let Err(cause) = recover(system.rhs(t, &self.moved, &mut self.slope), t)? {
            return Ok(Err(cause));
        }
        self.residual.iter_mut().zip(&self.moved).zip(&self.error).for_each(|((out, x), e)| *out = x + e);
        if let Err(cause) = recover(system.rhs(t, &self.residual, &mut self.right), t)? {
            return Ok(Err(cause));
        }
        let pairs = self.right.iter().zip(&self.slope).zip(self.raw.iter().zip(&self.error));
        let told = pairs.map(|((there, here), (raw, error))| raw - error + GAMMA * h * (there - here));
        if told.zip(&self.weights).all(|(off, weight)| (off * weight).abs() <= 1.0) {
            return Ok(Ok(size));
        }
        let evaluated = self.jacobian.evaluate(system, t, &self.moved, &self.slope, &mut self.stats);
        if let Err(cause) = recover(evaluated, t)? {
            return Ok(Err(cause));
        }
        self.stats.factorisations += 1;
        self.matrix_step = 0.0;
        self.jacobian_current = false;
        if let Err(singular) = self.matrix.factor(1.0, -GAMMA * h, &self.jacobian.matrix) {
            return Ok(Err(Cause::Singular { column: singular.column }));
        }
        let old = std::mem::replace(&mut self.error, self.raw.clone());
        self.matrix.solve(&mut self.error);
        let pairs = self.error.iter().zip(&old).zip(&self.weights);
        self.bent |=
            pairs.into_iter().any(|((new, old), w)| new.abs() * w > 1.0 && new.abs() > 2.0 * old.abs());
        Ok(Ok(self.size()))
    }

    /// How far the dense output is off for decays that the step passes over, in tolerances. An L-stable step ends right
    /// after a decay, however short that is, but the slope it began with tells nothing about the way.
    fn straying(&mut self, h: f64) -> f64 {
        let n = self.n;
        let [first, middle, last] = [0, 1, STAGES - 1].map(|stage| &self.k[stage * n..(stage + 1) * n]);
        // What changes evenly over the step is no decay.
        for (i, bend) in self.error.iter_mut().enumerate() {
            *bend = first[i] - 2.0 * middle[i] + last[i];
        }
        // A high power of 1 - 1/M leaves nothing of what the step resolves, and what the matrix M damps.
        self.matrix.keep_fast(1.0, &mut self.error, &mut self.right, SHARPNESS);
        0.125 * h * norm(&self.error, &self.weights)
    }

    /// The slopes of the dense output.
    ///
    /// Where a fast component follows the others, its slopes at the stages are quotients of differences: right to second order, and far
    /// worse than its values, as the error estimate does not see, since the matrix damps it. A cubic with these slopes is off between the ends
    /// by hundreds of tolerances; what switches on it (the current of an ideal diode, a tiny voltage over its resistance) switches
    /// too late. The values at the stages lie on the way that is followed. So the slopes are corrected in stiff directions, to
    /// fit these values by least squares; elsewhere stages are less exact than slopes.
    fn lay_way(&mut self, h: f64, damped: bool) {
        let n = self.n;
        self.previous_slope.copy_from_slice(&self.k[..n]);
        self.final_slope.copy_from_slice(&self.k[(STAGES - 1) * n..]);
        if !damped {
            return;
        }
        let [first, last] = [0, STAGES - 1].map(|stage| &self.k[stage * n..(stage + 1) * n]);
        let (mut at_start, mut at_end) = (vec![0.0; n], vec![0.0; n]);
        for s in 1..STAGES - 1 {
            let (c, d) = (C[s], 1.0 - C[s]);
            for i in 0..n {
                let slopes = A[s].iter().enumerate().map(|(j, a)| a * self.k[j * n + i]).sum::<f64>();
                let stage = slopes + GAMMA * self.k[s * n + i];
                let change = (self.moved[i] - self.x[i]) / h;
                let way = c * c * (3.0 - 2.0 * c) * change + c * d * (d * first[i] - c * last[i]);
                at_start[i] += FIT[0][s - 1] * (stage - way);
                at_end[i] += FIT[1][s - 1] * (stage - way);
            }
        }
        for (by, slope) in [(at_start, &mut self.previous_slope), (at_end, &mut self.final_slope)] {
            let mut by = by;
            self.matrix.keep_fast(1.0, &mut by, &mut self.right, STIFF);
            slope.iter_mut().zip(&by).for_each(|(slope, by)| *slope += by);
        }
    }

    /// How far the way laid is off between the ends of the step in stiff directions, in tolerances: from how its third derivative
    /// differs from that of the step before. Ends are right whatever happens in between, so nothing else would shorten a step over
    /// which a fast component follows more than a cubic can.
    fn way_off(&mut self, h: f64, damped: bool) -> f64 {
        for i in 0..self.n {
            let change = (self.moved[i] - self.x[i]) / h;
            self.third[i] = 6.0 / (h * h) * (self.previous_slope[i] + self.final_slope[i] - 2.0 * change);
        }
        if !damped || self.h_before == 0.0 {
            return 0.0;
        }
        // Hermite's remainder: the fourth derivative counts h^4/384.
        let factor = h.powi(4) / 384.0 / (0.5 * (h + self.h_before));
        let thirds = self.third.iter().zip(&self.third_before);
        let mut off: Vec<f64> = thirds.map(|(now, before)| factor * (now - before)).collect();
        self.matrix.keep_fast(1.0, &mut off, &mut self.right, STIFF);
        norm(&off, &self.weights)
    }
}

impl Esdirk {
    /// The polynomial of the last step, at a part of it.
    fn cubic_at(&self, s: f64, i: usize) -> f64 {
        let (h, a) = (self.h, self.previous_x[i]);
        let change = self.x[i] - a;
        let (da, db) = (h * self.previous_slope[i], h * self.final_slope[i]);
        a + s * (da + s * (3.0 * change - 2.0 * da - db + s * (da + db - 2.0 * change)))
    }
}

impl Integrator for Esdirk {
    fn clone_integrator(&self) -> Box<dyn Integrator> {
        Box::new(self.clone())
    }

    fn written(&self) -> Option<super::Written> {
        Some(super::Written::Esdirk(Box::new(self.clone())))
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
        if self.fresh {
            self.start(system, limit)?;
        }
        let n = self.n;
        let mut renew = self.matrix_step == 0.0 || self.jacobian_age >= JACOBIAN_AGE;
        let mut rejected = false;
        loop {
            let mut h = self.wanted.min(self.options.max_step);
            let at_limit = h * STRETCH >= limit - from;
            if at_limit {
                h = limit - from;
            }
            let to = if at_limit { limit } else { from + h };
            self.tolerance.weigh(&self.x, &mut self.weights);
            // Where a new factorisation is due anyway, a new Jacobian of a small system is worth its price.
            renew |= self.matrix_step != h && n <= SMALL;
            let mut outcome = self.prepare(system, h, renew)?;
            if outcome.is_ok() {
                outcome = self.stages(system, h)?;
            }
            if outcome.is_ok() {
                self.moved.iter_mut().zip(&self.base).zip(&self.change).for_each(|((x, b), z)| *x = b + z);
                outcome = recover(system.accept(to, &self.moved), to)?;
            }
            if outcome.is_ok() && (self.wary > 0 || crosses_zero(&self.x, &self.moved)) {
                self.stats.evaluations += 1;
                outcome = is_inside(system, to, &self.moved, &mut self.right)?;
            }
            if let Err(Cause::Evaluation(_) | Cause::NotFinite { .. }) = outcome {
                self.wary = WARY;
            }
            let estimated = match outcome {
                Ok(()) => self.estimate(system, h)?,
                Err(cause) => Err(cause),
            };
            let size = match estimated {
                Ok(size) => size,
                Err(cause) => {
                    self.stats.convergence_failures += 1;
                    if !self.jacobian_current && !renew {
                        renew = true;
                        continue;
                    }
                    rejected = true;
                    self.wanted = 0.25 * h;
                    if self.wanted <= resolution(from) {
                        return Err(Failure::StepTooSmall { t: from, h, cause });
                    }
                    continue;
                }
            };
            let factor = 0.9 * size.max(1e-10).powf(-0.25);
            if size > 1.0 || size.is_nan() {
                self.stats.error_failures += 1;
                rejected = true;
                self.wanted = h * if size.is_finite() { factor.clamp(0.1, 0.9) } else { 0.1 };
                if self.wanted <= resolution(from) {
                    let component = worst(&self.error, &self.weights);
                    return Err(Failure::StepTooSmall { t: from, h, cause: Cause::Error { component } });
                }
                continue;
            }
            let damped = self.is_damped();
            self.doubt |= self.bent;
            let astray = match (self.settling, self.doubt) {
                (true, _) => self.straying(h) / ASTRAY,
                (false, true) => self.straying(h),
                _ => 0.0,
            };
            if astray > 1.0 && SHORTER * h > resolution(from) {
                self.stats.error_failures += 1;
                rejected = true;
                self.wanted = h * (1.0 / astray).clamp(SHORTER, 0.5);
                continue;
            }
            self.lay_way(h, damped);
            let off = self.way_off(h, damped);
            let fits = 0.9 * off.max(1e-10).powf(-0.25);
            if off > 1.0 && 0.1 * h > resolution(from) {
                self.stats.error_failures += 1;
                rejected = true;
                self.wanted = h * fits.clamp(0.1, 0.9);
                continue;
            }
            let factor = factor.min(fits);
            let grown = h * factor.clamp(0.2, if rejected { 1.0 } else { 8.0 });
            let settled = (1.0..1.2).contains(&(grown / h)) && self.rate < 0.1;
            let next = if settled { h } else { grown };
            self.wanted = if at_limit { next.max(self.wanted) } else { next };
            std::mem::swap(&mut self.third, &mut self.third_before);
            self.h_before = h;
            self.previous = from;
            self.h = h;
            std::mem::swap(&mut self.previous_x, &mut self.x);
            self.x.copy_from_slice(&self.moved);
            self.k.copy_within((STAGES - 1) * n..STAGES * n, 0);
            self.t = to;
            // From when on the error decides on the step, no decay does.
            let quick = at_limit || rejected || grown > 2.0 * h;
            self.settling &= quick;
            self.doubt &= quick;
            // A Jacobian that converges well is kept; a slow one is renewed at the next step.
            self.jacobian_current = false;
            self.jacobian_age += 1;
            if self.rate > 0.2 {
                self.matrix_step = 0.0;
            }
            self.stats.steps += 1;
            self.wary = self.wary.saturating_sub(1);
            return Ok(Step { to, at_limit });
        }
    }

    fn interpolate(&self, t: f64, x: &mut [f64]) {
        if self.fresh || t == self.t {
            x.copy_from_slice(&self.x);
            return;
        }
        let s = (t - self.previous) / self.h;
        for (i, out) in x.iter_mut().enumerate() {
            *out = self.cubic_at(s, i);
        }
    }

    fn component(&self, t: f64, index: usize) -> f64 {
        match self.fresh || t == self.t {
            true => self.x[index],
            false => self.cubic_at((t - self.previous) / self.h, index),
        }
    }

    fn interpolate_slope(&self, t: f64, dx: &mut [f64]) {
        if self.fresh {
            dx.fill(0.0);
            return;
        }
        let (h, s) = (self.h, (t - self.previous) / self.h);
        for i in 0..self.n {
            let change = self.x[i] - self.previous_x[i];
            let (da, db) = (h * self.previous_slope[i], h * self.final_slope[i]);
            dx[i] =
                (da + s * (2.0 * (3.0 * change - 2.0 * da - db) + 3.0 * s * (da + db - 2.0 * change))) / h;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn row(s: usize) -> [f64; STAGES] {
        let mut row = [0.0; STAGES];
        row[..A[s].len()].copy_from_slice(A[s]);
        if s > 0 {
            row[s] = GAMMA;
        }
        row
    }

    /// The order conditions up to four, and up to three for the embedded weights.
    #[test]
    fn tableau_has_its_order() {
        let rows: Vec<[f64; STAGES]> = (0..STAGES).map(row).collect();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let c2: Vec<f64> = C.iter().map(|c| c * c).collect();
        let c3: Vec<f64> = C.iter().map(|c| c * c * c).collect();
        let ac: Vec<f64> = rows.iter().map(|r| dot(r, &C)).collect();
        let ac2: Vec<f64> = rows.iter().map(|r| dot(r, &c2)).collect();
        let aac: Vec<f64> = rows.iter().map(|r| dot(r, &ac)).collect();
        let cac: Vec<f64> = ac.iter().zip(&C).map(|(a, c)| a * c).collect();
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-14, "{a} {b}");
        for (s, r) in rows.iter().enumerate() {
            close(r.iter().sum(), C[s]);
        }
        for (b, order) in [(rows[STAGES - 1], 4), (B_HAT, 3), (SIMPSON, 3)] {
            close(b.iter().sum(), 1.0);
            close(dot(&b, &C), 1.0 / 2.0);
            close(dot(&b, &c2), 1.0 / 3.0);
            close(dot(&b, &ac), 1.0 / 6.0);
            if order == 4 {
                close(dot(&b, &c3), 1.0 / 4.0);
                close(dot(&b, &cac), 1.0 / 8.0);
                close(dot(&b, &ac2), 1.0 / 12.0);
                close(dot(&b, &aac), 1.0 / 24.0);
            }
        }
    }

    /// A fit of what the basis functions of the two slopes themselves look like gives them back.
    #[test]
    fn fit_inverts_its_basis() {
        for (k, basis) in [|c: f64| c * (1.0 - c) * (1.0 - c), |c: f64| c * c * (c - 1.0)].iter().enumerate()
        {
            for (row, fit) in FIT.iter().enumerate() {
                let sum: f64 = fit.iter().zip(&C[1..]).map(|(f, c)| f * basis(*c)).sum();
                assert!((sum - f64::from(u8::from(row == k))).abs() < 1e-7, "{row} {k} {sum}");
            }
        }
    }

    /// A fast state that follows a slow signal, a thousand tolerances large: the way between the ends of steps is right, too.
    #[test]
    fn dense_output_follows_what_is_fast() {
        struct Follow;
        impl Ode for Follow {
            fn dimension(&self) -> usize {
                1
            }
            fn rhs(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Eval> {
                dx[0] = 4e5 * (1e-5 * (11.0 * t).sin() - x[0]);
                Ok(())
            }
        }
        let tolerance = Tolerance::uniform(1, 1e-8, 1e-8);
        let mut solver = Esdirk::new(&Follow, tolerance, Options::default()).expect("a solver");
        solver.restart(0.0, &[0.0], false);
        let (mut most, mut x) = (0.0f64, [0.0]);
        while solver.time() < 1.0 {
            let from = solver.time();
            solver.step(&mut Follow, 1.0).expect("a step");
            for k in 1..10 {
                let t = from + f64::from(k) / 10.0 * (solver.time() - from);
                solver.interpolate(t, &mut x);
                most = most.max((x[0] - 1e-5 * (11.0 * t).sin()).abs());
            }
        }
        // What follows lags behind by 1e-5*11/4e5.
        assert!(most < 1e-7, "off by {most}");
    }
}
