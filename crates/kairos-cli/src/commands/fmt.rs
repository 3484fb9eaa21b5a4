//! `kairos fmt`: formats Modelica files.

use crate::shell::{ShellOptions, Status};
use clap::Args;

#[derive(Args)]
pub struct Fmt {
    /// Files to format.
    #[arg(required = true, value_name = "FILE.mo")]
    files: Vec<String>,

    /// Change nothing; say which files are not formatted.
    #[arg(long)]
    check: bool,
}

impl Fmt {
    pub fn execute(&self, shell: &ShellOptions) -> Status {
        let what = if self.check { "check" } else { "format" };
        shell.complain("not-built", format!("this build cannot {what} {} files yet", self.files.len()), "");
        Status::WrongUsage
    }
}
