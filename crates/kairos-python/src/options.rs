//! Keywords of `simulate` and `start` as options of a run, with inputs and the check for Ctrl-C.

use crate::errors::misuse;
use kairos::results::{Signal, Source, Table};
use kairos::{Inputs, Method, Options};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// The time between two looks for Ctrl-C, in milliseconds.
const LOOKS: u64 = 50;
/// Only every so many steps, rows or events the clock is looked at: short runs count microseconds.
const SELDOM: u64 = 8;

/// An exception that Python code has raised during a run.
#[derive(Clone, Default)]
pub struct Raised(Arc<Mutex<Option<PyErr>>>);

impl Raised {
    fn note(&self, error: PyErr) {
        if let Ok(mut first) = self.0.lock() {
            first.get_or_insert(error);
        }
    }

    /// The exception of Python code, or else what Kairos says.
    pub fn or(&self, error: &kairos::Error) -> PyErr {
        let raised = self.0.lock().ok().and_then(|mut first| first.take());
        raised.unwrap_or_else(|| crate::errors::raise(error))
    }
}

/// Options by their keywords.
pub fn options(keywords: Option<&Bound<'_, PyDict>>, raised: &Raised) -> PyResult<Options> {
    let mut options = watched(Options::default(), raised.clone());
    let Some(keywords) = keywords else { return Ok(options) };
    for (name, value) in keywords.iter() {
        if value.is_none() {
            continue;
        }
        let name: String = name.extract()?;
        options = match name.as_str() {
            "start" => options.start(value.extract()?),
            "stop" => options.stop(value.extract()?),
            "tolerance" => options.tolerance(value.extract()?),
            "intervals" => options.intervals(value.extract()?),
            "interval" => options.interval(value.extract()?),
            "at" => options.at(&value.extract::<Vec<f64>>()?),
            "step" => options.step(value.extract()?),
            "max_step" => options.max_step(value.extract()?),
            "events" => options.events(value.extract()?),
            "keep" => options.keep(&value.extract::<Vec<String>>()?),
            "inputs" => options.inputs(inputs(value.cast::<PyDict>()?, raised)?),
            "method" => {
                let name: String = value.extract()?;
                let method = Method::from_name(&name);
                options.method(method.ok_or_else(|| misuse(format!("there is no method `{name}`")))?)
            }
            _ => {
                let known = "start, stop, tolerance, intervals, interval, at, method, step, max_step, inputs, keep, events";
                return Err(pyo3::exceptions::PyTypeError::new_err(format!(
                    "there is no option `{name}`; there is {known}"
                )));
            }
        };
    }
    Ok(options)
}

/// Options of a run that Ctrl-C ends.
fn watched(options: Options, raised: Raised) -> Options {
    let (begun, looked, calls) = (Instant::now(), AtomicU64::new(0), AtomicU64::new(0));
    options.watch(move |_| {
        if !calls.fetch_add(1, Ordering::Relaxed).is_multiple_of(SELDOM) {
            return true;
        }
        let now = begun.elapsed().as_millis() as u64;
        if now < looked.load(Ordering::Relaxed) + LOOKS {
            return true;
        }
        looked.store(now, Ordering::Relaxed);
        Python::attach(|py| py.check_signals()).map_err(|error| raised.note(error)).is_ok()
    })
}

/// Inputs by name: numbers, functions of time, or pairs of times and values.
fn inputs(given: &Bound<'_, PyDict>, raised: &Raised) -> PyResult<Inputs> {
    let mut inputs = Inputs::default();
    for (name, value) in given.iter() {
        let name: String = name.extract()?;
        if value.is_callable() {
            let (function, raised): (Py<PyAny>, Raised) = (value.unbind(), raised.clone());
            let call = move |time: f64| {
                let called = Python::attach(|py| function.call1(py, (time,))?.extract::<f64>(py));
                called.unwrap_or_else(|error| {
                    raised.note(error);
                    f64::NAN
                })
            };
            inputs = inputs.function(&name, call, &[]);
            continue;
        }
        let (times, values) = match value.extract::<f64>() {
            Ok(number) => (vec![0.0], vec![number]),
            Err(_) => value.extract::<(Vec<f64>, Vec<f64>)>().map_err(|_| {
                misuse(format!(
                    "the input `{name}` wants a number, a function of time, or a pair (times, values)"
                ))
            })?,
        };
        if times.len() != values.len() || !times.is_sorted() {
            return Err(misuse(format!(
                "the input `{name}` wants as many values as times, and these in order"
            )));
        }
        let table = Table { time: times, signals: vec![signal(&name, 0)], series: vec![values] };
        inputs = inputs.table(&name, table, false);
    }
    Ok(inputs)
}

/// A column of a table that came without unit and description.
pub fn signal(name: &str, index: usize) -> Signal {
    Signal::new(name, Source::Series { index, negated: false })
}
