//! `kairos flat`: prints the flat equations of a model.

use super::target::Target;
use crate::shell::{ShellOptions, Status};
use clap::Args;
use kairos::{Disk, Goal};
use std::io::Write;

#[derive(Args)]
pub struct Flat {
    #[command(flatten)]
    target: Target,
}

impl Flat {
    pub fn execute(&self, shell: &ShellOptions) -> Status {
        self.target.look(shell);
        let compiled = kairos::compile(&Disk, &self.target.request(), Goal::Flat);
        shell.show(&compiled.diagnostics, &compiled.sources);
        if let Some(text) = &compiled.flat {
            let _ = std::io::stdout().write_all(text.as_bytes());
        }
        Status::of(&compiled.diagnostics)
    }
}
