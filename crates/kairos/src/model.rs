//! A compiled model: described, set, simulated, started.
#![deny(missing_docs)]

use crate::compiled::store;
use crate::error::Error;
use crate::files::Files;
use crate::options::Options;
use crate::pipeline::{Compilation, compile};
use crate::request::{Access, Engine, Goal, Request};
use crate::running::{Listener, Simulation};
use crate::setting::Setting;
use crate::settings;
use crate::sink::Table;
use crate::sweep::{Plan, Sweep, SweepRequest, SweptRun, Wanted};
use crate::trajectory::{Gather, Trajectory};
use kairos_base::{Diagnostic, Disk, SourceMap, World};
use kairos_expr::Trust;
use kairos_machine::Machine;
use kairos_model::{Causality, Experiment};
use kairos_program::{MachineInfo, VarInfo};
use kairos_sim::{SimError, SimOptions, check_options, simulate};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// A compiled model with values for its parameters.
///
/// A model never changes: setting a parameter gives another model, which shares what was compiled. Clones are cheap, and
/// threads may simulate one model at the same time.
///
/// ```
/// let model = kairos::Model::from_text(
///     "model Decay
///        parameter Real k = 1;
///        Real x(start = 1, fixed = true);
///      equation
///        der(x) = -k*x;
///      end Decay;",
/// )?;
/// let options = kairos::Options::default().stop(1.0).tolerance(1e-9);
/// let result = model.set("k", 2.0)?.simulate(&options)?;
/// assert!((result.at("x", 0.5)? - (-1.0_f64).exp()).abs() < 1e-8);
/// # Ok::<(), kairos::Error>(())
/// ```
#[derive(Clone)]
pub struct Model {
    compiled: Arc<Compiled>,
    /// All settings, as they were given.
    settings: Vec<(String, String)>,
    /// Those that stand in no compiled machine yet.
    writes: Vec<(u32, settings::Value)>,
}

/// What models with different values share.
pub(crate) struct Compiled {
    name: String,
    pub(crate) sources: Arc<SourceMap>,
    warnings: Vec<Diagnostic>,
    experiment: Experiment,
    pub(crate) info: MachineInfo,
    pub(crate) by_name: BTreeMap<String, usize>,
    machine: Mutex<Box<dyn Machine>>,
    /// Where the texts are, and what was asked for: a structural parameter asks for other equations.
    origin: Origin,
}

struct Origin {
    world: Arc<dyn World + Send + Sync>,
    request: Request,
}

/// The file name of a model that comes as a text.
const TEXT: &str = "text.mo";
/// And of one that comes as bytes.
const BYTES: &str = "model.kairos";

impl Model {
    /// Compiles the last model of a text.
    pub fn from_text(text: &str) -> Result<Model, Error> {
        let request = Request { file: Some(TEXT.into()), ..Request::default() };
        Model::compile(Files::default().with(TEXT, text), request)
    }

    /// Compiles the last model of a file.
    pub fn from_file(path: impl AsRef<std::path::Path>) -> Result<Model, Error> {
        let file = path.as_ref().to_string_lossy().into_owned();
        Model::compile(Disk, Request { file: Some(file), ..Request::default() })
    }

    /// Compiles a model of a library by its dotted name; `folders` hold libraries.
    pub fn from_library<S: AsRef<str>>(name: &str, folders: &[S]) -> Result<Model, Error> {
        let libraries = folders.iter().map(|folder| folder.as_ref().to_string()).collect();
        Model::compile(Disk, Request { model: Some(name.into()), libraries, ..Request::default() })
    }

    /// Compiles what a request asks for, in any world: the way for everything that the others leave open.
    pub fn compile(world: impl World + Send + Sync + 'static, request: Request) -> Result<Model, Error> {
        Model::compile_in(Arc::new(world), request)
    }

    /// The same in a world that others share.
    pub fn compile_in(world: Arc<dyn World + Send + Sync>, mut request: Request) -> Result<Model, Error> {
        if matches!(request.access, Access::Look) {
            request.access = Access::Run(Trust::Nobody);
        }
        let compilation = compile(&*world, &request, Goal::Machine);
        Model::of(compilation, Origin { world, request })
    }

    /// A model of what was compiled, with the place of its texts for other structural parameters.
    fn of(compilation: Compilation, origin: Origin) -> Result<Model, Error> {
        let failed = compilation.has_errors();
        let Compilation { sources, diagnostics, name, experiment, machine, .. } = compilation;
        let sources = Arc::new(sources);
        let Some(machine) = machine.filter(|_| !failed) else { return Err(Error::new(diagnostics, sources)) };
        let info = machine.info().clone();
        let by_name = info.vars.iter().enumerate().map(|(k, var)| (var.name.clone(), k)).collect();
        let settings = origin.request.settings.clone();
        let (warnings, machine) = (diagnostics, Mutex::new(machine));
        let compiled = Compiled { name, sources, warnings, experiment, info, by_name, machine, origin };
        Ok(Model { compiled: Arc::new(compiled), settings, writes: Vec::new() })
    }

    /// The model that `to_bytes` has made bytes of, in this process or another one of the same build. Its structural
    /// parameters cannot be changed any more.
    pub fn from_bytes(bytes: &[u8]) -> Result<Model, Error> {
        let request = Request { file: Some(BYTES.into()), ..Request::default() };
        Model::compile(Files::default().with_bytes(BYTES, bytes), request)
    }

    /// The compiled model with its settings as bytes, without the texts it came from.
    ///
    /// ```
    /// # let model = kairos::Model::from_text(
    /// #     "model Decay parameter Real k = 1; Real x(start = 1, fixed = true); equation der(x) = -k*x; end Decay;",
    /// # )?;
    /// let bytes = model.set("k", 3.0)?.to_bytes()?;
    /// assert_eq!(kairos::Model::from_bytes(&bytes)?.get("k")?, 3.0);
    /// # Ok::<(), kairos::Error>(())
    /// ```
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        let Origin { world, request } = &self.compiled.origin;
        let settings = self.settings.clone();
        let request = Request { settings, portable: true, engine: Engine::Interpreter, ..request.clone() };
        let compilation = compile(&**world, &request, Goal::Machine);
        if compilation.has_errors() {
            return Err(Error::new(compilation.diagnostics, Arc::new(compilation.sources)));
        }
        store(&compilation).map_err(Error::plain)
    }

    /// The qualified name.
    pub fn name(&self) -> &str {
        &self.compiled.name
    }

    /// What the model's `experiment` annotation says.
    pub fn experiment(&self) -> &Experiment {
        &self.compiled.experiment
    }

    /// What compilation had to remark.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.compiled.warnings
    }

    /// The texts that messages point into.
    pub fn sources(&self) -> &SourceMap {
        &self.compiled.sources
    }

    /// All variables, parameters included.
    pub fn variables(&self) -> &[VarInfo] {
        &self.compiled.info.vars
    }

    /// The parameters and constants.
    pub fn parameters(&self) -> impl Iterator<Item = &VarInfo> {
        self.variables().iter().filter(|var| var.is_parameter())
    }

    /// The inputs, which are set from outside.
    pub fn inputs(&self) -> impl Iterator<Item = &VarInfo> {
        self.variables().iter().filter(|var| var.given.is_some())
    }

    /// The outputs.
    pub fn outputs(&self) -> impl Iterator<Item = &VarInfo> {
        self.variables().iter().filter(|var| var.causality == Causality::Output)
    }

    /// The variable of this name.
    pub fn variable(&self, name: &str) -> Result<&VarInfo, Error> {
        Ok(&self.variables()[self.compiled.place(name)?])
    }

    /// The value of a parameter or constant before a run; those that the run itself finds have none yet. Parameters that
    /// follow from others are as if only these had been set.
    pub fn get(&self, name: &str) -> Result<f64, Error> {
        let var = self.variable(name)?;
        if !var.is_parameter() {
            let text = format!("`{name}` is no parameter: it has values only in a run");
            let help = "simulate the model and read it from the result";
            return Err(Error::plain(Diagnostic::error("wrong-setting", text).help(help)));
        }
        let (slot, negated) = (var.slot as usize, var.negated);
        let mut machine = self.machine();
        // What follows from others cannot be computed where one of them is wrong; the start tells that better.
        let _ = machine.prepare_replay();
        let value = machine.values()[slot];
        Ok(if negated { -value } else { value })
    }

    /// The model with another value for a parameter, an input (a value for the whole run) or a start value. That is cheap,
    /// except where equations depend on it: then the model is compiled anew.
    pub fn set(&self, name: &str, value: impl Into<Setting>) -> Result<Model, Error> {
        self.set_all([(name, value)])
    }

    /// The model with several other values, compiled anew at most once.
    pub fn set_all<N: AsRef<str>, V: Into<Setting>>(
        &self,
        values: impl IntoIterator<Item = (N, V)>,
    ) -> Result<Model, Error> {
        let pair = |(name, value): (N, V)| (name.as_ref().to_string(), value.into().0);
        let new: Vec<(String, String)> = values.into_iter().map(pair).collect();
        let mut diagnostics = Vec::new();
        let (mut writes, built_in) = settings::read(&**self.compiled.lock(), &new, &mut diagnostics);
        if diagnostics.iter().any(Diagnostic::is_error) {
            return Err(Error::new(diagnostics, self.compiled.sources.clone()));
        }
        let mut model = self.clone();
        model.settings.retain(|(name, _)| !new.iter().any(|(other, _)| other == name));
        model.settings.extend(new);
        if built_in.is_empty() {
            model.writes.append(&mut writes);
            return Ok(model);
        }
        let Origin { world, request } = &self.compiled.origin;
        let request = Request { settings: model.settings, ..request.clone() };
        Model::compile_in(world.clone(), request)
    }

    /// The settings that were made, by name, as texts.
    pub fn settings(&self) -> &[(String, String)] {
        &self.settings
    }

    /// What went wrong in a run of this model as an error that shows the place in its text: for studies that evaluate machines themselves.
    pub fn failure(&self, error: &SimError) -> Error {
        Error::of_run(error, Vec::new(), self.compiled.sources.clone())
    }

    /// Simulates from start to stop.
    pub fn simulate(&self, options: &Options) -> Result<Trajectory, Error> {
        let mut warnings = Vec::new();
        let (machine, wanted) = self.prepared(options, &mut warnings)?;
        let mut gather = Gather::new(options.keep.clone(), true, options.events, options.watch.clone());
        let outcome = simulate(machine, &wanted, &mut gather);
        let mut data = gather.data;
        data.warnings.splice(0..0, warnings);
        match outcome {
            Ok(summary) => {
                data.summary = summary;
                Ok(Trajectory::new(data))
            }
            Err(error) => Err(Error::of_run(&error, data.warnings, self.compiled.sources.clone())),
        }
    }

    /// Begins a run that the program advances step by step.
    pub fn start(&self, options: &Options) -> Result<Simulation, Error> {
        self.begin(options, None)
    }

    /// The same with a table that takes the rows: all variables at the output points and on both sides of events.
    pub fn record(&self, options: &Options, table: Box<dyn Table>) -> Result<Simulation, Error> {
        self.begin(options, Some(table))
    }

    fn begin(&self, options: &Options, table: Option<Box<dyn Table>>) -> Result<Simulation, Error> {
        let mut warnings = Vec::new();
        let (machine, wanted) = self.prepared(options, &mut warnings)?;
        Simulation::begin(self.compiled.clone(), machine, wanted, Listener::new(options, table))
    }

    /// Runs the model for every point of a plan on so many threads, and hands the runs over a few at a time, in any order;
    /// stops early when `deliver` says `false`. Failures of single runs are told in these.
    ///
    /// ```
    /// use kairos::sweep::{Outcome, Plan, Variation, Wanted};
    /// # let model = kairos::Model::from_text(
    /// #     "model Decay parameter Real k = 1; Real x(start = 1, fixed = true); equation der(x) = -k*x; end Decay;",
    /// # )?;
    /// let plan = Plan::grid(vec![Variation::parse("k=lin(1,2,11)").expect("a range")]).expect("a plan");
    /// let wanted = Wanted::Outcomes(vec![Outcome::parse("min(x)").expect("an outcome")]);
    /// let mut ends = Vec::new();
    /// model.sweep(plan, wanted, &kairos::Options::default(), 2, |runs| {
    ///     ends.extend(runs.into_iter().map(|run| (run.index, run.rows[1])));
    ///     true
    /// })?;
    /// assert_eq!(ends.len(), 11);
    /// # Ok::<(), kairos::Error>(())
    /// ```
    pub fn sweep(
        &self,
        plan: Plan,
        wanted: Wanted,
        options: &Options,
        threads: usize,
        deliver: impl FnMut(Vec<SweptRun>) -> bool,
    ) -> Result<(), Error> {
        let Origin { world, request } = &self.compiled.origin;
        let model = Request { settings: self.settings.clone(), ..request.clone() };
        let request =
            SweepRequest { model, run: options.request.clone(), plan, wanted, jobs: threads.max(1) };
        let sweep = Sweep::prepare(&**world, &request);
        let sweep = sweep.map_err(|failed| Error::new(failed.diagnostics, Arc::new(failed.sources)))?;
        sweep.run(|_| true, deliver);
        Ok(())
    }

    /// A machine with all values set, and what the run is to be.
    fn prepared(
        &self,
        options: &Options,
        warnings: &mut Vec<Diagnostic>,
    ) -> Result<(Box<dyn Machine>, SimOptions), Error> {
        let wanted = options.request.options(&self.compiled.experiment);
        let wrong = |error: &_| Error::of_run(error, Vec::new(), self.compiled.sources.clone());
        check_options(&wanted).map_err(|error| wrong(&error))?;
        let machine = options.request.inputs.attach(self.machine(), wanted.start, warnings);
        if warnings.iter().any(Diagnostic::is_error) {
            return Err(Error::new(std::mem::take(warnings), self.compiled.sources.clone()));
        }
        Ok((machine, wanted))
    }

    /// A machine of its own with all values set.
    pub fn machine(&self) -> Box<dyn Machine> {
        let mut machine = self.compiled.lock().clone_machine();
        settings::write(&mut *machine, &self.writes);
        machine
    }
}

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { compiled, settings, .. } = self;
        write!(f, "Model({}, {} variables", compiled.name, compiled.info.vars.len())?;
        settings.iter().try_for_each(|(name, value)| write!(f, ", {name} = {value}"))?;
        f.write_str(")")
    }
}

impl Compiled {
    fn lock(&self) -> std::sync::MutexGuard<'_, Box<dyn Machine>> {
        self.machine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where a variable stands among all of them.
    pub(crate) fn place(&self, name: &str) -> Result<usize, Error> {
        self.by_name.get(name).copied().ok_or_else(|| {
            let known = self.info.vars.iter().map(|var| var.name.as_str());
            Error::plain(settings::unknown("the model", name, known))
        })
    }
}
