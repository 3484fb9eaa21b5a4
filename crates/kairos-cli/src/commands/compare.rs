//! `kairos compare`: compares a result with a reference.

use crate::shell::{ShellOptions, Status};
use clap::Args;

#[derive(Args)]
pub struct Compare {
    /// The reference.
    reference: String,
    /// The result.
    result: String,
}

impl Compare {
    pub fn execute(&self, shell: &ShellOptions) -> Status {
        let text = format!("this build cannot compare {} with {} yet", self.result, self.reference);
        shell.complain("not-built", text, "");
        Status::WrongUsage
    }
}
