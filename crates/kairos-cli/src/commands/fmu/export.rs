//! `kairos fmu export`: models as FMUs.

use crate::commands::target::Target;
use crate::output;
use crate::shell::{ShellOptions, Status};
use clap::{Args, ValueEnum};
use kairos::{Disk, Goal, Request};
use kairos_fmi::Version;

/// The runtime of FMUs for this platform; empty where the program was only checked, not built.
const RUNTIME: &[u8] = include_bytes!(env!("KAIROS_FMI_RUNTIME"));

#[derive(Args)]
pub struct Export {
    #[command(flatten)]
    target: Target,

    /// The version of the standard.
    #[arg(long, value_enum, default_value = "2")]
    fmi: Standard,

    /// The file to write; by default the last part of the model's name with `.fmu`.
    #[arg(long, short, value_name = "FILE.fmu")]
    output: Option<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Standard {
    /// FMI 2.0
    #[value(name = "2")]
    Two,
    /// FMI 3.0
    #[value(name = "3")]
    Three,
}

impl Export {
    pub fn execute(&self, shell: &ShellOptions) -> Status {
        if !self.target.look(shell) {
            return Status::WrongUsage;
        }
        let request = Request {
            access: kairos::Access::Pack,
            portable: true,
            open_starts: true,
            ..self.target.request()
        };
        let compiled = kairos::compile(&Disk, &request, Goal::Machine);
        shell.show(&compiled.diagnostics, &compiled.sources);
        if compiled.has_errors() || compiled.machine.is_none() {
            return Status::of(&compiled.diagnostics);
        }
        let version = match self.fmi {
            Standard::Two => Version::Two,
            Standard::Three => Version::Three,
        };
        let mut remarks = Vec::new();
        let exported = kairos_fmi::export(&compiled, version, RUNTIME, &mut remarks);
        shell.show(&remarks, &compiled.sources);
        let bytes = match exported {
            Ok(bytes) => bytes,
            Err(wrong) => {
                shell.show(&[wrong], &compiled.sources);
                return Status::ModelFailed;
            }
        };
        let last = compiled.name.rsplit('.').next().unwrap_or(&compiled.name);
        let path = self.output.clone().unwrap_or_else(|| format!("{last}.fmu"));
        match output::write(&path, bytes) {
            Ok(()) => shell.say(&format!("{}: exported to {path}", compiled.name)),
            Err(unwritten) => output::complain(&unwritten, shell),
        }
    }
}
