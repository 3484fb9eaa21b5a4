//! The result of a run: a mapping from names to arrays that share their memory with Rust.

use crate::errors::{misuse, raise};
use crate::picture::{Picture, drawing};
use kairos::results::Kind;
use kairos::{EventRecord, SourceMap, Summary, Trajectory};
use numpy::ndarray::aview1;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyList};
use std::path::PathBuf;

/// The result of a run: `result["v"]` and `result.time` are arrays.
#[pyclass(frozen, mapping, module = "kairos")]
pub struct Result {
    pub inner: Trajectory,
    pub model: kairos::Model,
}

/// An array over numbers that `owner` keeps alive and nobody changes.
fn view<'py>(owner: &Bound<'py, PyAny>, numbers: &[f64]) -> Bound<'py, PyArray1<f64>> {
    // SAFETY: the numbers belong to a trajectory that `owner`, a frozen object, holds for as long as it lives, and the array
    // keeps `owner` alive as its base. The array is made read-only before anybody sees it.
    #[allow(unsafe_code)]
    let array = unsafe { PyArray1::borrow_from_array(&aview1(numbers), owner.clone()) };
    array.readwrite().make_nonwriteable();
    array
}

/// Events as dictionaries.
pub fn events<'py>(
    py: Python<'py>,
    events: &[EventRecord],
    sources: &SourceMap,
) -> PyResult<Bound<'py, PyList>> {
    let loads = py.import("json")?.getattr("loads")?;
    let list = PyList::empty(py);
    for event in events {
        list.append(loads.call1((event.json(sources),))?)?;
    }
    Ok(list)
}

/// The effort of a run by name.
pub fn summary<'py>(py: Python<'py>, summary: &Summary) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("end", summary.end)?;
    dict.set_item("steps", summary.steps)?;
    dict.set_item("rejected_steps", summary.rejected_steps)?;
    dict.set_item("evaluations", summary.evaluations)?;
    dict.set_item("jacobians", summary.jacobians)?;
    dict.set_item("state_events", summary.state_events)?;
    dict.set_item("time_events", summary.time_events)?;
    dict.set_item("restarts", summary.restarts)?;
    dict.set_item("terminated", summary.terminated.as_deref())?;
    dict.set_item("assumptions", &summary.assumptions)?;
    Ok(dict)
}

#[pymethods]
impl Result {
    /// The instants of the rows; an event has two rows with its time, the left and the right limit.
    #[getter]
    fn time<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyArray1<f64>> {
        view(slf.as_any(), slf.get().inner.time())
    }

    fn __getitem__<'py>(slf: &Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let this = slf.get();
        if let Some(numbers) = this.inner.stored(name) {
            return Ok(view(slf.as_any(), numbers));
        }
        match this.inner.values(name) {
            Ok(values) => Ok(PyArray1::from_vec(slf.py(), values)),
            Err(_) if name == "time" => Ok(Self::time(slf)),
            Err(error) if error.code() == "unknown-variable" => {
                let help = error.help().join("; ");
                Err(pyo3::exceptions::PyKeyError::new_err(format!("{}: {help}", error.message())))
            }
            Err(error) => Err(raise(&error)),
        }
    }

    fn __len__(&self) -> usize {
        self.inner.series().len()
    }

    fn __contains__(&self, name: &str) -> bool {
        self.inner.find(name).is_ok()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(py, self.keys())?.try_iter()
    }

    /// The names of the variables.
    fn keys(&self) -> Vec<String> {
        self.inner.series().iter().map(|series| series.name.clone()).collect()
    }

    /// Names and arrays.
    fn items<'py>(slf: &Bound<'py, Self>) -> PyResult<Vec<(String, Bound<'py, PyArray1<f64>>)>> {
        let series = slf.get().inner.series().iter().filter(|series| series.kind != Kind::String);
        series.map(|series| Ok((series.name.clone(), Self::__getitem__(slf, &series.name)?))).collect()
    }

    /// The texts of a String variable, one for each row.
    fn texts(&self, name: &str) -> PyResult<Vec<String>> {
        let rows = 0..self.inner.time().len();
        let texts = rows.map(|row| self.inner.text(name, row).map(String::from)).collect::<Option<_>>();
        texts.ok_or_else(|| misuse(format!("`{name}` is no text")))
    }

    /// The value of a variable at a time within the run, between the rows, too; right limits at events.
    fn at(&self, name: &str, time: f64) -> PyResult<f64> {
        self.inner.at(name, time).map_err(|error| raise(&error))
    }

    /// Units by name.
    #[getter]
    fn units<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for series in self.inner.series() {
            dict.set_item(&series.name, &series.unit)?;
        }
        Ok(dict)
    }

    /// Descriptions by name.
    #[getter]
    fn descriptions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for series in self.inner.series() {
            dict.set_item(&series.name, &series.description)?;
        }
        Ok(dict)
    }

    /// The names of the variables that vary: no parameters, no texts.
    #[getter]
    fn varying(&self) -> Vec<String> {
        let varying = self.inner.series().iter().filter(|series| series.varies());
        varying.map(|series| series.name.clone()).collect()
    }

    /// The events of the run as dictionaries: time, kind, causes, changes, jumps.
    #[getter]
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        events(py, self.inner.events(), self.model.sources())
    }

    /// How much work the run was, and how it ended.
    #[getter]
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        summary(py, self.inner.summary())
    }

    /// Warnings of the run.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.inner.warnings().iter().map(|warning| warning.message.clone()).collect()
    }

    /// Writes the result as `.csv`, `.mat` or `.parquet`, by the end of the name.
    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| self.inner.write(path)).map_err(|error| raise(&error))
    }

    /// A picture of variables over time: names share a pane in a list, each further argument is a further pane. Without
    /// names it shows the states.
    #[pyo3(signature = (*names, title=None))]
    fn plot(&self, names: Vec<Bound<'_, PyAny>>, title: Option<String>) -> PyResult<Picture> {
        let pane = |item: &Bound<'_, PyAny>| match item.extract::<String>() {
            Ok(name) => Ok(vec![name]),
            Err(_) => item.extract::<Vec<String>>(),
        };
        let panes = names.iter().map(pane).collect::<PyResult<Vec<_>>>()?;
        let title = title.unwrap_or_else(|| self.model.name().to_string());
        drawing(&self.inner, panes, title)
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        Ok(drawing(&self.inner, Vec::new(), self.model.name().to_string())?.svg())
    }

    fn __repr__(&self) -> String {
        let time = self.inner.time();
        let (first, last) = (time.first().copied().unwrap_or(0.0), time.last().copied().unwrap_or(0.0));
        let count = self.inner.series().len();
        format!(
            "Result({}, time {first} to {last}, {} rows, {count} variables)",
            self.model.name(),
            time.len()
        )
    }
}
