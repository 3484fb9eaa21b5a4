//! Many runs of a model on all cores, as columns.

use crate::errors::misuse;
use crate::options::{Raised, options};
use kairos::sweep::{Design, Outcome, Plan, SweptRun, Variation, Wanted, indices};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::time::Instant;

/// How the points of a sample are chosen.
pub struct Sampling {
    pub count: Option<u64>,
    pub design: Option<String>,
    pub seed: u64,
    /// The sample is one for indices.
    pub indices: bool,
}

impl Sampling {
    fn plan(&self, variations: Vec<Variation>) -> Result<Plan, String> {
        let design = self.design.as_deref().map(Design::from_name).transpose()?;
        match self.count {
            Some(base) if self.indices => {
                Plan::for_indices(variations, base, design.unwrap_or(Design::Sobol), self.seed)
            }
            Some(count) => Plan::sample(variations, count, design.unwrap_or_default(), self.seed),
            None => Plan::grid(variations),
        }
    }
}

/// First and total indices of the parameters from an outcome of all runs, with their intervals, and how many points count.
pub fn indices_of(outcomes: &[f64], parameters: usize) -> (Vec<(f64, f64, f64, f64)>, usize) {
    let (list, points) = indices(outcomes, parameters);
    let told =
        |index: kairos::sweep::Index| (index.first, index.total, index.confidence.0, index.confidence.1);
    (list.into_iter().map(told).collect(), points)
}

/// Names and columns: the varied values as numbers where they are such, then the outcomes; and failures by run.
#[allow(clippy::too_many_arguments)]
pub fn run<'py>(
    py: Python<'py>,
    model: &kairos::Model,
    spec: Vec<(String, String)>,
    outcomes: Vec<String>,
    jobs: usize,
    sampling: &Sampling,
    progress: Option<Py<PyAny>>,
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyTuple>> {
    let variations = spec.iter().map(|(name, values)| Variation::parse(&format!("{name}={values}")));
    let variations = variations.collect::<Result<Vec<_>, _>>().map_err(misuse)?;
    let plan = sampling.plan(variations).map_err(misuse)?;
    let wanted = match outcomes.is_empty() {
        true => Wanted::Ends,
        false => {
            let list = outcomes.iter().map(|outcome| Outcome::parse(outcome)).collect::<Result<_, _>>();
            Wanted::Outcomes(list.map_err(misuse)?)
        }
    };
    let raised = Raised::default();
    let options = options(keywords, &raised)?;
    let count = plan.count as usize;
    let mut runs: Vec<Option<SweptRun>> = vec![None; count];
    let mut done = 0;
    let mut stopped: Option<PyErr> = None;
    let points = plan.clone();
    let swept = py.detach(|| {
        let mut last = Instant::now();
        model.sweep(plan, wanted, &options, jobs, |batch| {
            done += batch.len();
            for run in batch {
                let place = run.index as usize;
                runs[place] = Some(run);
            }
            if last.elapsed().as_millis() < 50 && done < count {
                return true;
            }
            last = Instant::now();
            let go_on = Python::attach(|py| {
                py.check_signals()?;
                progress.as_ref().map_or(Ok(()), |told| told.call1(py, (done, count)).map(|_| ()))
            });
            stopped = go_on.err();
            stopped.is_none()
        })
    });
    if let Some(error) = stopped {
        return Err(error);
    }
    swept.map_err(|error| raised.or(&error))?;
    let names = PyDict::new(py);
    for (k, variation) in points.variations.iter().enumerate() {
        let given: Vec<_> = (0..points.count).map(|index| points.point(index)[k].number()).collect();
        match given.iter().copied().collect::<Option<Vec<f64>>>() {
            Some(numbers) => names.set_item(&variation.name, PyArray1::from_vec(py, numbers))?,
            None => {
                let texts: Vec<String> =
                    (0..points.count).map(|index| points.point(index)[k].to_string()).collect();
                names.set_item(&variation.name, texts)?;
            }
        }
    }
    let runs: Vec<SweptRun> = runs.into_iter().flatten().collect();
    let columns = runs.iter().map(|run| run.quantities.clone()).max_by_key(|list| list.len());
    for quantity in columns.iter().flat_map(|list| list.iter()) {
        let value = |run: &SweptRun| {
            if run.failure.is_some() {
                return f64::NAN;
            }
            let place = run.quantities.iter().position(|other| other.name == quantity.name);
            // The time stands before the quantities.
            place.and_then(|place| run.rows.get(place + 1)).copied().unwrap_or(f64::NAN)
        };
        names.set_item(&quantity.name, PyArray1::from_vec(py, runs.iter().map(value).collect()))?;
    }
    let failures = PyDict::new(py);
    for run in &runs {
        if let Some((code, message)) = &run.failure {
            failures.set_item(run.index, (code, message))?;
        }
    }
    PyTuple::new(py, [names.into_any(), failures.into_any()])
}
