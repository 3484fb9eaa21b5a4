//! `kairos check`: compiles a model and says what is wrong with it.

use super::target::Target;
use crate::shell::{ShellOptions, Status};
use clap::Args;
use kairos::{Disk, Goal};

#[derive(Args)]
pub struct Check {
    #[command(flatten)]
    target: Target,
}

impl Check {
    pub fn execute(&self, shell: &ShellOptions) -> Status {
        let compiled = kairos::compile(&Disk, &self.target.request(), Goal::Machine);
        shell.show(&compiled.diagnostics, &compiled.sources);
        if compiled.has_errors() {
            return Status::ModelFailed;
        }
        if !shell.quiet {
            println!("{}: no mistakes found", compiled.name);
        }
        Status::Success
    }
}
