//! `kairos compare`: compares a result with a reference, signal by signal, in tubes around the reference.

use crate::reading::read;
use crate::shell::{ShellOptions, Status};
use clap::Args;
use kairos::results::compare;
use std::io::Write;

#[derive(Args)]
pub struct Compare {
    /// The reference, .csv or .mat.
    reference: String,
    /// The result, .csv or .mat.
    result: String,
    /// Signals to compare; all of the reference by default.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    vars: Vec<String>,
    /// A file with one signal to compare a line.
    #[arg(long, value_name = "FILE", conflicts_with = "vars")]
    signals: Option<String>,
}

impl Compare {
    pub fn execute(&self, shell: &ShellOptions) -> Status {
        let (Some(reference), Some(result)) = (read(&self.reference, shell), read(&self.result, shell))
        else {
            return Status::WrongUsage;
        };
        let listed = match self.signals.as_ref().map(std::fs::read_to_string) {
            Some(Ok(text)) => text.lines().map(str::to_string).filter(|name| !name.is_empty()).collect(),
            Some(Err(error)) => {
                shell.complain(
                    "cannot-read",
                    format!("the list of signals cannot be read: {error}"),
                    "check the path",
                );
                return Status::WrongUsage;
            }
            None => self.vars.clone(),
        };
        let signals: Vec<String> = match listed.is_empty() {
            true => reference.signals.iter().map(|s| s.name.clone()).filter(|name| name != "time").collect(),
            false => listed,
        };
        let verdicts = compare(&reference, &result, &signals);
        let width = signals.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let mut text = String::new();
        for (name, verdict) in signals.iter().zip(&verdicts).filter(|(_, v)| !shell.quiet || !v.passed()) {
            text.push_str(&format!("{name:width$}  {verdict}\n"));
        }
        let failed = verdicts.iter().filter(|verdict| !verdict.passed()).count();
        text.push_str(&format!("{} of {} signals agree\n", verdicts.len() - failed, verdicts.len()));
        let _ = std::io::stdout().write_all(text.as_bytes());
        if failed == 0 { Status::Success } else { Status::ModelFailed }
    }
}
