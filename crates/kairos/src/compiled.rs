//! Compiled models in the pipeline: kept while a machine is made of them, stored as bytes, and loaded again.

use crate::pipeline::{self, Compilation};
use crate::request::{Goal, Request};
use crate::settings;
use kairos_base::{Diagnostic, SourceMap, World};
use kairos_causal::CausalModel;
use kairos_stored::{Head, Number};

pub use kairos_stored::ENDING;

/// The sorted model of a compilation, kept beside the machine that was made of it.
pub(crate) struct Portable {
    /// The equations, already as bytes: a machine takes them apart.
    pub equations: Vec<u8>,
    /// The files that spans of the model lie in.
    files: Vec<bool>,
}

impl Portable {
    /// Keeps a model before a machine is made of it.
    pub fn new(causal: &CausalModel, sources: &SourceMap) -> Result<Self, Diagnostic> {
        let mut files = vec![false; sources.len()];
        causal.visit_spans(&mut |span| {
            if let Some(file) = files.get_mut(span.file.index()) {
                *file = true;
            }
        });
        Ok(Self { equations: kairos_stored::pack(causal)?, files })
    }
}

/// The bytes of a compiled model. It must have been compiled with `Request::portable`.
pub fn store(compiled: &Compilation) -> Result<Vec<u8>, Diagnostic> {
    store_with(compiled, Vec::new())
}

/// The same, with files that travel beside it: what the model calls them, and the names that they have there.
pub fn store_with(compiled: &Compilation, files: Vec<(String, String)>) -> Result<Vec<u8>, Diagnostic> {
    let portable = portable(compiled)?;
    kairos_stored::write(&Head { files, ..head(compiled, portable) }, &portable.equations)
}

/// The sorted equations of a model that was compiled with `Request::portable`, for those who look into them.
pub fn equations(compiled: &Compilation) -> Result<CausalModel, Diagnostic> {
    kairos_stored::unpack(&portable(compiled)?.equations)
}

fn portable(compiled: &Compilation) -> Result<&Portable, Diagnostic> {
    compiled.portable.as_ref().ok_or_else(|| {
        let text = "the model was compiled to be run, not to be stored";
        Diagnostic::error("cannot-store", text).help("compile it with `portable` in the request")
    })
}

fn head(compiled: &Compilation, portable: &Portable) -> Head {
    let wanted = |file: kairos_base::FileId| portable.files.get(file.index()).copied().unwrap_or(false);
    let writes = compiled
        .machine
        .as_deref()
        .map_or(Vec::new(), |machine| settings::read(machine, &compiled.settings, &mut Vec::new()).0);
    let number = |value| match value {
        settings::Value::Number(number) => Number::Number(number),
        settings::Value::Text(text) => Number::Text(text),
    };
    Head {
        name: compiled.name.clone(),
        experiment: compiled.experiment.clone(),
        settings: compiled.settings.clone(),
        writes: writes.into_iter().map(|(slot, value)| (slot, number(value))).collect(),
        projection: compiled.projection,
        homes: compiled.resources.homes(),
        places: compiled.sources.places(wanted),
        files: Vec::new(),
    }
}

/// The model that `store` has made bytes of, ready to run, with the settings, engine and permissions of `request`.
pub fn load(bytes: &[u8], request: &Request) -> Compilation {
    load_for(bytes, request, Goal::Machine)
}

/// Does a request ask for a stored model?
pub(crate) fn is_stored(request: &Request) -> bool {
    request.file.as_deref().is_some_and(|file| file.ends_with(ENDING))
}

/// Loads the file of a request.
pub(crate) fn load_file(world: &dyn World, request: &Request, goal: Goal) -> Compilation {
    let file = request.file.as_deref().unwrap_or_default();
    match world.read_bytes(file) {
        Ok(bytes) => load_for(&bytes, request, goal),
        Err(error) => {
            let text = format!("`{file}` cannot be read: {error}");
            failed(Diagnostic::error("cannot-read", text).help("check the path"))
        }
    }
}

fn load_for(bytes: &[u8], request: &Request, goal: Goal) -> Compilation {
    let (head, causal) = match kairos_stored::read(bytes) {
        Ok(read) => read,
        Err(wrong) => return failed(wrong),
    };
    let mut product = Compilation {
        resources: kairos_stored::resources(&head.homes, &request.libraries),
        name: head.name,
        experiment: head.experiment,
        sources: SourceMap::from_places(head.places),
        projection: head.projection,
        ..Compilation::default()
    };
    let refused = match goal {
        Goal::Flat => Some("its flat equations"),
        Goal::Causal if !request.settings.is_empty() => Some("the equations for other values"),
        _ if request.model.as_ref().is_some_and(|name| *name != product.name) => Some("another model"),
        _ => None,
    };
    if let Some(what) = refused {
        let text = format!("a compiled model does not contain {what}");
        let help = "ask for it of the Modelica file from which it was compiled";
        product.diagnostics.push(Diagnostic::error("not-in-compiled-model", text).help(help));
        return product;
    }
    let request = Request { projection: head.projection, ..request.clone() };
    pipeline::solve(causal, &request, goal, &mut product);
    let Some(machine) = product.machine.as_deref_mut() else { return product };
    head.writes.iter().for_each(|(slot, value)| machine.set(*slot, value.given()));
    let built_in = settings::apply(machine, &request.settings, &mut product.diagnostics);
    product.diagnostics.extend(built_in.names.iter().map(|name| fixed(name)));
    product.settings = head.settings.into_iter().chain(request.settings.iter().cloned()).collect();
    product
}

fn failed(wrong: Diagnostic) -> Compilation {
    Compilation { diagnostics: vec![wrong], ..Compilation::default() }
}

/// A value that the equations were made for.
fn fixed(name: &str) -> Diagnostic {
    let text = format!("`{name}` is built into the compiled model");
    Diagnostic::error("setting-is-built-in", text)
        .help(format!("compile the model again with `--set {name}=...`"))
}
