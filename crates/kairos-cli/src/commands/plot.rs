//! `kairos plot`: draws variables of a result.

use crate::shell::{ShellOptions, Status};
use clap::Args;

#[derive(Args)]
pub struct Plot {
    /// The result file.
    result: String,
    /// Variables to draw.
    vars: Vec<String>,
}

impl Plot {
    pub fn execute(&self, shell: &ShellOptions) -> Status {
        let text = format!("this build cannot draw {} variables of {} yet", self.vars.len(), self.result);
        shell.complain("not-built", text, "");
        Status::WrongUsage
    }
}
