//! `kairos explain`: says how a model is solved.

use super::target::Target;
use crate::output;
use crate::shell::{ShellOptions, Status};
use clap::{Args, ValueEnum};
use kairos::{Disk, Goal};

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
        let printed = text.as_ref().map_or(Status::Success, |text| output::print(text, shell));
        Status::of(&compiled.diagnostics).and(printed)
    }
}
