//! Python values as values of variables.

use crate::errors::misuse;
use kairos::Setting;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};

/// A number, truth value, text, or a sequence of them.
pub fn setting(value: &Bound<'_, PyAny>) -> PyResult<Setting> {
    text(value).map(Setting::from)
}

fn text(value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(truth) = value.cast::<PyBool>() {
        return Ok(truth.is_true().to_string());
    }
    if value.is_instance_of::<PyString>() {
        return value.extract();
    }
    if value.is_instance_of::<PyInt>() {
        return Ok(value.extract::<i64>()?.to_string());
    }
    if !value.is_instance_of::<PyFloat>()
        && let Ok(items) = value.try_iter()
    {
        let items: Vec<String> = items.map(|item| text(&item?)).collect::<PyResult<_>>()?;
        return Ok(format!("{{{}}}", items.join(", ")));
    }
    match value.extract::<f64>() {
        // The shortest text that gives the same number again; whole numbers fit Integers, too.
        Ok(number) if number.fract() == 0.0 && number.abs() < 1e15 => Ok(format!("{number}")),
        Ok(number) => Ok(format!("{number:?}")),
        Err(_) => Err(misuse(format!("{value} is no value for a variable"))),
    }
}

/// Values by name, from a dictionary and from keywords.
pub fn settings(
    values: Option<&Bound<'_, PyDict>>,
    more: Option<&Bound<'_, PyDict>>,
) -> PyResult<Vec<(String, Setting)>> {
    let all = values.into_iter().chain(more).flat_map(|dict| dict.iter());
    all.map(|(name, value)| Ok((name.extract::<String>()?, setting(&value)?))).collect()
}
