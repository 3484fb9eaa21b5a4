//! A run that the program advances.

use crate::errors::{misuse, raise};
use crate::options::Raised;
use crate::values::setting;
use kairos::Stop;
use numpy::{PyArray2, ndarray::Array2};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A model in the middle of a run: step, set inputs, look, save, restore.
#[pyclass(module = "kairos")]
pub struct Simulation {
    /// Behind a lock only because Python objects are shared; nobody else holds it.
    inner: Mutex<kairos::Simulation>,
    model: kairos::Model,
    raised: Raised,
}

impl Simulation {
    pub fn new(inner: kairos::Simulation, model: kairos::Model, raised: Raised) -> Self {
        Self { inner: Mutex::new(inner), model, raised }
    }

    fn run(&mut self) -> &mut kairos::Simulation {
        self.inner.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    fn here(&self) -> MutexGuard<'_, kairos::Simulation> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn advanced(&self, stop: Result<Stop, kairos::Error>) -> PyResult<&'static str> {
        match stop {
            Ok(Stop::Reached) => Ok("reached"),
            Ok(Stop::Event) => Ok("event"),
            Ok(Stop::Terminated(_)) => Ok("terminated"),
            Ok(Stop::Ended) => Ok("ended"),
            Err(error) => Err(self.raised.or(&error)),
        }
    }
}

#[pymethods]
impl Simulation {
    /// The present time.
    #[getter]
    fn time(&self) -> f64 {
        self.here().time()
    }

    /// Goes on by so much time, over all events on the way; says why it stopped: `reached`, `terminated` or `ended`.
    fn step(&mut self, py: Python<'_>, by: f64) -> PyResult<&'static str> {
        let inner = self.run();
        let stop = py.detach(|| inner.step(by));
        self.advanced(stop)
    }

    /// Goes on to a time, over all events on the way.
    fn run_until(&mut self, py: Python<'_>, time: f64) -> PyResult<&'static str> {
        let inner = self.run();
        let stop = py.detach(|| inner.run_to(time));
        self.advanced(stop)
    }

    /// Goes on to the next event (`event`), but not beyond a time.
    #[pyo3(signature = (limit=f64::INFINITY))]
    fn run_to_event(&mut self, py: Python<'_>, limit: f64) -> PyResult<&'static str> {
        let inner = self.run();
        let stop = py.detach(|| inner.run_to_event(limit));
        self.advanced(stop)
    }

    /// The present value of a variable: `sim["v"]`.
    fn __getitem__(&mut self, name: &str) -> PyResult<f64> {
        let value = self.run().get(name);
        value.map_err(|error| self.raised.or(&error))
    }

    /// Gives an input another value, an event at the present time: `sim["u"] = 1.0`.
    fn __setitem__(&mut self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        match value.extract::<f64>() {
            Ok(number) => self.run().set(name, number),
            Err(_) => self.run().set(name, setting(value)?),
        }
        .map_err(|error| raise(&error))
    }

    /// The present values of several variables.
    fn get(&mut self, names: Vec<String>) -> PyResult<Vec<f64>> {
        names.iter().map(|name| self.__getitem__(name)).collect()
    }

    /// The present text of a String variable.
    fn text(&mut self, name: &str) -> PyResult<String> {
        self.run().text(name).map_err(|error| raise(&error))
    }

    /// Gives several inputs other values at once.
    #[pyo3(signature = (values=None, /, **more))]
    fn set(&mut self, values: Option<&Bound<'_, PyDict>>, more: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
        for dict in values.into_iter().chain(more) {
            for (name, value) in dict.iter() {
                self.__setitem__(&name.extract::<String>()?, &value)?;
            }
        }
        Ok(())
    }

    /// The whole run as bytes, from which `restore` goes on bit for bit, in any process with the same version.
    fn save<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let state = self.run().save().map_err(|error| raise(&error))?;
        Ok(PyBytes::new(py, &state))
    }

    /// Goes back, or on, to where a run of the same model was saved.
    fn restore(&mut self, state: &[u8]) -> PyResult<()> {
        self.run().restore(state).map_err(|error| raise(&error))
    }

    /// A second run that goes on from here as this one does. Neither disturbs the other.
    fn clone(&self) -> PyResult<Self> {
        let inner = self.here().fork().map_err(|error| raise(&error))?;
        Ok(Self::new(inner, self.model.clone(), self.raised.clone()))
    }

    fn __copy__(&self) -> PyResult<Self> {
        self.clone()
    }

    /// The derivatives of variables (`of`) with respect to states, inputs and parameters (`by`) at the present point, as
    /// an array with a row for each of `of` and a column for each of `by`. They are exact where the model allows.
    fn derivatives<'py>(
        &mut self,
        py: Python<'py>,
        of: Vec<String>,
        by: Vec<String>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let rows = self.run().derivatives(&of, &by).map_err(|error| raise(&error))?;
        let matrix = Array2::from_shape_fn((of.len(), by.len()), |(i, j)| rows[j][i]);
        Ok(PyArray2::from_owned_array(py, matrix))
    }

    /// The events since this was last asked, as dictionaries; `start(events=True)` keeps them.
    fn take_events<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let events = self.run().take_events();
        crate::result::events(py, &events, self.model.sources())
    }

    /// How much work it was so far, by name.
    #[getter]
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        crate::result::summary(py, self.here().summary())
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(misuse("a run is pickled by its bytes: pickle `sim.save()` and the model"))
    }

    fn __repr__(&self) -> String {
        format!("Simulation({}, time={})", self.model.name(), self.here().time())
    }
}
