//! A compiled model.

use crate::errors::raise;
use crate::fmu::{self, Archive};
use crate::options::{Raised, options};
use crate::picture::Around;
use crate::result::Result;
use crate::simulation::Simulation;
use crate::studies;
use crate::sweep;
use crate::values::settings;
use kairos::{Attribute, Causality, Disk, Request, Trust, VarInfo, Variability};
use kairos_analysis::{LinearRequest, SensitivityRequest, linearise, steady_state};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple, PyType};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// A compiled Modelica model with values for its parameters.
///
/// A model never changes: `with_params` gives another one, which shares what was compiled. It can be pickled, hashed,
/// and used by several threads at once.
#[pyclass(frozen, module = "kairos")]
pub struct Model {
    pub inner: kairos::Model,
    bytes: OnceLock<Vec<u8>>,
    /// The archive, where the model is an FMU.
    fmu: Option<Arc<Archive>>,
}

/// A variable as the model declares it.
#[pyclass(frozen, module = "kairos", get_all)]
pub struct Variable {
    /// The name in the model.
    name: String,
    /// The unit, empty if there is none.
    unit: String,
    /// What the model says about it.
    description: String,
    /// `Real`, `Integer`, `Boolean`, `String`, or the name of an enumeration.
    r#type: String,
    /// `input`, `output`, `parameter` or `local`.
    causality: &'static str,
    /// `constant`, `parameter`, `discrete` or `continuous`.
    variability: &'static str,
    /// The start value, where it is a number.
    start: Option<f64>,
    /// The least value, where it is a number.
    min: Option<f64>,
    /// The greatest value, where it is a number.
    max: Option<f64>,
    /// The value of a parameter before a run; None for other variables.
    value: Option<f64>,
    /// Can be set without compiling the model again.
    settable: bool,
}

#[pymethods]
impl Variable {
    fn __repr__(&self) -> String {
        let unit = if self.unit.is_empty() { String::new() } else { format!(" [{}]", self.unit) };
        let value = self.value.map_or(String::new(), |value| format!(" = {value}"));
        format!("Variable({}{value}{unit}, {})", self.name, self.variability)
    }
}

impl Variable {
    fn new(var: &VarInfo, values: &[f64]) -> Self {
        let number = |attribute: &Option<Attribute>| match attribute {
            Some(Attribute::Number(number)) => Some(*number),
            Some(Attribute::Parameter(slot)) => values.get(*slot as usize).copied(),
            _ => None,
        };
        let sign = if var.negated { -1.0 } else { 1.0 };
        let value = values.get(var.slot as usize).map(|value| sign * value);
        Self {
            name: var.name.clone(),
            unit: var.unit.clone(),
            description: var.description.clone(),
            r#type: match kairos::kind_of(var) {
                kairos::results::Kind::Boolean => "Boolean".into(),
                kairos::results::Kind::String => "String".into(),
                kairos::results::Kind::Integer if !var.enumeration.is_empty() => var.enumeration.clone(),
                kairos::results::Kind::Integer => "Integer".into(),
                kairos::results::Kind::Real => "Real".into(),
            },
            causality: match var.causality {
                Causality::Input => "input",
                Causality::Output => "output",
                _ if var.is_parameter() => "parameter",
                _ => "local",
            },
            variability: match var.variability {
                Variability::Constant => "constant",
                Variability::Parameter => "parameter",
                Variability::Discrete => "discrete",
                _ => "continuous",
            },
            start: number(&var.start),
            min: number(&var.min),
            max: number(&var.max),
            value: value.filter(|_| var.is_parameter() && !var.is_found),
            settable: var.settable && !var.is_final && !var.is_found || var.given.is_some(),
        }
    }
}

/// Compiles on a thread with room: what a model nests decides how deep the compiler goes.
fn compile(
    py: Python<'_>,
    work: impl FnOnce() -> std::result::Result<kairos::Model, kairos::Error> + Send,
) -> PyResult<Model> {
    let compiled = py.detach(|| {
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().stack_size(1 << 30).spawn_scoped(scope, work)?;
            Ok(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        })
    });
    let no_room = |error: std::io::Error| {
        PyMemoryError::new_err(format!("there is no room for a thread that compiles: {error}"))
    };
    compiled.map_err(no_room)?.map(Model::new).map_err(|error| raise(&error))
}

/// Folders of libraries: those given, then `MODELICAPATH`, then the installed ones.
fn search_path(given: Vec<String>) -> Vec<String> {
    let mut list = given;
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(path) = std::env::var_os("MODELICAPATH") {
        let entries = std::env::split_paths(&path).filter(|p| !p.as_os_str().is_empty());
        list.extend(entries.map(|p| p.to_string_lossy().into_owned()));
    }
    let data =
        || variable("XDG_DATA_HOME").or_else(|| variable("HOME").map(|home| home.join(".local/share")));
    let home = variable("KAIROS_HOME").or_else(|| Some(data()?.join("kairos")));
    let installed = home.map(|home| home.join("libraries")).filter(|folder| folder.is_dir());
    list.extend(installed.map(|folder| folder.to_string_lossy().into_owned()));
    list
}

impl Model {
    fn new(inner: kairos::Model) -> Self {
        Self { inner, bytes: OnceLock::new(), fmu: None }
    }

    fn compile(py: Python<'_>, request: Request, trust: bool) -> PyResult<Self> {
        let trust = if trust { Trust::Everybody } else { Trust::Nobody };
        let request = Request { access: kairos::Access::Run(trust), ..request };
        compile(py, || kairos::Model::compile(Disk, request))
    }

    fn stored(&self, py: Python<'_>) -> PyResult<&[u8]> {
        if self.bytes.get().is_none() {
            let bytes = match &self.fmu {
                Some(fmu) => fmu.packed(self.inner.settings()),
                None => py.detach(|| self.inner.to_bytes()).map_err(|error| raise(&error))?,
            };
            let _ = self.bytes.set(bytes);
        }
        Ok(self.bytes.get().map_or(&[], Vec::as_slice))
    }

    fn described<'py>(
        &self,
        py: Python<'py>,
        wanted: impl Fn(&VarInfo) -> bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        let mut machine = self.inner.machine();
        // What follows from others cannot be computed where one of them is wrong; a run tells that better.
        let _ = machine.prepare_replay();
        let dict = PyDict::new(py);
        for var in self.inner.variables().iter().filter(|var| wanted(var)) {
            dict.set_item(&var.name, Variable::new(var, machine.values()))?;
        }
        Ok(dict)
    }
}

#[pymethods]
impl Model {
    /// Compiles the last model of a text.
    #[classmethod]
    fn from_text(_: &Bound<'_, PyType>, py: Python<'_>, text: &str) -> PyResult<Self> {
        compile(py, || kairos::Model::from_text(text))
    }

    /// Compiles a model of a file: the last one, or the one of that name. A compiled model (`.kairos`) is loaded, and so is
    /// an FMU, whose code then runs in this process.
    ///
    /// `lib` names folders that hold libraries. With `trust` functions of the model may do everything to this machine.
    #[classmethod]
    #[pyo3(signature = (path, model=None, *, lib=Vec::new(), trust=false))]
    fn from_file(
        _: &Bound<'_, PyType>,
        py: Python<'_>,
        path: PathBuf,
        model: Option<String>,
        lib: Vec<String>,
        trust: bool,
    ) -> PyResult<Self> {
        let file = Some(path.to_string_lossy().into_owned());
        let request = Request { file, model, libraries: search_path(lib), ..Request::default() };
        let fmu = Archive::read(&path).map(Arc::new);
        Ok(Self { fmu, ..Model::compile(py, request, trust)? })
    }

    /// Compiles a model of a library by its dotted name; `lib` names folders that hold libraries.
    #[classmethod]
    #[pyo3(signature = (name, *, lib=Vec::new(), trust=false))]
    fn from_library(
        _: &Bound<'_, PyType>,
        py: Python<'_>,
        name: String,
        lib: Vec<String>,
        trust: bool,
    ) -> PyResult<Self> {
        Model::compile(
            py,
            Request { model: Some(name), libraries: search_path(lib), ..Request::default() },
            trust,
        )
    }

    /// The model that `to_bytes` has made bytes of, in any process with the same version of Kairos.
    #[classmethod]
    fn from_bytes(_: &Bound<'_, PyType>, py: Python<'_>, data: &[u8]) -> PyResult<Self> {
        if let Some((archive, path, settings)) = Archive::unpacked(data)? {
            let file = Some(path.to_string_lossy().into_owned());
            let model = Model::compile(py, Request { file, ..Request::default() }, false)?;
            let inner = fmu::set(&model.inner, settings)?;
            return Ok(Self { fmu: Some(Arc::new(archive)), ..Model::new(inner) });
        }
        let model =
            py.detach(|| kairos::Model::from_bytes(data)).map(Model::new).map_err(|error| raise(&error))?;
        let _ = model.bytes.set(data.to_vec());
        Ok(model)
    }

    /// The compiled model with its values as bytes, without the texts it came from.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, self.stored(py)?))
    }

    /// The qualified name.
    #[getter]
    fn name(&self) -> &str {
        self.inner.name()
    }

    /// All variables by name.
    #[getter]
    fn variables<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.described(py, |_| true)
    }

    /// The parameters by name, with their values.
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.described(py, VarInfo::is_parameter)
    }

    /// The inputs by name.
    #[getter]
    fn inputs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.described(py, |var| var.given.is_some())
    }

    /// The outputs by name.
    #[getter]
    fn outputs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.described(py, |var| var.causality == Causality::Output)
    }

    /// What the model's experiment annotation says: start, stop, interval, tolerance; None where it says nothing.
    #[getter]
    fn experiment<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let experiment = self.inner.experiment();
        let dict = PyDict::new(py);
        dict.set_item("start", experiment.start)?;
        dict.set_item("stop", experiment.stop)?;
        dict.set_item("interval", experiment.interval)?;
        dict.set_item("tolerance", experiment.tolerance)?;
        Ok(dict)
    }

    /// What compilation had to remark.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.inner.warnings().iter().map(|warning| warning.message.clone()).collect()
    }

    /// The model with other values for parameters, inputs (for the whole run) and start values (`"x.start"`).
    ///
    /// Names that are no Python names go into the dictionary: `with_params({"motor.J": 0.2}, R=2.0)`. Texts may have
    /// units: `"4.7kOhm"`. Only values that shape the equations make the model compile again.
    #[pyo3(signature = (values=None, /, **more))]
    fn with_params(
        &self,
        py: Python<'_>,
        values: Option<&Bound<'_, PyDict>>,
        more: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let values = settings(values, more)?;
        let inner = py.detach(|| self.inner.set_all(values)).map_err(|error| raise(&error))?;
        Ok(Self { fmu: self.fmu.clone(), ..Model::new(inner) })
    }

    /// Simulates from start to stop.
    ///
    /// Keywords: `start`, `stop`, `tolerance`, `intervals`, `interval`, `at`, `method`, `step`, `max_step`,
    /// `inputs` (by name: a number, a function of time, or a pair of times and values), `keep` (names or patterns of the
    /// variables to keep), `events` (False: no event log, which is faster with very many events).
    #[pyo3(signature = (**keywords))]
    fn simulate(&self, py: Python<'_>, keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Result> {
        let raised = Raised::default();
        let options = options(keywords, &raised)?;
        let done = py.detach(|| self.inner.simulate(&options));
        done.map(|inner| Result { inner, model: self.inner.clone() }).map_err(|error| raised.or(&error))
    }

    /// Begins a run that the program advances; keywords as for `simulate`. Without `stop` it goes on for ever.
    #[pyo3(signature = (**keywords))]
    fn start(&self, py: Python<'_>, keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Simulation> {
        let raised = Raised::default();
        let stops = keywords.is_some_and(|keywords| keywords.contains("stop").unwrap_or(false));
        let mut options = options(keywords, &raised)?;
        if !stops {
            options = options.stop(1e9);
        }
        let events = keywords.and_then(|keywords| keywords.get_item("events").ok().flatten());
        options = options.events(events.is_some_and(|events| events.is_truthy().unwrap_or(false)));
        let started = py.detach(|| self.inner.start(&options));
        started
            .map(|inner| Simulation::new(inner, self.inner.clone(), raised.clone()))
            .map_err(|error| raised.or(&error))
    }

    /// Runs the model for many values; see `kairos.Model.sweep`.
    #[pyo3(signature = (spec, outcomes, jobs, sample, design, seed, indices, progress, keywords))]
    #[allow(clippy::too_many_arguments)]
    fn _sweep<'py>(
        &self,
        py: Python<'py>,
        spec: Vec<(String, String)>,
        outcomes: Vec<String>,
        jobs: usize,
        sample: Option<u64>,
        design: Option<String>,
        seed: u64,
        indices: bool,
        progress: Option<Py<PyAny>>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let sampling = sweep::Sampling { count: sample, design, seed, indices };
        sweep::run(py, &self.inner, spec, outcomes, jobs, &sampling, progress, keywords)
    }

    /// Sobol indices from an outcome of the runs of a sweep for them.
    #[staticmethod]
    fn _indices(outcomes: Vec<f64>, parameters: usize) -> (Vec<(f64, f64, f64, f64)>, usize) {
        sweep::indices_of(&outcomes, parameters)
    }

    /// The names of the states, in the order in which they are integrated.
    #[getter]
    fn states(&self) -> Vec<String> {
        self.inner.machine().info().state_names.clone()
    }

    /// The linear model around a point; see `kairos.Model.linearize`.
    #[pyo3(signature = (at, inputs, outputs, keywords))]
    fn _linearize(
        &self,
        py: Python<'_>,
        at: Option<f64>,
        inputs: Vec<String>,
        outputs: Vec<String>,
        keywords: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Around> {
        let raised = Raised::default();
        let options = options(keywords, &raised)?;
        let request = LinearRequest { at, inputs, outputs };
        let found = py.detach(|| linearise(&self.inner, &request, &options));
        found.map(Around).map_err(|error| raised.or(&error))
    }

    /// Courses and their derivatives; see `kairos.Model.sensitivities`.
    #[pyo3(signature = (of, by, intervals, at, keywords))]
    fn _sensitivities<'py>(
        &self,
        py: Python<'py>,
        of: Vec<String>,
        by: Vec<String>,
        intervals: usize,
        at: Vec<f64>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        studies::sensitive(py, &self.inner, &SensitivityRequest { of, by, intervals, at }, keywords)
    }

    /// Values of parameters and the model with them; see `kairos.Model.fit`.
    #[pyo3(signature = (free, experiments, deviations, keywords))]
    fn _fit<'py>(
        &self,
        py: Python<'py>,
        free: Vec<studies::Wanted>,
        experiments: Vec<studies::Measured>,
        deviations: Vec<(String, f64)>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<(Bound<'py, PyDict>, Model)> {
        let (found, fitted) = studies::estimate(py, &self.inner, free, experiments, deviations, keywords)?;
        Ok((found, Model::new(fitted)))
    }

    /// Values at rest; see `kairos.Model.trim`.
    #[pyo3(signature = (free, wanted, keywords))]
    fn _trim<'py>(
        &self,
        py: Python<'py>,
        free: Vec<studies::Wanted>,
        wanted: Vec<(String, f64)>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        studies::trimmed(py, &self.inner, free, wanted, keywords)
    }

    /// Values of all variables at which the model rests, near where a run of it begins; keywords as for `simulate`.
    #[pyo3(signature = (**keywords))]
    fn steady_state<'py>(
        &self,
        py: Python<'py>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let raised = Raised::default();
        let options = options(keywords, &raised)?;
        let steady = py.detach(|| steady_state(&self.inner, &options)).map_err(|error| raised.or(&error))?;
        let dict = PyDict::new(py);
        for (name, value) in steady.variables {
            dict.set_item(name, value)?;
        }
        Ok(dict)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let py = slf.py();
        let load = py.get_type::<Model>().getattr("from_bytes")?;
        Ok((load, (PyBytes::new(py, slf.get().stored(py)?),)))
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<Model>() else { return Ok(false) };
        Ok(self.stored(py)? == other.get().stored(py)?)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<u64> {
        let mut hasher = DefaultHasher::new();
        self.stored(py)?.hash(&mut hasher);
        Ok(hasher.finish())
    }

    fn __repr__(&self) -> String {
        let settings = self.inner.settings().iter().map(|(name, value)| format!(", {name}={value}"));
        format!("Model({}{})", self.inner.name(), settings.collect::<String>())
    }
}
