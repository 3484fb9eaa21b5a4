//! A compiled model as bytes, and a machine made of it without any compiler.
//!
//! What travels is the sorted model, not the program that a machine runs: the program follows from it in a fraction of
//! the time that sorting took, and the equations of modes that nobody has entered yet are part of it. Texts of sources do
//! not travel, only where their lines begin, so that messages still name file, line and column.

use kairos_base::stored::{self, Kind, Unreadable};
use kairos_base::{Diagnostic, Places};
use kairos_causal::CausalModel;
use kairos_expr::{Natives, Permissions, Resources};
use kairos_machine::{Given, Interpreter, Machine, Maker, ModalMachine};
use kairos_model::Experiment;
use kairos_sim::BUILD;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The head of a stored model.
const KIND: Kind = Kind { name: "model", build: BUILD };
/// How the name of a file with a stored model ends.
pub const ENDING: &str = ".kairos";

/// Where `modelica://` names of a library lead: its name, its folder, and its file if it is a single one.
pub type Home = (String, PathBuf, Option<PathBuf>);

/// What is stored beside the equations.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Head {
    /// The qualified name of the model.
    pub name: String,
    /// How it wants to be run.
    pub experiment: Experiment,
    /// Values given when the model was compiled, as text.
    pub settings: Vec<(String, String)>,
    /// The same as a machine takes them.
    pub writes: Vec<(u32, Number)>,
    /// Start values are reconciled by conservation.
    pub projection: bool,
    /// The libraries in use.
    pub homes: Vec<Home>,
    /// The sources without their texts.
    pub places: Vec<Places>,
    /// Files that travel with the model: what it calls them, and their names beside it.
    pub files: Vec<(String, String)>,
}

/// A value for a slot of a machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Number {
    /// Of a Real, an Integer, a Boolean or an enumeration.
    Number(f64),
    /// Of a String.
    Text(String),
}

impl Number {
    /// The value as machines take it.
    pub fn given(&self) -> Given<'_> {
        match self {
            Number::Number(number) => Given::Number(*number),
            Number::Text(text) => Given::Text(text),
        }
    }
}

/// The equations as bytes, before a machine takes them apart.
pub fn pack(causal: &CausalModel) -> Result<Vec<u8>, Diagnostic> {
    postcard::to_stdvec(causal).map_err(|error| refused(&error.to_string()))
}

/// The equations that `pack` has made bytes of.
pub fn unpack(equations: &[u8]) -> Result<CausalModel, Diagnostic> {
    postcard::from_bytes(equations).map_err(|_| unreadable(&Unreadable::Damaged))
}

/// A whole stored model.
pub fn write(head: &Head, equations: &[u8]) -> Result<Vec<u8>, Diagnostic> {
    let mut body = postcard::to_stdvec(head).map_err(|error| refused(&error.to_string()))?;
    body.extend(equations);
    Ok(stored::seal(&KIND, &body))
}

/// What `write` has stored.
pub fn read(bytes: &[u8]) -> Result<(Head, CausalModel), Diagnostic> {
    let body = stored::open(&KIND, bytes).map_err(|why| unreadable(&why))?;
    let read = postcard::take_from_bytes::<Head>(body);
    let (head, rest) = read.map_err(|_| unreadable(&Unreadable::Damaged))?;
    Ok((head, unpack(rest)?))
}

/// Where libraries are now: in the folders given, or else where they were.
pub fn resources(homes: &[Home], folders: &[String]) -> Resources {
    let resources = Resources::default();
    for (library, folder, file) in homes {
        let mut moved = folders.iter().map(|place| Path::new(place).join(library));
        match (moved.find(|place| place.join("package.mo").is_file()), file) {
            (Some(place), _) => resources.add(library, place),
            (None, Some(file)) => resources.add_file(library, folder, file),
            (None, None) => resources.add(library, folder),
        }
    }
    resources
}

/// A machine that interprets a model, with the values it was compiled with.
pub fn machine(
    head: &Head,
    causal: CausalModel,
    resources: Resources,
    permissions: Permissions,
) -> Box<dyn Machine> {
    let make = move |causal: CausalModel| {
        let natives = Arc::new(Natives::silent(resources.clone(), permissions.clone()));
        Box::new(Interpreter::new(Arc::new(kairos_program::assemble(causal)), natives))
    };
    let modes = causal.modes.clone();
    let first = make(causal);
    let mut machine: Box<dyn Machine> = match modes {
        None => first,
        Some(modes) => {
            let further: Maker = Arc::new(make);
            Box::new(ModalMachine::new(first, modes, further, head.projection))
        }
    };
    for (slot, value) in &head.writes {
        machine.set(*slot, value.given());
    }
    machine
}

fn refused(why: &str) -> Diagnostic {
    Diagnostic::error("cannot-store", format!("the model cannot be stored: {why}"))
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
