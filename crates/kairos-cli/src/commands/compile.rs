//! `kairos compile`: compiles a model into a file that runs without the sources.

use super::target::Target;
use crate::output;
use crate::shell::{ShellOptions, Status};
use clap::Args;
use kairos::{COMPILED_ENDING, Disk, Goal, Request};

#[derive(Args)]
pub struct Compile {
    #[command(flatten)]
    target: Target,

    /// The file to write; by default the model's name with `.kairos`.
    #[arg(long, short, value_name = "FILE.kairos")]
    output: Option<String>,
}

impl Compile {
    pub fn execute(&self, shell: &ShellOptions) -> Status {
        if let Some(path) = self.output.as_ref().filter(|path| !path.ends_with(COMPILED_ENDING)) {
            let text = format!("`{path}` would not be known as a compiled model");
            shell.complain("unknown-format", text, "end the name in .kairos");
            return Status::WrongUsage;
        }
        if !self.target.look(shell) {
            return Status::WrongUsage;
        }
        let request = Request { portable: true, open_starts: true, ..self.target.request() };
        let compiled = kairos::compile(&Disk, &request, Goal::Machine);
        shell.show(&compiled.diagnostics, &compiled.sources);
        if compiled.has_errors() || compiled.machine.is_none() {
            return Status::of(&compiled.diagnostics);
        }
        let bytes = match kairos::store(&compiled) {
            Ok(bytes) => bytes,
            Err(wrong) => {
                shell.show(&[wrong], &compiled.sources);
                return Status::ModelFailed;
            }
        };
        let path = self.output.clone().unwrap_or_else(|| format!("{}{COMPILED_ENDING}", compiled.name));
        match output::write(&path, bytes) {
            Ok(()) => shell.say(&format!("{}: compiled into {path}", compiled.name)),
            Err(unwritten) => output::complain(&unwritten, shell),
        }
    }
}
