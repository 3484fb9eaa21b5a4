//! `kairos explain`: says how a model is solved.

use super::target::Target;
use crate::shell::{ShellOptions, Status};
use clap::Args;
use kairos::{Disk, Goal};
use std::io::Write;

#[derive(Args)]
pub struct Explain {
    #[command(flatten)]
    target: Target,
}

impl Explain {
    pub fn execute(&self, shell: &ShellOptions) -> Status {
        let compiled = kairos::compile(&Disk, &self.target.request(), Goal::Causal);
        shell.show(&compiled.diagnostics, &compiled.sources);
        if let Some(text) = &compiled.explanation {
            let _ = std::io::stdout().write_all(text.as_bytes());
        }
        if compiled.has_errors() { Status::ModelFailed } else { Status::Success }
    }
}
