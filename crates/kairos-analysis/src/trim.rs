//! Trimming: values of inputs and parameters with which a model rests where it is wanted.
//!
//! Idea: Newton's method on the wanted outputs of the steady state as functions of what may move. Each evaluation is a search for a steady
//! state (`steady.rs`), the derivatives are differences of such, which are sharp to many digits because each search ends with Newton's
//! method. Where more may move than is wanted, the shortest step in relative terms is taken. Steps that do not help are halved; bounds hold
//! by projection, and what stands at its bound and would leave is left out of the step.
//! Cost: one steady state for each free value and step.

use crate::steady::{Steady, steady_state};
use kairos::{Error, Model, Options};
use kairos_base::Diagnostic;
use kairos_numerics::linear::DenseLu;

/// What may move, and what is wanted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TrimRequest {
    /// Inputs and parameters with their bounds.
    pub free: Vec<(String, (f64, f64))>,
    /// Variables and the values they are to have at rest.
    pub wanted: Vec<(String, f64)>,
}

/// A steady state and the values that make it one.
#[derive(Clone, Debug, PartialEq)]
pub struct Trimmed {
    /// Names and values of what could move.
    pub values: Vec<(String, f64)>,
    /// The model at rest.
    pub steady: Steady,
    /// Steps of Newton's method.
    pub steps: usize,
}

/// More steps are not made, and a step is not halved more often.
const STEPS: usize = 40;
const HALVINGS: usize = 12;
/// Relative stride of the differences.
const STRIDE: f64 = 1e-6;
/// Outputs this near to what is wanted, in parts of their size, are there.
const TOLERANCE: f64 = 1e-9;

/// Finds values with which a model rests as wanted.
pub fn trim(model: &Model, request: &TrimRequest, options: &Options) -> Result<Trimmed, Error> {
    check(model, request)?;
    let mut sim = model.start(options)?;
    let mut values = Vec::new();
    for (name, (low, high)) in &request.free {
        values.push(sim.get(name)?.clamp(*low, *high));
    }
    let mut at = evaluated(model, request, &values, options)?;
    let size = |(value, (_, (low, high))): (&f64, &(String, (f64, f64)))| match value.abs() {
        0.0 if (high - low).is_finite() => 0.1 * (high - low),
        0.0 => 1.0,
        size => size,
    };
    let sizes: Vec<f64> = values.iter().zip(&request.free).map(size).collect();
    let scale = |(off, (_, wanted)): (&f64, &(String, f64))| match off.abs().max(wanted.abs()) {
        0.0 => 1.0,
        scale => scale,
    };
    let scales: Vec<f64> = at.off.iter().zip(&request.wanted).map(scale).collect();
    for steps in 0..STEPS {
        let distance = at.distance(&scales);
        if distance <= TOLERANCE {
            let names = request.free.iter().map(|(name, _)| name.clone());
            return Ok(Trimmed { values: names.zip(values).collect(), steady: at.steady, steps });
        }
        let slopes = slopes(model, request, &values, &sizes, &at, &scales, options)?;
        let Some(step) = direction(request, &values, &sizes, &at, &scales, &slopes) else { break };
        let mut part = 1.0;
        let mut better = None;
        for _ in 0..HALVINGS {
            let next: Vec<f64> = (0..values.len())
                .map(|k| {
                    let (low, high) = request.free[k].1;
                    (values[k] + part * step[k] * sizes[k]).clamp(low, high)
                })
                .collect();
            // Where the model does not rest the step was too long.
            if let Ok(there) = evaluated(model, request, &next, options)
                && there.distance(&scales) < distance
            {
                better = Some((next, there));
                break;
            }
            part *= 0.5;
        }
        match better {
            Some((next, there)) => (values, at) = (next, there),
            None => break,
        }
    }
    let far: Vec<String> = request
        .wanted
        .iter()
        .zip(&at.off)
        .zip(&scales)
        .filter(|((_, off), scale)| off.abs() > TOLERANCE * **scale)
        .map(|(((name, wanted), off), _)| format!("`{name}` comes to {} instead of {wanted}", wanted + off))
        .collect();
    let text = format!("the model does not rest as it is wanted: {}", far.join(", "));
    let help = "let something else move, widen the bounds, or begin nearer to it";
    Err(Error::from(Diagnostic::error("no-trim", text).help(help)))
}

fn check(model: &Model, request: &TrimRequest) -> Result<(), Error> {
    let wrong = |text: String, help: &str| Err(Error::from(Diagnostic::error("wrong-trim", text).help(help)));
    if request.free.is_empty() || request.wanted.is_empty() {
        return wrong(
            "trimming wants something that may move and something that is wanted".into(),
            "name inputs or parameters, and variables with their values",
        );
    }
    if request.free.len() < request.wanted.len() {
        let (free, wanted) = (request.free.len(), request.wanted.len());
        let text = format!("{wanted} values are wanted, but only {free} may move");
        return wrong(text, "let as many inputs or parameters move as there are values wanted");
    }
    for (name, (low, high)) in &request.free {
        let var = model.variable(name)?;
        let moves = var.given.is_some() || var.is_parameter() && !var.is_constant();
        if !moves || var.ty != kairos::Scalar::Real {
            let text = format!("`{name}` cannot move: it is neither a Real input nor a Real parameter");
            return wrong(text, "name inputs or parameters");
        }
        if low > high {
            let text = format!("the lower bound {low} of `{name}` is above the upper one {high}");
            return wrong(text, "write the lower one first");
        }
    }
    for (name, _) in &request.wanted {
        model.variable(name)?;
    }
    Ok(())
}

/// A steady state, and how far what is wanted is off.
struct At {
    steady: Steady,
    off: Vec<f64>,
}

impl At {
    fn distance(&self, scales: &[f64]) -> f64 {
        self.off.iter().zip(scales).map(|(off, scale)| (off / scale).abs()).fold(0.0, f64::max)
    }
}

fn evaluated(model: &Model, request: &TrimRequest, values: &[f64], options: &Options) -> Result<At, Error> {
    let names = request.free.iter().map(|(name, _)| name.clone());
    let steady = steady_state(&model.set_all(names.zip(values.iter().copied()))?, options)?;
    let value =
        |name: &str| steady.variables.iter().find(|(known, _)| known == name).map_or(f64::NAN, |(_, v)| *v);
    let off = request.wanted.iter().map(|(name, wanted)| value(name) - wanted).collect();
    Ok(At { steady, off })
}

/// Derivatives of what is wanted by what may move, both in their sizes: a row for each of the wanted.
fn slopes(
    model: &Model,
    request: &TrimRequest,
    values: &[f64],
    sizes: &[f64],
    at: &At,
    scales: &[f64],
    options: &Options,
) -> Result<Vec<Vec<f64>>, Error> {
    let mut rows = vec![vec![0.0; values.len()]; scales.len()];
    for k in 0..values.len() {
        let mut moved = values.to_vec();
        let (low, high) = request.free[k].1;
        let stride = STRIDE * sizes[k].max(values[k].abs());
        moved[k] += if values[k] + stride <= high || values[k] - stride < low { stride } else { -stride };
        let there = evaluated(model, request, &moved, options)?;
        for (row, ((there, here), scale)) in rows.iter_mut().zip(there.off.iter().zip(&at.off).zip(scales)) {
            row[k] = (there - here) / (moved[k] - values[k]) * sizes[k] / scale;
        }
    }
    Ok(rows)
}

/// The shortest step, in sizes, after which a linear model has what is wanted; none where it has no such step.
fn direction(
    request: &TrimRequest,
    values: &[f64],
    sizes: &[f64],
    at: &At,
    scales: &[f64],
    slopes: &[Vec<f64>],
) -> Option<Vec<f64>> {
    let (p, m) = (values.len(), scales.len());
    let mut held = vec![false; p];
    loop {
        let open: Vec<usize> = (0..p).filter(|k| !held[*k]).collect();
        let mut lu: DenseLu<f64> = DenseLu::new(m);
        for (place, entry) in lu.matrix_mut().iter_mut().enumerate() {
            let (i, j) = (place / m, place % m);
            *entry = open.iter().map(|&k| slopes[i][k] * slopes[j][k]).sum();
        }
        lu.factor_in_place().ok().filter(|()| lu.weakest_pivot() > 1e-14)?;
        let mut weights: Vec<f64> = at.off.iter().zip(scales).map(|(off, scale)| -off / scale).collect();
        lu.solve(&mut weights);
        let mut step = vec![0.0; p];
        let mut leaves = false;
        for &k in &open {
            step[k] = (0..m).map(|i| slopes[i][k] * weights[i]).sum();
            let (low, high) = request.free[k].1;
            let there = values[k] + step[k] * sizes[k];
            if there < low && values[k] <= low || there > high && values[k] >= high {
                (held[k], leaves) = (true, true);
            }
        }
        if !leaves {
            return Some(step);
        }
    }
}
