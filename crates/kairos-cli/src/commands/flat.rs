//! `kairos flat`: prints the flat equations of a model.

use super::target::Target;
use crate::output;
use crate::shell::{ShellOptions, Status};
use clap::Args;
use kairos::{Disk, Goal};

#[derive(Args)]
pub struct Flat {
    #[command(flatten)]
    target: Target,
}

impl Flat {
    pub fn execute(&self, shell: &ShellOptions) -> Status {
        if !self.target.look(shell) {
            return Status::WrongUsage;
        }
        let compiled = kairos::compile(&Disk, &self.target.request(), Goal::Flat);
        shell.show(&compiled.diagnostics, &compiled.sources);
        let printed = compiled.flat.as_ref().map_or(Status::Success, |text| output::print(text, shell));
        Status::of(&compiled.diagnostics).and(printed)
    }
}
