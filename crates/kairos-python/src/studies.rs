//! Sensitivities and estimation as plain Python values; `python/kairos` makes objects of them.

use crate::errors::{misuse, raise};
use crate::options::{Raised, options, signal};
use kairos::results::Table;
use kairos::{Attribute, Model};
use kairos_analysis::{
    FitExperiment, FitRequest, Free, SensitivityRequest, TrimRequest, fit, sensitivities, trim,
};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// A parameter that may move, and its bounds where they are not those of the model.
pub type Wanted = (String, Option<(f64, f64)>);
/// Columns by name, the time among them, and values of one experiment alone.
pub type Measured = (Vec<(String, Vec<f64>)>, Vec<(String, f64)>);

/// A dictionary with `time`, `of`, `by`, `values` (a list of courses), `slopes` (for each variable a list of courses) and
/// `differences`.
pub fn sensitive<'py>(
    py: Python<'py>,
    model: &Model,
    request: &SensitivityRequest,
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyDict>> {
    let raised = Raised::default();
    let options = options(keywords, &raised)?;
    let found = py.detach(|| sensitivities(model, request, &options)).map_err(|error| raised.or(&error))?;
    let courses = |list: Vec<Vec<f64>>| {
        PyList::new(py, list.into_iter().map(|course| PyArray1::from_vec(py, course)).collect::<Vec<_>>())
    };
    let told = PyDict::new(py);
    told.set_item("time", PyArray1::from_vec(py, found.time))?;
    told.set_item("of", found.of)?;
    told.set_item("by", found.by)?;
    told.set_item("values", courses(found.values)?)?;
    let slopes = found.slopes.into_iter().map(courses).collect::<PyResult<Vec<_>>>()?;
    told.set_item("slopes", slopes)?;
    told.set_item("differences", found.differences)?;
    Ok(told)
}

/// What was found as a dictionary, and the model with it.
pub fn estimate<'py>(
    py: Python<'py>,
    model: &Model,
    free: Vec<Wanted>,
    experiments: Vec<Measured>,
    deviations: Vec<(String, f64)>,
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<(Bound<'py, PyDict>, Model)> {
    let raised = Raised::default();
    let options = options(keywords, &raised)?;
    let mut request = FitRequest { deviations, ..FitRequest::default() };
    for (name, bounds) in bounded(model, free)? {
        request.free.push(Free { name, bounds });
    }
    for (columns, settings) in experiments {
        request.experiments.push(FitExperiment { data: table(columns)?, settings });
    }
    let done = py.detach(|| {
        let found = fit(model, &request, &options)?;
        let values = found.names.iter().cloned().zip(found.values.iter().copied());
        let fitted = model.set_all(values)?;
        Ok((found, fitted))
    });
    let (found, fitted) = done.map_err(|error: kairos::Error| raised.or(&error))?;
    let told = PyDict::new(py);
    told.set_item("names", found.names)?;
    told.set_item("values", found.values)?;
    told.set_item("confidence", found.confidence)?;
    told.set_item("correlation", found.correlation)?;
    told.set_item("deviations", found.deviations)?;
    told.set_item("measurements", found.measurements)?;
    told.set_item("steps", found.steps)?;
    told.set_item("squares", found.squares)?;
    told.set_item("settled", found.is_settled)?;
    Ok((told, fitted))
}

/// Values of all variables at rest, with what could move.
pub fn trimmed<'py>(
    py: Python<'py>,
    model: &Model,
    free: Vec<Wanted>,
    wanted: Vec<(String, f64)>,
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyDict>> {
    let raised = Raised::default();
    let options = options(keywords, &raised)?;
    let request = TrimRequest { free: bounded(model, free)?, wanted };
    let found = py.detach(|| trim(model, &request, &options)).map_err(|error| raised.or(&error))?;
    let dict = PyDict::new(py);
    for (name, value) in found.steady.variables.into_iter().chain(found.values) {
        dict.set_item(name, value)?;
    }
    Ok(dict)
}

/// What may move with its bounds: those given, or those of the model.
fn bounded(model: &Model, free: Vec<Wanted>) -> PyResult<Vec<(String, (f64, f64))>> {
    let mut list = Vec::new();
    for (name, given) in free {
        let var = model.variable(&name).map_err(|error| raise(&error))?;
        let end = |attribute: &Option<Attribute>, open: f64| match attribute {
            Some(Attribute::Number(number)) => *number,
            _ => open,
        };
        let own = (end(&var.min, f64::NEG_INFINITY), end(&var.max, f64::INFINITY));
        let bounds = given.unwrap_or(own);
        if bounds.0.partial_cmp(&bounds.1) != Some(std::cmp::Ordering::Less) {
            return Err(misuse(format!("the lower bound of `{name}` is not below the upper one")));
        }
        list.push((name, bounds));
    }
    Ok(list)
}

fn table(columns: Vec<(String, Vec<f64>)>) -> PyResult<Table> {
    let mut table = Table::default();
    let mut has_time = false;
    for (name, values) in columns {
        if name == "time" {
            (table.time, has_time) = (values, true);
            continue;
        }
        table.signals.push(signal(&name, table.series.len()));
        table.series.push(values);
    }
    if !has_time {
        return Err(misuse("the measurements have no column `time`"));
    }
    if table.series.iter().any(|series| series.len() != table.time.len()) {
        return Err(misuse("the columns of the measurements are not equally long"));
    }
    if !table.time.is_sorted() {
        return Err(misuse("the times of the measurements are not in order"));
    }
    Ok(table)
}
