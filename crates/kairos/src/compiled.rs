//! A compiled model as bytes: stored once, loaded by any program of the same build, without its sources.
//!
//! What travels is the sorted model, not the program that a machine runs: the program follows from it in a fraction of
//! the time that sorting took, and the equations of modes that nobody has entered yet are part of it. Texts of sources do
//! not travel, only where their lines begin, so that messages still name file, line and column.

use crate::pipeline::{self, Compilation};
use crate::request::{Goal, Request};
use crate::settings;
use kairos_base::stored::{self, Kind, Unreadable};
use kairos_base::{Diagnostic, Places, SourceMap, World};
use kairos_causal::CausalModel;
use kairos_expr::Resources;
use kairos_model::Experiment;
use kairos_sim::BUILD;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The head of a stored model.
const KIND: Kind = Kind { name: "model", build: BUILD };
/// How the name of a file with a stored model ends.
pub const ENDING: &str = ".kairos";

/// What is stored beside the equations.
#[derive(Serialize, Deserialize)]
struct Head {
    name: String,
    experiment: Experiment,
    /// Values given when the model was compiled, as text.
    settings: Vec<(String, String)>,
    /// Start values are reconciled by conservation.
    projection: bool,
    /// Where `modelica://` names led: library, folder, and file if it is a single one.
    homes: Vec<(String, PathBuf, Option<PathBuf>)>,
    places: Vec<Places>,
}

/// The sorted model of a compilation, kept beside the machine that was made of it.
pub(crate) struct Portable {
    /// The equations, already as bytes: a machine takes them apart.
    equations: Vec<u8>,
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
        let equations = postcard::to_stdvec(causal).map_err(|error| {
            let text = format!("the model cannot be stored: {error}");
            Diagnostic::error("cannot-store", text)
        })?;
        Ok(Self { equations, files })
    }
}

/// The bytes of a compiled model. It must have been compiled with `Request::portable`.
pub fn store(compiled: &Compilation) -> Result<Vec<u8>, Diagnostic> {
    let Some(portable) = &compiled.portable else {
        let text = "the model was compiled to be run, not to be stored";
        return Err(Diagnostic::error("cannot-store", text).help("compile it with `portable` in the request"));
    };
    let wanted = |file: kairos_base::FileId| portable.files.get(file.index()).copied().unwrap_or(false);
    let head = Head {
        name: compiled.name.clone(),
        experiment: compiled.experiment.clone(),
        settings: compiled.settings.clone(),
        projection: compiled.projection,
        homes: compiled.resources.homes(),
        places: compiled.sources.places(wanted),
    };
    let mut body = postcard::to_stdvec(&head).map_err(|error| {
        let text = format!("the model cannot be stored: {error}");
        Diagnostic::error("cannot-store", text)
    })?;
    body.extend(&portable.equations);
    Ok(stored::seal(&KIND, &body))
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
    let opened = stored::open(&KIND, bytes).map_err(|why| unreadable(&why)).and_then(|body| {
        let read = postcard::take_from_bytes::<Head>(body)
            .and_then(|(head, rest)| Ok((head, postcard::from_bytes::<CausalModel>(rest)?)));
        read.map_err(|_| unreadable(&Unreadable::Damaged))
    });
    let (head, causal) = match opened {
        Ok(opened) => opened,
        Err(wrong) => return failed(wrong),
    };
    let mut product = Compilation {
        name: head.name,
        experiment: head.experiment,
        sources: SourceMap::from_places(head.places),
        resources: resources(head.homes, &request.libraries),
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
    settings::apply(machine, &head.settings, &mut Vec::new());
    let built_in = settings::apply(machine, &request.settings, &mut product.diagnostics);
    product.diagnostics.extend(built_in.names.iter().map(|name| fixed(name)));
    product.settings = head.settings.into_iter().chain(request.settings.iter().cloned()).collect();
    product
}

/// Where libraries are now: in the folders given, or else where they were.
fn resources(homes: Vec<(String, PathBuf, Option<PathBuf>)>, folders: &[String]) -> Resources {
    let resources = Resources::default();
    for (library, folder, file) in homes {
        let mut moved = folders.iter().map(|place| Path::new(place).join(&library));
        match (moved.find(|place| place.join("package.mo").is_file()), file) {
            (Some(place), _) => resources.add(&library, place),
            (None, Some(file)) => resources.add_file(&library, folder, file),
            (None, None) => resources.add(&library, folder),
        }
    }
    resources
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

fn unreadable(why: &Unreadable) -> Diagnostic {
    let help = match why {
        Unreadable::Foreign => "`kairos compile MODEL -o FILE.kairos` makes such a file",
        Unreadable::Other(_) => "give a file that `kairos compile` has written",
        Unreadable::Version(_) => "compile the model again with this Kairos",
        Unreadable::Damaged => "compile the model again, or copy the file again",
    };
    let mut wrong = Diagnostic::error("not-a-compiled-model", format!("this is no compiled model: {why}"));
    if let Unreadable::Version(_) = why {
        wrong.code = "other-version";
        wrong.message = format!("the compiled model cannot be read: {why}, this is Kairos {BUILD}");
    }
    wrong.help(help)
}
