//! `kairos explain`: says how a model is solved.

use super::target::Target;
use crate::shell::{ShellOptions, Status};
use clap::{Args, ValueEnum};
use kairos::{Disk, Goal};
use std::io::Write;

#[derive(Args)]
pub struct Explain {
    #[command(flatten)]
    target: Target,
    /// How the explanation is written
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// One JSON object
    Json,
}

impl Explain {
    pub fn execute(&self, shell: &ShellOptions) -> Status {
        self.target.look(shell);
        let compiled = kairos::compile(&Disk, &self.target.request(), Goal::Causal);
        shell.show(&compiled.diagnostics, &compiled.sources);
        let text = match self.format {
            Format::Text => &compiled.explanation,
            Format::Json => &compiled.explanation_json,
        };
        if let Some(text) = text {
            let _ = std::io::stdout().write_all(text.as_bytes());
        }
        Status::of(&compiled.diagnostics)
    }
}
