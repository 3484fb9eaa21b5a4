//! The stages of compilation in their order, each timed.

use crate::carried::{ROOT, WithCarried};
use crate::clock::Begun;
use crate::compiled::{self, Portable};
use crate::fmu;
use crate::native_code::Means;
use crate::request::{Access, Engine, Goal, Request};
use crate::settings::{self, BuiltIn};
use crate::{balance, tunable};
use kairos_base::{Diagnostic, SourceMap, World};
use kairos_causal::CausalModel;
use kairos_expr::{Permissions, Resources};
use kairos_machine::{Interpreter, Machine, Maker, ModalMachine};
use kairos_model::{Experiment, ScalarModel};
use kairos_sema::library::GivenFile;
use std::sync::Arc;
use std::time::Duration;

/// How long a phase took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    pub phase: &'static str,
    pub time: Duration,
}

/// What compilation yields, as far as it came.
#[derive(Default)]
pub struct Compilation {
    pub sources: SourceMap,
    pub diagnostics: Vec<Diagnostic>,
    pub timings: Vec<Timing>,
    /// The qualified name of the model.
    pub name: String,
    pub experiment: Experiment,
    /// The flat equations as text, for `Goal::Flat`.
    pub flat: Option<String>,
    /// How the model is solved, for `Goal::Causal`.
    pub explanation: Option<String>,
    /// The same as JSON.
    pub explanation_json: Option<String>,
    /// The sorted equations, for `Goal::Causal`.
    pub(crate) causal: Option<Box<CausalModel>>,
    pub machine: Option<Box<dyn Machine>>,
    /// What the machine runs, for tools that look inside.
    pub program: Option<std::sync::Arc<kairos_program::Program>>,
    /// Where `modelica://` names lead.
    pub(crate) resources: Resources,
    /// The clocks, as far as `Request::ticking` asks for them.
    pub clocks: Vec<crate::CountedClock>,
    /// What can be stored of it, where the request asks for that.
    pub(crate) portable: Option<Portable>,
    /// How it was compiled: values that were given, and `Request::projection`.
    pub(crate) settings: Vec<(String, String)>,
    pub(crate) projection: bool,
}

impl Compilation {
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// How a variable comes to its value, for `Goal::Causal`; an error if the model has no such variable.
    pub fn explain_variable(&self, name: &str) -> Result<String, Diagnostic> {
        let Some(causal) = &self.causal else { return Ok(String::new()) };
        kairos_causal::explain_variable(causal, name, &self.sources).ok_or_else(|| {
            settings::unknown("the model", name, causal.vars.iter().map(|var| var.name.as_str()))
        })
    }

    /// The files that the model has read so far: by the names that it calls them, and where they are.
    pub fn files(&self) -> Vec<(String, std::path::PathBuf)> {
        self.resources.asked()
    }

    pub(crate) fn timed<T>(&mut self, phase: &'static str, work: impl FnOnce(&mut Self) -> T) -> T {
        let begun = Begun::now();
        let done = work(self);
        self.timings.push(Timing { phase, time: begun.elapsed() });
        done
    }
}

/// Compiles a model as far as `goal`, or loads one that was compiled before; mistakes are among the diagnostics.
pub fn compile(world: &dyn World, request: &Request, goal: Goal) -> Compilation {
    if compiled::is_stored(request) {
        let mut product = compiled::load_file(world, request, goal);
        request.judge(&mut product.diagnostics);
        return product;
    }
    if fmu::is_fmu(request) {
        let mut product = fmu::load(world, request, goal);
        request.judge(&mut product.diagnostics);
        return product;
    }
    let mut product = compile_with_settings(world, request, goal);
    if let Some(diagnostic) = product.diagnostics.iter_mut().find(|d| d.code == "not-a-model") {
        let models = crate::survey::survey(world, request).unwrap_or_default();
        let option = if request.file.is_some() { " with `--model`" } else { "" };
        if let Some(shown) = listed(&models) {
            diagnostic.help = vec![format!("name a model in it{option}: {shown}")];
        }
    }
    if let Some(diagnostic) = product.diagnostics.iter_mut().find(|d| d.code == "no-such-model") {
        diagnostic.help =
            elsewhere(world, request).map_or(std::mem::take(&mut diagnostic.help), |help| vec![help]);
    }
    request.judge(&mut product.diagnostics);
    product
}

/// Models by name; what is meant to be run says so by its experiment.
fn listed(models: &[crate::survey::Entry]) -> Option<String> {
    let experiments = models.iter().filter(|model| model.runs);
    let names: Vec<String> = experiments
        .chain(models.iter().filter(|model| !model.runs))
        .map(|m| format!("`{}`", m.name))
        .collect();
    let shown = names[..names.len().min(3)].join(", ");
    (!names.is_empty()).then(|| format!("{shown}{}", if names.len() > 3 { ", …" } else { "" }))
}

/// Where a model that is not found may be.
fn elsewhere(world: &dyn World, request: &Request) -> Option<String> {
    let name = request.model.as_deref()?;
    if request.file.is_some() {
        let models = crate::survey::survey(world, &Request { model: None, ..request.clone() })?;
        let same = models.iter().find(|model| model.name.rsplit('.').next() == name.rsplit('.').next());
        return match same {
            Some(model) => Some(format!("did you mean `{}`?", model.name)),
            None => Some(format!("the file has {}", listed(&models)?)),
        };
    }
    if let Ok(entries) = world.list(name) {
        let files: Vec<String> =
            entries.iter().filter(|e| e.ends_with(".mo")).map(|e| format!("`{e}`")).collect();
        let shown = files[..files.len().min(3)].join(", ");
        return Some(match files.len() {
            0 => "that is a folder without Modelica files: give a file, or the name of a model".into(),
            1..=3 => format!("that is a folder: give a file in it, such as {shown}"),
            _ => format!("that is a folder: give a file in it, such as {shown}, …"),
        });
    }
    let top = name.split('.').next().unwrap_or(name);
    if world.read(&format!("{name}.mo")).is_ok() {
        return Some(format!("for the file give its whole name: `{name}.mo`"));
    }
    let known = request.libraries.iter().any(|folder| folder == "." || folder == top);
    (!known && world.read(&format!("{top}/package.mo")).is_ok())
        .then(|| format!("for the library in the folder `{top}` add `--lib .`"))
}

fn compile_with_settings(world: &dyn World, request: &Request, goal: Goal) -> Compilation {
    let mut product = Compilation::default();
    if matches!(goal, Goal::Flat | Goal::Causal) {
        let built_in = all_built_in(world, request, &mut product);
        stages(world, request, &built_in, goal, &mut product);
        return product;
    }
    stages(world, request, &BuiltIn::default(), goal, &mut product);
    let Some(machine) = product.machine.as_deref_mut() else { return product };
    let built_in = settings::apply(machine, &request.settings, &mut product.diagnostics);
    let guesses = settings::guesses(machine, &request.settings);
    if built_in.is_empty() || product.has_errors() {
        return product;
    }
    // A value that is built into the equations asks for other equations.
    let first = std::mem::take(&mut product);
    product.timings = first.timings;
    product.diagnostics = guesses;
    stages(world, request, &built_in, goal, &mut product);
    product.name = first.name;
    product.experiment = first.experiment;
    if let Some(machine) = product.machine.as_deref_mut() {
        settings::apply(machine, &request.settings, &mut Vec::new());
    }
    product
}

/// What the settings change in the equations, for those who want to see them. Only the variables of the compiled model
/// say what a setting means.
fn all_built_in(world: &dyn World, request: &Request, product: &mut Compilation) -> BuiltIn {
    if request.settings.is_empty() {
        return BuiltIn::default();
    }
    let mut probe = Compilation::default();
    let plain = Request { engine: Engine::Interpreter, ..request.clone() };
    stages(world, &plain, &BuiltIn::default(), Goal::Machine, &mut probe);
    match probe.machine.as_deref() {
        Some(machine) => settings::built_in(machine, &request.settings, &mut product.diagnostics),
        None => BuiltIn::unread(&request.settings),
    }
}

/// A model with values for some of its parameters: `a.b = 1` becomes the modification `a(b = 1)`.
fn modified(name: &str, modifications: &[(String, String)]) -> String {
    let modifier = |(name, value): &(String, String)| {
        let depth = name.matches('.').count();
        format!("{} = {value}{}", name.replace('.', "("), ")".repeat(depth))
    };
    let list: Vec<String> = modifications.iter().map(modifier).collect();
    format!("model {MODIFIED} extends {name}({}); end {MODIFIED};", list.join(", "))
}

const MODIFIED: &str = "ModelWithSettings";

/// The code of a count of equations that does not match the unknowns; sorting tells more about it.
const UNBALANCED: &str = "unbalanced-model";

fn stages(
    world: &dyn World,
    request: &Request,
    built_in: &BuiltIn,
    goal: Goal,
    product: &mut Compilation,
) -> Option<()> {
    let mut scalar = product.timed("flatten", |product| {
        let scalar = front(world, request, built_in, product);
        request.judge(&mut product.diagnostics);
        scalar
    })?;
    settings::start(&mut scalar, &built_in.starts);
    if request.open_starts {
        settings::open_starts(&mut scalar);
    }
    product.diagnostics.extend(tunable::open(&mut scalar, &request.tunable));
    product.clocks = crate::ticks::add(&mut scalar, request.ticking);
    product.diagnostics.extend(balance::add(&mut scalar, &request.balance));
    if !request.balance.is_empty() && product.has_errors() {
        return None;
    }
    product.experiment = scalar.experiment.clone();
    if goal == Goal::Flat {
        product.flat = Some(kairos_flat::print(&scalar));
        return Some(());
    }
    let options = kairos_causal::Options { projection: request.projection, verify: request.verify };
    let checked = product.timed("causalise", |_| kairos_causal::causalise(scalar, &options));
    // What is wrong in particular says more than the count of equations.
    if checked.diagnostics.iter().any(|d| d.code == "when-conflict") {
        product.diagnostics.retain(|d| !(d.is_error() && d.code == UNBALANCED));
    }
    let causal = checked.accept(&mut product.diagnostics)?;
    if product.has_errors() {
        return None;
    }
    if request.portable && goal == Goal::Machine {
        match Portable::new(&causal, &product.sources) {
            Ok(portable) => product.portable = Some(portable),
            Err(wrong) => product.diagnostics.push(wrong),
        }
        product.settings.clone_from(&request.settings);
        product.projection = request.projection;
    }
    solve(causal, request, goal, product);
    Some(())
}

/// From the sorted equations to the goal.
pub(crate) fn solve(causal: CausalModel, request: &Request, goal: Goal, product: &mut Compilation) {
    if goal == Goal::Causal {
        product.explanation = Some(kairos_causal::explain(&causal));
        product.explanation_json = Some(kairos_causal::explain_json(&causal));
        product.causal = Some(Box::new(causal));
        return;
    }
    if goal == Goal::Program {
        let program = product.timed("assemble", |_| kairos_program::assemble(causal));
        product.program = Some(Arc::new(program));
        return;
    }
    let machine = product.timed("assemble", |product| machine(causal, request, product));
    product.machine = Some(machine);
}

/// What the functions of a model may do.
fn permissions(request: &Request, resources: &Resources, model: &str) -> Permissions {
    match &request.access {
        Access::Look => Permissions::looking(resources.clone()),
        Access::Pack => Permissions::packing(resources.clone()),
        Access::Run(trust) => Permissions::running(resources.clone(), model, trust.clone()),
    }
}

/// A machine for a sorted model; where its structure changes, one that makes further machines as it runs.
fn machine(causal: CausalModel, request: &Request, product: &mut Compilation) -> Box<dyn Machine> {
    let means = Means::new(request, &causal, &product.resources, &mut product.diagnostics);
    let resources = product.resources.clone();
    let verified = request.engine == Engine::Verified;
    let permissions = permissions(request, &resources, &product.name);
    let make = move |causal: CausalModel| {
        let natives = kairos_expr::Natives::silent(resources.clone(), permissions.clone());
        let natives = Arc::new(means.natives(natives, &causal));
        let mut machine = Interpreter::new(Arc::new(kairos_program::assemble(causal)), natives);
        if verified {
            machine.verify();
        }
        let refusal = means.attach(&mut machine);
        (machine, refusal)
    };
    let modes = causal.modes.clone();
    let (first, refusal) = make(causal);
    if let Some(why) = refusal {
        let text = format!("there is no native code, the model runs on the interpreter: {why}");
        product.diagnostics.push(Diagnostic::warning("no-native-code", text));
    }
    product.program = Some(first.program().clone());
    match modes {
        None => Box::new(first),
        Some(modes) => {
            let further: Maker = Arc::new(move |causal| Box::new(make(causal).0));
            Box::new(ModalMachine::new(Box::new(first), modes, further, request.projection))
        }
    }
}

/// The Modelica files beside one that is not there.
pub(crate) fn nearby(world: &dyn World, file: &str) -> String {
    let (folder, name) = file.rsplit_once('/').unwrap_or((".", file));
    let entries = world.list(folder).unwrap_or_default();
    let models = || entries.iter().filter(|entry| entry.ends_with(".mo") && entry.as_str() != name);
    let closest = models().min_by_key(|entry| kairos_base::spelling::slips(entry, name));
    if let Some(close) = closest.filter(|close| kairos_base::spelling::slips(close, name) <= 2) {
        return format!("did you mean `{close}`?");
    }
    let mut found = models();
    let listed: Vec<String> = found.by_ref().take(3).map(|entry| format!("`{entry}`")).collect();
    match (listed.is_empty(), found.next()) {
        (true, _) => "check the path: there is no Modelica file in that folder".into(),
        (false, None) => format!("check the path: there is {}", listed.join(", ")),
        (false, Some(_)) => format!("check the path: there is {}, …", listed.join(", ")),
    }
}

/// The name of a class in a file that belongs to a package may be given without that package.
pub(crate) fn spelled_out(name: &str, classes: &[String]) -> String {
    let known = classes.iter().find(|class| class.rsplit('.').next() == Some(name) && class.as_str() != name);
    known.cloned().unwrap_or_else(|| name.to_string())
}

/// Text to scalar equations.
fn front(
    world: &dyn World,
    request: &Request,
    built_in: &BuiltIn,
    product: &mut Compilation,
) -> Option<ScalarModel> {
    let trees = kairos_sema::Trees::default();
    let made = kairos_sema::MadeRefs::default();
    let world = WithCarried(world);
    let mut library =
        kairos_sema::Library::new(&trees, &world, request.libraries.clone()).with_fallback(ROOT);
    let mut given = GivenFile::default();
    if let Some(file) = &request.file {
        match library.add_file(file) {
            Ok(read) => given = read,
            Err(error) => {
                let message = format!("`{file}` cannot be read: {error}");
                let wrong = Diagnostic::error("cannot-read", message);
                product.diagnostics.push(wrong.help(nearby(&world, file)));
                return None;
            }
        }
    }
    let wanted = request.model.as_ref().map(|name| spelled_out(name, &given.classes));
    let Some(name) = wanted.or(given.main) else {
        product.diagnostics.extend(library.take_diagnostics());
        product.sources = library.sources().clone();
        if !product.has_errors() {
            let message = match &request.file {
                Some(file) => format!("there is no model in `{file}`"),
                None => "there is no model to work on".to_string(),
            };
            let help = "write one there: `model Name ... end Name;`, or give another file";
            product.diagnostics.push(Diagnostic::error("no-model", message).help(help));
        }
        return None;
    };
    product.name.clone_from(&name);
    library.permit(permissions(request, &library.resources(), &name));
    let name = match built_in.modifications.is_empty() {
        true => name,
        false => {
            library.add_text("--set", &modified(&name, &built_in.modifications));
            MODIFIED.to_string()
        }
    };
    let (mut sema, root, diagnostics) = kairos_sema::instantiate(&library, &made, &name);
    product.diagnostics.extend(diagnostics);
    if product.has_errors() {
        // Flattening would look into the functions; their mistakes are told all the same.
        sema.complete_functions();
        product.diagnostics.extend(sema.take_diagnostics());
    }
    let own = request.file.as_ref().and_then(|file| {
        let sources = library.sources();
        sources.ids().find(|id| sources.path(*id) == *file)
    });
    let scalar = match root {
        Some(root) if !product.has_errors() => {
            let checked = kairos_flat::flatten_with(sema, root, request.checks());
            let hopeless = checked.diagnostics.iter().any(|d| d.is_error() && d.code != UNBALANCED);
            product.diagnostics.extend(checked.diagnostics);
            if let (Some(scalar), Some(own), false) = (&checked.value, own, product.has_errors()) {
                product.diagnostics.extend(kairos_flat::habits(scalar, &library.sources(), own));
            }
            checked.value.filter(|_| !hopeless)
        }
        _ => None,
    };
    request.spare_libraries(own, &mut product.diagnostics);
    product.sources = library.sources().clone();
    product.resources = library.resources();
    scalar
}
