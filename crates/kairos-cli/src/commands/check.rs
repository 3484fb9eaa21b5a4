//! `kairos check`: compiles a model, or every model of a package, and says what is wrong.

use super::target::Target;
use crate::shell::{ShellOptions, Status};
use clap::Args;
use kairos::{Disk, Entry, Goal, Request};

#[derive(Args)]
pub struct Check {
    #[command(flatten)]
    target: Target,
}

impl Check {
    pub fn execute(&self, shell: &ShellOptions) -> Status {
        let request = self.target.request();
        if !self.target.look(shell) {
            return Status::WrongUsage;
        }
        if let Some(entries) = kairos::survey(&Disk, &request) {
            return check_all(&request, &entries, shell);
        }
        // Whether a setting fits is known to the machine.
        let goal = if request.settings.is_empty() { Goal::Program } else { Goal::Machine };
        let compiled = kairos::compile(&Disk, &request, goal);
        shell.show(&compiled.diagnostics, &compiled.sources);
        if compiled.has_errors() {
            return Status::of(&compiled.diagnostics);
        }
        let found = match compiled.diagnostics.len() {
            0 => "no mistakes found".to_string(),
            1 => "no errors, 1 warning".to_string(),
            several => format!("no errors, {several} warnings"),
        };
        shell.say(&format!("{}: {found}", compiled.name))
    }
}

fn check_all(request: &Request, entries: &[Entry], shell: &ShellOptions) -> Status {
    let (mut wrong, mut remarks) = (0, 0);
    kairos::check_each(&Disk, request, entries, |_, compiled| {
        shell.show(&compiled.diagnostics, &compiled.sources);
        wrong += usize::from(compiled.has_errors());
        remarks += usize::from(!compiled.diagnostics.is_empty() && !compiled.has_errors());
    });
    let said =
        shell.say(&format!("{} models checked: {wrong} wrong, {remarks} with warnings", entries.len()));
    if wrong == 0 { said } else { Status::ModelFailed }
}
