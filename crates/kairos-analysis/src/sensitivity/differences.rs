//! Sensitivities by whole runs: central differences with two widths, extrapolated.

use super::{Sensitivities, SensitivityRequest, stride};
use kairos::{Error, Model, Options, Trajectory};

/// Relative to the value that moves.
const STRIDE: f64 = 1e-3;
/// How much more exact the runs are than what is asked for, and the limit of that.
const FINER: f64 = 1e-4;
const FINEST: f64 = 1e-11;

pub fn differences(
    model: &Model,
    request: &SensitivityRequest,
    options: &Options,
) -> Result<Sensitivities, Error> {
    let tolerance = (FINER * options.relative_tolerance(model.experiment())).max(FINEST);
    let options = options.clone().tolerance(tolerance).events(false).intervals(request.intervals as u64);
    let options = options.at(&request.at).keep(&request.of);
    let center = model.simulate(&options)?;
    let (start, stop) = (center.time()[0], center.time()[center.time().len() - 1]);
    let time: Vec<f64> = std::iter::once(start).chain(request.times(start, stop)).collect();
    let course = |run: &Trajectory, name: &String| -> Result<Vec<f64>, Error> {
        time.iter().map(|t| run.at(name, *t)).collect()
    };
    let values = request.of.iter().map(|name| course(&center, name)).collect::<Result<Vec<_>, _>>()?;
    let mut slopes = vec![Vec::with_capacity(request.by.len()); request.of.len()];
    for name in &request.by {
        let var = model.variable(name)?;
        let value = match var.is_parameter() {
            true => model.get(name)?,
            false => model.start(&options)?.get(name)?,
        };
        let width = stride(value, STRIDE);
        let runs = [1.0, -1.0, 0.5, -0.5]
            .map(|part| model.set(name, value + part * width).and_then(|model| model.simulate(&options)));
        let [a, b, c, d] = runs;
        let (a, b, c, d) = (a?, b?, c?, d?);
        for (i, of) in request.of.iter().enumerate() {
            let [a, b, c, d] = [&a, &b, &c, &d].map(|run| course(run, of));
            let (a, b, c, d) = (a?, b?, c?, d?);
            let slope = |k: usize| {
                let (wide, narrow) = ((a[k] - b[k]) / (2.0 * width), (c[k] - d[k]) / width);
                (4.0 * narrow - wide) / 3.0
            };
            slopes[i].push((0..time.len()).map(slope).collect());
        }
    }
    Ok(Sensitivities {
        time,
        of: request.of.clone(),
        by: request.by.clone(),
        values,
        slopes,
        differences: None,
    })
}
