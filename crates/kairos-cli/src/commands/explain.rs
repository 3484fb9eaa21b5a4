//! `kairos explain`: says how a model is solved.

use super::target::Target;
use crate::output;
use crate::shell::{ShellOptions, Status};
use clap::{Args, ValueEnum};
use kairos::{Compilation, Disk, Goal};

#[derive(Args)]
pub struct Explain {
    #[command(flatten)]
    target: Target,
    /// How the explanation is written
    #[arg(long, value_enum, default_value = "text")]
    format: Format,

    /// Explain only these variables: which equation gives each its value, what that reads, and who reads it
    #[arg(long, value_name = "NAME", value_delimiter = ',', conflicts_with = "format")]
    var: Vec<String>,
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
        if !self.target.look(shell) {
            return Status::WrongUsage;
        }
        let compiled = kairos::compile(&Disk, &self.target.request(), Goal::Causal);
        shell.show(&compiled.diagnostics, &compiled.sources);
        if !self.var.is_empty() && !compiled.has_errors() {
            return self.variables(&compiled, shell);
        }
        let text = match self.format {
            Format::Text => &compiled.explanation,
            Format::Json => &compiled.explanation_json,
        };
        let printed = text.as_ref().map_or(Status::Success, |text| output::print(text, shell));
        Status::of(&compiled.diagnostics).and(printed)
    }

    fn variables(&self, compiled: &Compilation, shell: &ShellOptions) -> Status {
        for name in &self.var {
            match compiled.explain_variable(name) {
                Ok(text) => match output::print(&text, shell) {
                    Status::Success => {}
                    failed => return failed,
                },
                Err(wrong) => {
                    shell.show(&[wrong], &compiled.sources);
                    return Status::WrongUsage;
                }
            }
        }
        Status::Success
    }
}
