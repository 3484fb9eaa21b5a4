//! Errors of Kairos as Python exceptions with code, place and help.

use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::PyDict;

create_exception!(
    kairos,
    Error,
    PyException,
    "What went wrong with a model or a run.\n\nAttributes: `code` (a stable word, listed in docs/errors.md), `message`, \
     `help` (a list of ways out), `place` (`file`, `line`, `column`, or None), `time` (of a failed run, or None)."
);

/// The exception for an error.
pub fn raise(error: &kairos::Error) -> PyErr {
    Python::attach(|py| {
        let made = || -> PyResult<PyErr> {
            let value = py.get_type::<Error>().call1((error.to_string(),))?;
            value.setattr("code", error.code())?;
            value.setattr("message", error.message())?;
            value.setattr("help", error.help().to_vec())?;
            value.setattr("time", error.time())?;
            let place = error.place().map(|place| {
                let dict = PyDict::new(py);
                dict.set_item("file", place.file)?;
                dict.set_item("line", place.line)?;
                dict.set_item("column", place.column)?;
                PyResult::Ok(dict)
            });
            value.setattr("place", place.transpose()?)?;
            Ok(PyErr::from_value(value))
        };
        made().unwrap_or_else(|failed| failed)
    })
}

/// A plain mistake in the use of the package.
pub fn misuse(text: impl Into<String>) -> PyErr {
    pyo3::exceptions::PyValueError::new_err(text.into())
}
