//! `kairos recompute`: variables that a run left out, from its stored states.

use super::plot;
use crate::reading;
use crate::shell::{ShellOptions, Status};
use crate::trust::TrustOptions;
use clap::Args;
use kairos::{Disk, Format, ResultFile, Streams};
use std::fs::File;
use std::io::{BufReader, BufWriter};

#[derive(Args)]
pub struct Recompute {
    /// A result that was written with `--vars`.
    #[arg(value_name = "RESULT")]
    result: String,

    #[command(flatten)]
    trust: TrustOptions,

    /// Variables to compute, with `*` and `?`.
    #[arg(long, value_name = "PATTERN", required = true)]
    vars: Vec<String>,

    /// A file for these variables alone; without it they are added to the result.
    #[arg(long, short, value_name = "FILE")]
    output: Option<String>,
}

/// Where the states of a run are kept.
pub fn states_of(result: &str) -> String {
    format!("{result}.states")
}

impl Recompute {
    pub fn execute(&self, shell: &ShellOptions) -> Status {
        let states = states_of(&self.result);
        let input = match File::open(&states) {
            Ok(file) => BufReader::new(file),
            Err(error) => {
                shell.complain(
                    "no-states",
                    format!("`{states}` cannot be read: {error}"),
                    "a run with `--vars` writes it beside its result; without `--vars` every variable is in the result",
                );
                return Status::WrongUsage;
            }
        };
        let target = self.output.as_ref().unwrap_or(&self.result);
        let Some(format) = Format::of(target) else {
            let text = format!("`{target}` does not say what format it is to have");
            shell.complain("unknown-format", text, "end the name in .csv, .mat or .parquet");
            return Status::WrongUsage;
        };
        let mut patterns = plot::all_names(&self.vars);
        if self.output.is_none() {
            let Some(known) = reading::read(&self.result, shell) else { return Status::WrongUsage };
            patterns.extend(known.signals.into_iter().map(|signal| signal.name));
        }
        // Whatever happens on the way, the result stays as it is or is replaced as a whole.
        let part = format!("{target}.part");
        let unwritten = |error: std::io::Error| crate::output::complain(&(target.clone(), error), shell);
        let file = match File::create(&part) {
            Ok(file) => BufWriter::with_capacity(1 << 16, file),
            Err(error) => return unwritten(error),
        };
        let mut table = ResultFile::new(format, file);
        let mut streams = Streams { table: Some(&mut table), patterns, ..Streams::default() };
        let done = kairos::recompute(&Disk, input, &mut streams, self.trust.access());
        shell.show(&done.diagnostics, &done.sources);
        let finished = table.finish();
        if done.diagnostics.iter().any(kairos::Diagnostic::is_error) {
            let _ = std::fs::remove_file(&part);
            return Status::of(&done.diagnostics);
        }
        if let Err(error) = finished.and_then(|()| std::fs::rename(&part, target)) {
            return unwritten(error);
        }
        shell.say(&format!("{target}: {} rows", done.rows))
    }
}
