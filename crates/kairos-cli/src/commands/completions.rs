//! `kairos completions`: prints what makes a shell complete the commands and options.

use crate::shell::{ShellOptions, Status};
use clap::{Args, Command};
use clap_complete::Shell;

#[derive(Args)]
pub struct Completions {
    /// The shell that is to complete.
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

impl Completions {
    pub fn execute(&self, shell: &ShellOptions, mut command: Command) -> Status {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, "kairos", &mut script);
        crate::output::print(&String::from_utf8_lossy(&script), shell)
    }
}
