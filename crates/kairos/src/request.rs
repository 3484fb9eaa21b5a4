//! What to compile, and how far.

use kairos_base::{Diagnostic, FileId, Severity};
use kairos_expr::Trust;
use std::path::PathBuf;

/// What executes the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Engine {
    /// The interpreter at first, native code as soon as it is there.
    #[default]
    Auto,
    /// The reference.
    Interpreter,
    /// Native code from the start.
    Jit,
    /// The interpreter at first, native code as soon as `Motion::quicken` made it: for many runs at once.
    Shared,
    /// The reference, which compares every evaluation of a part with one of the whole model: for tests.
    Verified,
}

/// What a model is wanted for, which decides what its functions may do.
#[derive(Clone, Debug, Default)]
pub enum Access {
    /// To be looked at: nothing happens but reading below the folders of the model and its libraries.
    #[default]
    Look,
    /// To be taken elsewhere, with the files that it reads below those folders and the working folder.
    Pack,
    /// To be run: it may also read and write below the working folder, and all the rest where it is trusted.
    Run(Trust),
}

/// What an FMU is used as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FmuKind {
    /// It is integrated here.
    ModelExchange,
    /// It integrates itself.
    CoSimulation,
}

/// A model and where it comes from.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// A file whose classes are known at the top, one with a compiled model, or an FMU.
    pub file: Option<String>,
    /// The dotted name of the model; by default the last model of the file.
    pub model: Option<String>,
    /// Folders that hold libraries.
    pub libraries: Vec<String>,
    /// Values for parameters and start values, as text.
    pub settings: Vec<(String, String)>,
    pub engine: Engine,
    /// How many threads make native code; by default one for each core.
    pub threads: Option<usize>,
    /// A folder that keeps native code for later runs.
    pub shelf: Option<PathBuf>,
    /// What the functions of the model may do to the machine.
    pub access: Access,
    /// Start values that contradict each other are reconciled by conservation.
    pub projection: bool,
    /// A run checks at its events whether all equations hold.
    pub verify: bool,
    /// Components or connectors whose energy is a variable of the run, `balance(NAME)`.
    pub balance: Vec<String>,
    /// The model is kept so that `store` can make bytes of it.
    pub portable: bool,
    /// Fixed start values become parameters, `x.start` of `x`, that can be set without compiling anew.
    pub open_starts: bool,
    /// Parameters that become inputs, so that they can be changed while a run goes on.
    pub tunable: Vec<String>,
    /// Clocks of the model that importers of an FMU are told of, or activate.
    pub ticking: crate::Ticking,
    /// What an FMU is used as; by default model exchange if it has that.
    pub kind: Option<FmuKind>,
    /// Warnings that are not wanted: codes, or names of groups.
    pub allow: Vec<String>,
    /// Warnings that count as errors.
    pub deny: Vec<String>,
}

/// Groups of warnings, by which they are allowed and denied together.
const GROUPS: [(&str, &[&str]); 2] = [
    ("units", &["unit-mismatch", "unknown-unit"]),
    ("habits", &["missing-each", "shadowed-name", "unused-element", "unassigned-output", "unknown-setting"]),
];

impl Request {
    /// What is looked for.
    pub(crate) fn checks(&self) -> kairos_flat::Checks {
        let off = |code: &str| named(&self.allow, code);
        kairos_flat::Checks { units: !(off("unit-mismatch") && off("unknown-unit")) }
    }

    /// Leaves out habits of libraries: only the user's own file is looked at for these.
    pub(crate) fn spare_libraries(&self, own: Option<FileId>, diagnostics: &mut Vec<Diagnostic>) {
        let habits = ["habits".to_string()];
        diagnostics.retain(|d| {
            d.is_error()
                || !named(&habits, d.code)
                || d.labels.first().is_some_and(|l| Some(l.span.file) == own)
        });
    }

    /// Leaves out what is allowed and makes errors of what is denied.
    pub fn judge(&self, diagnostics: &mut Vec<Diagnostic>) {
        diagnostics.retain(|d| d.is_error() || !named(&self.allow, d.code));
        for d in diagnostics.iter_mut().filter(|d| named(&self.deny, d.code)) {
            d.severity = Severity::Error;
        }
    }
}

/// Is a code in the list, by itself or by its group?
fn named(list: &[String], code: &str) -> bool {
    let in_group = |name: &str| GROUPS.iter().any(|(group, codes)| *group == name && codes.contains(&code));
    list.iter().any(|name| name == code || name == "warnings" || in_group(name))
}

/// How far compilation goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Goal {
    /// The flat equations.
    Flat,
    /// The sorted equations.
    Causal,
    /// What runs, and nothing evaluated: a check of a model whose parameters take long to compute ends soon.
    Program,
    /// Something that runs.
    Machine,
}
