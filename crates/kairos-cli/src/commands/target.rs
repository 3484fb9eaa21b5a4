//! The model that a command works on: a file or a dotted name, with libraries.

use crate::shell::ShellOptions;
use clap::{Args, ValueEnum};
use kairos::{Diagnostic, Engine, Request, SourceMap};
use std::path::Path;

#[derive(Args)]
pub struct Target {
    /// A Modelica file, `-` for the standard input, the dotted name of a model in a library, a compiled model, an FMU, or a
    /// system of FMUs.
    #[arg(value_name = "FILE.mo|NAME")]
    model: String,

    /// The model in the file; by default the last one.
    #[arg(long = "model", id = "model_name", value_name = "NAME")]
    name_in_file: Option<String>,

    /// A folder that holds libraries, or a library's own folder; searched before MODELICAPATH and installed ones.
    #[arg(long = "lib", value_name = "DIR")]
    libraries: Vec<String>,

    /// The value of a parameter or start value: `name=value`.
    #[arg(long = "set", value_name = "NAME=VALUE", allow_hyphen_values = true, value_parser = setting)]
    settings: Vec<(String, String)>,

    /// A file with values of parameters: .toml or .json, parts as tables inside tables. `--set` goes before it.
    #[arg(long, value_name = "FILE")]
    params: Vec<String>,

    /// Leave a warning out: its code, or a group such as `units`.
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    allow: Vec<String>,

    /// Make an error of a warning: its code, or a group such as `units`, or `warnings` for all.
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    deny: Vec<String>,

    /// What executes the model.
    #[arg(long, value_enum, default_value = "auto")]
    machine: MachineChoice,
}

#[derive(Clone, Copy, ValueEnum)]
enum MachineChoice {
    /// Starts on the interpreter and goes on in native code once that is compiled.
    Auto,
    /// The reference.
    Interpreter,
    /// Native code from the start.
    Jit,
}

impl Target {
    /// Is an FMU meant?
    pub fn is_fmu(&self) -> bool {
        self.model.ends_with(kairos::FMU_ENDING) || self.model.ends_with(kairos::SYSTEM_ENDING)
    }

    /// Says what of the options leads nowhere; false if nothing can be done with them.
    pub fn look(&self, shell: &ShellOptions) -> bool {
        if let Err((text, help)) = self.params() {
            shell.complain("wrong-setting", text, &help);
            return false;
        }
        let missing = self.libraries.iter().filter(|folder| !Path::new(folder).exists());
        let remark = |folder: &String| {
            let text = format!("the folder `{folder}` of `--lib` is not there");
            Diagnostic::warning("option-without-effect", text).help("check the path")
        };
        let remarks: Vec<Diagnostic> = missing.map(remark).collect();
        shell.show(&remarks, &SourceMap::default());
        true
    }

    /// The settings of files, then those of the command line, which replace them.
    fn params(&self) -> Result<Vec<(String, String)>, (String, String)> {
        let mut settings = Vec::new();
        for file in &self.params {
            settings.extend(super::params::read(file)?);
        }
        settings.retain(|(name, _)| !self.settings.iter().any(|(given, _)| given == name));
        settings.extend(self.settings.iter().cloned());
        Ok(settings)
    }

    pub fn request(&self) -> Request {
        // A folder that is a package is meant as a whole.
        let folder = self.model.trim_end_matches('/');
        let package = format!("{folder}/package.mo");
        let is_folder = self.model.contains(['/', '\\']) && Path::new(&package).is_file();
        let is_file = self.model == kairos::STANDARD_INPUT
            || [".mo", kairos::COMPILED_ENDING, kairos::FMU_ENDING, kairos::SYSTEM_ENDING]
                .iter()
                .any(|end| self.model.ends_with(end))
            || is_folder;
        Request {
            file: is_file.then(|| if is_folder { package } else { self.model.clone() }),
            model: if is_file { self.name_in_file.clone() } else { Some(self.model.clone()) },
            libraries: crate::store::search_path(&self.libraries),
            settings: self.params().unwrap_or_default(),
            engine: match self.machine {
                MachineChoice::Auto => Engine::Auto,
                MachineChoice::Interpreter => Engine::Interpreter,
                MachineChoice::Jit => Engine::Jit,
            },
            threads: None,
            shelf: crate::store::shelf(),
            projection: false,
            verify: false,
            balance: Vec::new(),
            access: kairos::Access::Look,
            portable: false,
            open_starts: false,
            tunable: Vec::new(),
            ticking: kairos::Ticking::default(),
            kind: None,
            allow: self.allow.clone(),
            deny: self.deny.clone(),
        }
    }
}

fn setting(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().into(), value.trim().into())),
        _ => Err("expected `name=value`".into()),
    }
}
