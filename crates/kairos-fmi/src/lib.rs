//! Models as FMUs: the description, the archive, and the compiled model beside the runtime that all FMUs share.
//!
//! An FMU is a zip file with a description (`modelDescription.xml`), the runtime library for a platform, and resources:
//! the compiled model, and the files it reads. Nothing is compiled for it, so that no C compiler is needed.

mod archive;
mod arrays;
mod clocks;
mod documentation;
mod fmi2;
mod fmi3;
mod structure;
mod units;
mod variables;
mod xml;

pub use kairos_fmi_import as import;

use kairos::{Compilation, Diagnostic};
use structure::Structure;
use variables::Exposed;

/// The version of the standard that an FMU is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// FMI 2.0
    Two,
    /// FMI 3.0
    Three,
}

/// What both descriptions are written from.
struct Description<'a> {
    /// As the user knows the model.
    name: &'a str,
    /// A name for files and C.
    identifier: String,
    token: String,
    experiment: &'a kairos::Experiment,
    variables: Vec<Exposed>,
    structure: Structure,
    indicators: usize,
    /// The number of the machine's variables; further references follow.
    count: usize,
    exchanges: bool,
}

impl Description<'_> {
    /// Is there model exchange?
    fn exchanges(&self) -> bool {
        self.exchanges
    }

    /// The attributes of the default experiment.
    fn default_experiment(&self) -> xml::Attributes {
        let kairos::Experiment { start, stop, interval, tolerance } = self.experiment;
        xml::none()
            .with("startTime", start.unwrap_or(0.0))
            .with("stopTime", stop.unwrap_or(start.unwrap_or(0.0) + 1.0))
            .with("tolerance", tolerance.unwrap_or(1e-6))
            .maybe("stepSize", interval.filter(|interval| *interval > 0.0))
    }
}

/// The runtime of FMUs for one platform.
pub struct Runtime {
    /// The platform as FMI 3.0 names it: `x86_64-linux`.
    pub platform: String,
    /// The shared library.
    pub bytes: Vec<u8>,
}

/// What the documentation shows of a model beside its variables: SVG texts, empty if there are none.
#[derive(Default)]
pub struct Pictures {
    /// The icon.
    pub icon: String,
    /// The diagram.
    pub diagram: String,
}

/// What goes into an FMU beside the model.
pub struct Carried {
    /// The shared libraries of the platforms that it is to run on.
    pub runtimes: Vec<Runtime>,
    /// For its documentation.
    pub pictures: Pictures,
    /// The parameters that can be changed while it runs: those of `Request::tunable`.
    pub tunable: Vec<String>,
}

/// This platform as FMI 3.0 names it.
pub fn platform() -> String {
    archive::platform()
}

/// The FMU of a model that was compiled with `Request::portable` and `Request::open_starts`. Where the structure of the model changes, there is no model exchange in it, and a warning says so.
pub fn export(
    compiled: &Compilation,
    version: Version,
    Carried { runtimes, pictures, tunable }: &Carried,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Vec<u8>, Diagnostic> {
    let files = packed(compiled, warnings);
    let names = files.iter().map(|file| (file.called.clone(), file.name.clone())).collect();
    let model = kairos::store_with(compiled, names)?;
    let causal = kairos::equations(compiled)?;
    let Some(machine) = compiled.machine.as_deref() else {
        return Err(Diagnostic::error("cannot-store", "the model was not compiled to be run"));
    };
    let described = kairos_fmi_runtime::describe(machine.info());
    let refusal = match machine.info() {
        info if causal.modes.is_some() || described.states.len() != info.states.len() => {
            Some("its structure changes while it runs, and model exchange asks for states that stay the same")
        }
        info if info.needs_history => Some("it reads its own past, of which an importer knows nothing"),
        _ => None,
    };
    if let Some(why) = refusal {
        let text = format!("the FMU of `{}` has co-simulation only: {why}", compiled.name);
        warnings.push(Diagnostic::warning("no-model-exchange", text).help("use it in co-simulation"));
    }
    let exchanges = refusal.is_none();
    let clocks = clocks::find(machine, &compiled.clocks);
    let variables = variables::exposed(machine, &described, &causal, exchanges, tunable, &clocks);
    let structure = structure::find(machine, &described, &variables, exchanges);
    let (variables, structure) = match version {
        Version::Two => (variables, structure),
        Version::Three => {
            let states: Vec<(u32, u32)> =
                described.states.iter().map(|(x, dx)| (*x as u32, *dx as u32)).collect();
            let variables = arrays::group(variables, &states);
            let structure = arrays::regroup(structure, &variables);
            (variables, structure)
        }
    };
    let description = Description {
        name: &compiled.name,
        identifier: identifier(&compiled.name),
        token: kairos_fmi_runtime::token(&model),
        experiment: &compiled.experiment,
        variables,
        structure,
        indicators: described.indicators.len(),
        count: machine.info().vars.len(),
        exchanges,
    };
    let xml = match version {
        Version::Two => fmi2::write(&description),
        Version::Three => fmi3::write(&description),
    };
    let page = documentation::page(&description, pictures);
    let (lines, clocks) = (arrays::lines(&description.variables), clocks::lines(&clocks));
    let mut entries: Vec<(String, &[u8])> = vec![("modelDescription.xml".into(), xml.as_bytes())];
    for runtime in runtimes {
        let folder = match version {
            Version::Two => archive::in_version_2(&runtime.platform),
            Version::Three => runtime.platform.clone(),
        };
        let end = archive::library_end(&runtime.platform);
        entries.push((format!("binaries/{folder}/{}{end}", description.identifier), &runtime.bytes));
    }
    entries.push((format!("resources/{}", kairos_fmi_runtime::MODEL), &model));
    entries.push(("documentation/index.html".into(), page.as_bytes()));
    if !lines.is_empty() {
        entries.push((format!("resources/{}", kairos_fmi_runtime::ARRAYS), lines.as_bytes()));
    }
    if !clocks.is_empty() {
        entries.push((format!("resources/{}", kairos_fmi_runtime::CLOCKS), clocks.as_bytes()));
    }
    if !pictures.icon.is_empty() {
        entries.push(("documentation/icon.svg".into(), pictures.icon.as_bytes()));
    }
    if !pictures.diagram.is_empty() {
        entries.push(("documentation/diagram.svg".into(), pictures.diagram.as_bytes()));
    }
    entries.extend(files.iter().map(|file| (format!("resources/{}", file.name), file.bytes.as_slice())));
    archive::write(&entries)
        .map_err(|error| Diagnostic::error("cannot-store", format!("the FMU cannot be made: {error}")))
}

/// A file that travels with the model.
struct Packed {
    /// What the model calls it, and its name in the resources.
    called: String,
    name: String,
    bytes: Vec<u8>,
}

/// The files that the model reads when a run begins. One is begun to see them; whether it comes far is not asked.
fn packed(compiled: &Compilation, warnings: &mut Vec<Diagnostic>) -> Vec<Packed> {
    if let Some(machine) = compiled.machine.as_deref() {
        let mut probe = machine.clone_machine();
        probe.set_time(compiled.experiment.start.unwrap_or(0.0));
        let _ = probe.initialise();
    }
    let mut files = Vec::new();
    for (called, path) in compiled.files().into_iter().filter(|(_, path)| path.is_file()) {
        let plain = |c: char| if c.is_ascii_alphanumeric() || ".-_".contains(c) { c } else { '_' };
        let last = path.file_name().map_or(String::new(), |last| last.to_string_lossy().into_owned());
        let name = format!("files/{}-{}", files.len() + 1, last.chars().map(plain).collect::<String>());
        match std::fs::read(&path) {
            Ok(bytes) => files.push(Packed { called, name, bytes }),
            Err(error) => {
                let text = format!("`{}`, which the model reads, is not packed: {error}", path.display());
                warnings.push(Diagnostic::warning("file-not-packed", text).help("check that it can be read"));
            }
        }
    }
    files
}

/// The last part of a model's name as C writes names.
fn identifier(name: &str) -> String {
    let last = name.rsplit('.').next().unwrap_or(name);
    let mut text: String = last.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if !text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        text.insert_str(0, "model_");
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_for_files_are_names_of_c() {
        for (name, expected) in [("A.B.Ball", "Ball"), ("'1 x'", "model__1_x_"), ("größe", "gr__e")] {
            assert_eq!(super::identifier(name), expected);
        }
    }
}
