//! Estimation: values of parameters with which a model comes closest to measurements.
//!
//! Idea: Levenberg and Marquardt's method on the weighted residuals, with the sensitivities of the model as Jacobian, in parameters
//! scaled by their sizes. Bounds hold by projection: a parameter at its bound that wants to go on beyond it is left out of the step.
//! The covariance at the end is that of the linear model around it, with the noise that the residuals show.
//! Literature: Nocedal and Wright, Numerical Optimization, section 10.3; Bard, Nonlinear Parameter Estimation.

use crate::sensitivity::{SensitivityRequest, sensitivities};
use kairos::results::Table;
use kairos::{Error, Inputs, Model, Options};
use kairos_base::Diagnostic;
use kairos_numerics::linear::DenseLu;

/// A parameter that may move.
#[derive(Clone, Debug, PartialEq)]
pub struct Free {
    /// A Real parameter, or a state for its start value.
    pub name: String,
    /// It does not go below or above.
    pub bounds: (f64, f64),
}

/// One series of measurements.
#[derive(Clone, Debug, Default)]
pub struct Experiment {
    /// Measured courses; columns with the names of inputs are what the inputs did.
    pub data: Table,
    /// Values of this experiment alone: parameters and start values.
    pub settings: Vec<(String, f64)>,
}

impl Experiment {
    /// When its run begins and ends. It begins as any run of the model does, not with the first measurement, which may come later; unless
    /// measurements come before that and no start is given.
    pub fn span(&self, model: &Model, options: &Options) -> Option<(f64, f64)> {
        let (first, last) = (*self.data.time.first()?, *self.data.time.last()?);
        let own = || model.experiment().start.unwrap_or(0.0).min(first);
        let start = options.start_given().unwrap_or_else(own);
        (last > start).then_some((start, last))
    }
}

/// What to estimate from what.
#[derive(Clone, Debug, Default)]
pub struct FitRequest {
    /// What may move.
    pub free: Vec<Free>,
    /// The measurements.
    pub experiments: Vec<Experiment>,
    /// Standard deviations of the noise by variable; those that are not named count alike, each by its range.
    pub deviations: Vec<(String, f64)>,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fit {
    /// Names in the order of the request.
    pub names: Vec<String>,
    /// The values found.
    pub values: Vec<f64>,
    /// Half of the width of each 95 % confidence interval; infinite where the measurements say nothing.
    pub confidence: Vec<f64>,
    /// Correlations of the estimates, by rows.
    pub correlation: Vec<Vec<f64>>,
    /// Root of the mean square of the residuals, by variable.
    pub deviations: Vec<(String, f64)>,
    /// How many measurements there were, and steps.
    pub measurements: usize,
    /// Steps that were taken.
    pub steps: usize,
    /// The sum of weighted squares at the start and at the end.
    pub squares: (f64, f64),
    /// Nothing better was found within the bounds; otherwise the steps ran out.
    pub is_settled: bool,
}

/// More steps are not made.
const STEPS: usize = 60;
/// A step that changes less than this part of a parameter's size, and of the squares, is the last.
const SMALL: f64 = 1e-8;

/// Parts of each experiment on which a second search begins, before the whole.
const PARTS: [f64; 3] = [0.125, 0.25, 0.5];

/// Estimates parameters of a model.
///
/// Where the residuals at the end are no noise (each resembles the next), the model is wrong or the search has ended in a valley that is
/// not the deepest, as it does with oscillations whose periods do not fit. Then a second search begins with the first part of each
/// experiment, in which phases cannot be far off, and goes on with longer ones; the better of the two counts.
pub fn fit(model: &Model, request: &FitRequest, options: &Options) -> Result<Fit, Error> {
    let mut work = Work::new(model, request, options)?;
    let begin = work.begin()?;
    let at = work.residuals(&begin)?;
    let first = at.squares;
    let mut best = work.search(begin.clone(), at);
    if best.at.are_alike() {
        let (mut values, mut steps) = (begin, best.steps);
        for part in PARTS {
            work.part = part;
            if let Ok(at) = work.residuals(&values) {
                let found = work.search(values, at);
                (values, steps) = (found.values, steps + found.steps);
            }
        }
        work.part = 1.0;
        if let Ok(at) = work.residuals(&values) {
            let found = work.search(values, at);
            steps += found.steps;
            if found.at.squares < best.at.squares {
                best = found;
            }
        }
        best.steps = steps;
    }
    Ok(work.told(best.values, &best.at, first, best.steps, best.is_settled))
}

/// The end of a search.
struct Searched {
    values: Vec<f64>,
    at: Residuals,
    steps: usize,
    is_settled: bool,
}

struct Work<'w> {
    request: &'w FitRequest,
    model: &'w Model,
    options: Options,
    /// Measured variables of each experiment with their weights.
    measured: Vec<Vec<(String, f64)>>,
    sizes: Vec<f64>,
    /// The part of each experiment that counts, from its start.
    part: f64,
}

struct Residuals {
    squares: f64,
    /// Weighted residuals, and for each the derivatives by the free parameters.
    rows: Vec<(f64, Vec<f64>)>,
    /// Squares and counts by variable, without weights.
    by_variable: Vec<(String, f64, usize)>,
}

impl Residuals {
    /// Do residuals resemble those that follow them more than noise does? Three deviations of the first autocorrelation.
    fn are_alike(&self) -> bool {
        let pairs = self.rows.iter().zip(self.rows.iter().skip(1));
        let joint: f64 = pairs.map(|((a, _), (b, _))| a * b).sum();
        self.rows.len() >= 8 && joint * (self.rows.len() as f64).sqrt() > 3.0 * self.squares
    }
}

impl<'w> Work<'w> {
    fn new(model: &'w Model, request: &'w FitRequest, options: &Options) -> Result<Self, Error> {
        let wrong =
            |text: String, help: &str| Err(Error::from(Diagnostic::error("wrong-fit", text).help(help)));
        if request.free.is_empty() {
            return wrong("no parameter is free".into(), "name those that are to be found");
        }
        let free = |name: &str| request.free.iter().any(|free| free.name == name);
        let mut measured = Vec::new();
        let mut sizes: Vec<(String, f64)> = Vec::new();
        for experiment in &request.experiments {
            let mut own = Vec::new();
            for signal in experiment.data.signals.iter().filter(|s| s.name != "time") {
                let Ok(var) = model.variable(&signal.name) else { continue };
                if var.given.is_some() || var.is_parameter() || free(&signal.name) && var.is_parameter() {
                    continue;
                }
                let values = experiment.data.values(&signal.name).unwrap_or_default();
                let known = || values.iter().copied().filter(|v| v.is_finite());
                let (low, high) =
                    known().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
                if low > high {
                    continue;
                }
                match sizes.iter_mut().find(|(name, _)| *name == signal.name) {
                    Some((_, size)) => *size = size.max(high - low),
                    None => sizes.push((signal.name.clone(), high - low)),
                }
                own.push((signal.name.clone(), 0.0));
            }
            if own.is_empty() {
                let text =
                    "the measurements have no column with the name of a variable of the model".to_string();
                return wrong(text, "name the columns as the variables are called");
            }
            if experiment.span(model, options).is_none() {
                let text = "no measurement comes after the start of the run".to_string();
                return wrong(text, "give an earlier `start`");
            }
            measured.push(own);
        }
        let given = |name: &str| request.deviations.iter().find(|(n, _)| n == name).map(|(_, d)| *d);
        for (name, weight) in measured.iter_mut().flatten() {
            let range = sizes.iter().find(|(n, _)| n == name).map_or(1.0, |(_, size)| *size);
            *weight = 1.0 / given(name).unwrap_or(if range > 0.0 { range } else { 1.0 });
        }
        Ok(Self { request, model, options: options.clone(), measured, sizes: Vec::new(), part: 1.0 })
    }

    /// The values to begin with: those of the model, within their bounds.
    fn begin(&mut self) -> Result<Vec<f64>, Error> {
        let mut values = Vec::new();
        for Free { name, bounds } in &self.request.free {
            let value = match self.model.variable(name)?.is_parameter() {
                true => self.model.get(name)?,
                false => self.model.start(&self.options)?.get(name)?,
            };
            values.push(value.clamp(bounds.0, bounds.1));
        }
        let size = |(value, free): (&f64, &Free)| {
            let width = free.bounds.1 - free.bounds.0;
            if *value != 0.0 {
                value.abs()
            } else if width.is_finite() {
                0.1 * width
            } else {
                1.0
            }
        };
        self.sizes = values.iter().zip(&self.request.free).map(size).collect();
        Ok(values)
    }

    /// Levenberg's and Marquardt's steps from there, until nothing better is found.
    fn search(&self, mut values: Vec<f64>, mut at: Residuals) -> Searched {
        let mut damping = 1e-3;
        let (mut steps, mut is_settled) = (0, false);
        while steps < STEPS && !is_settled {
            steps += 1;
            let mut better = None;
            for _ in 0..12 {
                let next = self.step(&values, &at, damping);
                let moved =
                    next.iter().zip(&values).zip(&self.sizes).map(|((a, b), size)| (a - b).abs() / size);
                let largest = moved.fold(0.0, f64::max);
                if largest <= SMALL {
                    is_settled = true;
                    break;
                }
                // Where the model cannot be simulated the step was too long.
                if let Ok(there) = self.residuals(&next)
                    && there.squares < at.squares
                {
                    is_settled = at.squares - there.squares <= SMALL * at.squares && damping <= 1e-3;
                    damping = (damping * 0.2).max(1e-12);
                    better = Some((next, there));
                    break;
                }
                damping *= 5.0;
            }
            match better {
                Some((next, there)) => (values, at) = (next, there),
                None => is_settled = true,
            }
        }
        Searched { values, at, steps, is_settled }
    }

    fn residuals(&self, values: &[f64]) -> Result<Residuals, Error> {
        let names: Vec<String> = self.request.free.iter().map(|free| free.name.clone()).collect();
        let mut found = Residuals { squares: 0.0, rows: Vec::new(), by_variable: Vec::new() };
        for (experiment, measured) in self.request.experiments.iter().zip(&self.measured) {
            let own = experiment.settings.iter().map(|(name, value)| (name.clone(), *value));
            let set = own.chain(names.iter().cloned().zip(values.iter().copied()));
            let model = self.model.set_all(set)?;
            let Some((start, whole)) = experiment.span(&model, &self.options) else { continue };
            let part = start + self.part * (whole - start);
            let time: Vec<f64> = experiment.data.time.iter().copied().filter(|t| *t <= part).collect();
            let Some(&stop) = time.last().filter(|stop| **stop > start) else { continue };
            let inputs = Inputs::default().table("measurements", experiment.data.clone(), false);
            let mut options = self.options.clone().start(start).stop(stop);
            if model.inputs().any(|var| experiment.data.signal(&var.name).is_some()) {
                options = options.inputs(inputs);
            }
            let request = SensitivityRequest {
                of: measured.iter().map(|(name, _)| name.clone()).collect(),
                by: names.clone(),
                intervals: time.len().max(1),
                at: time.clone(),
            };
            let run = sensitivities(&model, &request, &options)?;
            for (i, (name, weight)) in measured.iter().enumerate() {
                let data = experiment.data.values(name).unwrap_or_default();
                let (mut squares, mut count) = (0.0, 0);
                for (t, y) in time.iter().zip(&data).filter(|(_, y)| y.is_finite()) {
                    // The last row at a time is the right side of an event there.
                    let after = run.time.partition_point(|time| *time <= t + 1e-12 * t.abs());
                    let Some(k) = after.checked_sub(1) else { continue };
                    let residual = run.values[i][k] - y;
                    let slopes = run.slopes[i].iter().map(|course| weight * course[k]).collect();
                    found.rows.push((weight * residual, slopes));
                    found.squares += (weight * residual).powi(2);
                    (squares, count) = (squares + residual * residual, count + 1);
                }
                match found.by_variable.iter_mut().find(|(known, ..)| known == name) {
                    Some((_, sum, number)) => (*sum, *number) = (*sum + squares, *number + count),
                    None => found.by_variable.push((name.clone(), squares, count)),
                }
            }
        }
        match found.squares.is_finite() {
            true => Ok(found),
            false => {
                Err(Error::from(Diagnostic::error("wrong-fit", "the model gives no numbers to compare")))
            }
        }
    }

    /// Where a damped step leads, within the bounds.
    fn step(&self, values: &[f64], at: &Residuals, damping: f64) -> Vec<f64> {
        let p = values.len();
        let (normal, gradient) = self.normal(at);
        let bounds = |k: usize| self.request.free[k].bounds;
        let mut held = vec![false; p];
        for _ in 0..=p {
            let open: Vec<usize> = (0..p).filter(|k| !held[*k]).collect();
            let q = open.len();
            if q == 0 {
                return values.to_vec();
            }
            let mut lu: DenseLu<f64> = DenseLu::new(q);
            for (place, entry) in lu.matrix_mut().iter_mut().enumerate() {
                let (i, j) = (open[place / q], open[place % q]);
                *entry = normal[i * p + j];
                if i == j {
                    *entry += damping * normal[i * p + i].max(1e-12);
                }
            }
            let mut step: Vec<f64> = open.iter().map(|&k| -gradient[k]).collect();
            if lu.factor_in_place().is_err() {
                return values.to_vec();
            }
            lu.solve(&mut step);
            let mut next = values.to_vec();
            let mut beyond = false;
            for (&k, step) in open.iter().zip(&step) {
                let there = values[k] + step * self.sizes[k];
                let (low, high) = bounds(k);
                let at_bound = there < low && values[k] <= low || there > high && values[k] >= high;
                (held[k], beyond) = (at_bound, beyond || at_bound);
                next[k] = there.clamp(low, high);
            }
            if !beyond {
                return next;
            }
        }
        values.to_vec()
    }

    /// The matrix of the normal equations and the gradient, in scaled parameters.
    fn normal(&self, at: &Residuals) -> (Vec<f64>, Vec<f64>) {
        let p = self.sizes.len();
        let (mut normal, mut gradient) = (vec![0.0; p * p], vec![0.0; p]);
        for (residual, slopes) in &at.rows {
            for i in 0..p {
                let own = slopes[i] * self.sizes[i];
                gradient[i] += own * residual;
                for j in 0..p {
                    normal[i * p + j] += own * slopes[j] * self.sizes[j];
                }
            }
        }
        (normal, gradient)
    }

    fn told(&self, values: Vec<f64>, at: &Residuals, first: f64, steps: usize, is_settled: bool) -> Fit {
        let (p, m) = (values.len(), at.rows.len());
        let (normal, _) = self.normal(at);
        let free = m.saturating_sub(p);
        let variance = if free > 0 { at.squares / free as f64 } else { f64::INFINITY };
        let mut lu: DenseLu<f64> = DenseLu::new(p);
        lu.matrix_mut().copy_from_slice(&normal);
        let regular = lu.factor_in_place().is_ok() && lu.weakest_pivot() > 1e-14;
        let mut covariance = vec![f64::INFINITY; p * p];
        if regular {
            for k in 0..p {
                let mut column = vec![0.0; p];
                column[k] = 1.0;
                lu.solve(&mut column);
                for (i, entry) in column.iter().enumerate() {
                    covariance[i * p + k] = variance * entry * self.sizes[i] * self.sizes[k];
                }
            }
        }
        let quantile = student(free);
        let deviation = |k: usize| covariance[k * p + k].max(0.0).sqrt();
        let correlation = |i: usize, j: usize| match regular {
            true => covariance[i * p + j] / (deviation(i) * deviation(j)),
            false => f64::NAN,
        };
        Fit {
            names: self.request.free.iter().map(|free| free.name.clone()).collect(),
            confidence: (0..p).map(|k| quantile * deviation(k)).collect(),
            correlation: (0..p).map(|i| (0..p).map(|j| correlation(i, j)).collect()).collect(),
            deviations: at
                .by_variable
                .iter()
                .map(|(name, squares, count)| (name.clone(), (squares / (*count).max(1) as f64).sqrt()))
                .collect(),
            values,
            measurements: m,
            steps,
            squares: (first, at.squares),
            is_settled,
        }
    }
}

/// More degrees of freedom than this: the expansion around the normal distribution is exact to nine digits.
const MANY: usize = 300;

/// The 97.5 % point of Student's distribution: where `within` is 95 %, or by the expansion of Abramowitz and Stegun 26.7.5.
fn student(free: usize) -> f64 {
    if free == 0 {
        return f64::INFINITY;
    }
    if free > MANY {
        let (z, v): (f64, f64) = (1.959_963_984_540_054, free as f64);
        return z
            + (z.powi(3) + z) / (4.0 * v)
            + (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / (96.0 * v * v);
    }
    let (mut low, mut high) = (1.9, 13.0);
    while high - low > 1e-10 {
        let middle = 0.5 * (low + high);
        match within(middle, free) < 0.95 {
            true => low = middle,
            false => high = middle,
        }
    }
    0.5 * (low + high)
}

/// The probability that a variable of Student's distribution is between `-t` and `t`: Abramowitz and Stegun 26.7.3 and 26.7.4.
fn within(t: f64, free: usize) -> f64 {
    let angle = (t / (free as f64).sqrt()).atan();
    let (sin, cos) = angle.sin_cos();
    let odd = free % 2 == 1;
    // The powers of the cosine up to `free - 2`, each with the factor of the one before times (k - 1)/k.
    let mut term = if odd { cos } else { 1.0 };
    let mut sum = 0.0;
    let mut power = usize::from(odd);
    while power + 2 <= free {
        sum += term;
        power += 2;
        term *= cos * cos * (power - 1) as f64 / power as f64;
    }
    match odd {
        true => (angle + sin * sum) * std::f64::consts::FRAC_2_PI,
        false => sin * sum,
    }
}

#[cfg(test)]
mod tests {
    use super::student;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        let table =
            [(1, 12.7062), (2, 4.3027), (3, 3.1824), (4, 2.7764), (5, 2.5706), (10, 2.2281), (30, 2.0423)];
        for (free, wanted) in table.into_iter().chain([(120, 1.9799), (1_000_000, 1.9600)]) {
            assert!((student(free) - wanted).abs() < 6e-5, "{free}: {}", student(free));
        }
        assert!((student(300) - student(301)).abs() < 1e-4 && student(300) > student(301));
    }
}
