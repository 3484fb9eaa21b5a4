//! `kairos fmu import`: FMUs as components of models.

use crate::output;
use crate::shell::{ShellOptions, Status};
use clap::{Args, ValueEnum};
use kairos::{Diagnostic, SourceMap};
use kairos_fmi::import::{self, Archive, Kind};
use std::path::Path;

#[derive(Args)]
pub struct Import {
    /// The FMU.
    #[arg(value_name = "FILE.fmu")]
    file: String,

    /// What the FMU is used as; by default model exchange if it has that.
    #[arg(long, value_enum, value_name = "me|cs")]
    kind: Option<KindChoice>,

    /// The name of the component; by default that of the file.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// The file to write; by default the name with `.mo`, beside the FMU.
    #[arg(long, short, value_name = "FILE.mo")]
    output: Option<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum KindChoice {
    /// Model exchange: its states are integrated with those of the model.
    Me,
    /// Co-simulation: it integrates itself from one communication point to the next.
    Cs,
}

impl Import {
    pub fn execute(&self, shell: &ShellOptions) -> Status {
        match self.text() {
            Ok((name, path, text)) => match output::write(&path, text.into_bytes()) {
                Ok(()) => shell.say(&format!("{name}: the component is in {path}")),
                Err(unwritten) => output::complain(&unwritten, shell),
            },
            Err(wrong) => {
                shell.show(&[wrong], &SourceMap::default());
                Status::ModelFailed
            }
        }
    }

    /// The name of the component, its file and its text.
    fn text(&self) -> Result<(String, String, String), Diagnostic> {
        let archive = Archive::open(&self.file)?;
        let d = &archive.description;
        let wanted = match self.kind {
            Some(KindChoice::Me) => Kind::ModelExchange,
            Some(KindChoice::Cs) => Kind::CoSimulation,
            None if d.exchange.is_some() => Kind::ModelExchange,
            None => Kind::CoSimulation,
        };
        if d.offer(wanted).is_none() {
            let text = format!("`{}` has no {}", self.file, wanted.name());
            let help = "give the other `--kind`; `kairos fmu info` shows what there is";
            return Err(Diagnostic::error("fmu-kind-missing", text).help(help));
        }
        let path = Path::new(&self.file);
        let stem = path.file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned());
        let plain: String = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let plain =
            if plain.starts_with(|c: char| c.is_ascii_digit()) { format!("FMU_{plain}") } else { plain };
        let name = self.name.clone().unwrap_or(plain);
        let beside = path.with_file_name(format!("{name}.mo")).to_string_lossy().into_owned();
        let output = self.output.clone().unwrap_or(beside);
        // Beside the component the FMU is found wherever both are; elsewhere it goes by its full name.
        let folder = |path: &Path| path.parent().map(Path::to_path_buf).unwrap_or_default();
        let file = match folder(path) == folder(Path::new(&output)) {
            true => format!("modelica://{name}/{}", path.file_name().unwrap_or_default().to_string_lossy()),
            false => path.canonicalize().unwrap_or(path.to_path_buf()).to_string_lossy().into_owned(),
        };
        let text = import::component(d, wanted, &name, &file).map_err(|why| {
            let text = format!("the description of `{}` cannot be used: {why}", self.file);
            Diagnostic::error("bad-fmu-description", text)
                .help("export the FMU again, or tell those who made it")
        })?;
        Ok((name, output, text))
    }
}
