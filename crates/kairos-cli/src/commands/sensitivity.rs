//! `kairos sensitivity`: how the course of variables changes with parameters and start values.

use super::experiment::ExperimentOptions;
use super::inputs::InputOptions;
use super::plot;
use super::target::Target;
use crate::output::{self, Output};
use crate::shell::{ShellOptions, Status};
use crate::trust::TrustOptions;
use clap::Args;
use kairos::results::{Column, Kind};
use kairos::{Disk, Format, Model, Options, Request, ResultFile, Table};
use kairos_analysis::{Sensitivities, SensitivityRequest, sensitivities};
use std::fmt::Write;

#[derive(Args)]
pub struct Sensitivity {
    #[command(flatten)]
    target: Target,

    #[command(flatten)]
    experiment: ExperimentOptions,

    #[command(flatten)]
    inputs: InputOptions,

    #[command(flatten)]
    trust: TrustOptions,

    /// Parameters to differentiate by, or states for their start values.
    #[arg(long, value_name = "LIST", required = true)]
    by: Vec<String>,

    /// Variables to differentiate; by default the outputs of the model, or its states.
    #[arg(long, value_name = "LIST")]
    of: Vec<String>,

    /// A file for the courses instead of a summary of the end.
    #[arg(long, short, value_name = "FILE.csv|.mat|.parquet")]
    output: Option<String>,
}

/// Output points without a word of the user.
const INTERVALS: usize = 100;

impl Sensitivity {
    pub fn execute(&self, shell: &ShellOptions) -> Status {
        if !self.target.look(shell) {
            return Status::WrongUsage;
        }
        let request = Request { access: self.trust.access(), open_starts: true, ..self.target.request() };
        let Some(inputs) = self.inputs.read(shell) else { return Status::WrongUsage };
        let run = kairos::RunRequest { inputs, ..self.experiment.request() };
        let wanted = SensitivityRequest {
            of: plot::all_names(&self.of),
            by: plot::all_names(&self.by),
            intervals: run.intervals.map_or(INTERVALS, |count| count as usize),
            at: Vec::new(),
        };
        let options = Options::from(run);
        let found = Model::compile(Disk, request).and_then(|model| {
            shell.show(model.warnings(), model.sources());
            let found = sensitivities(&model, &wanted, &options)?;
            let units: Vec<String> = found
                .of
                .iter()
                .map(|name| model.variable(name).map_or(String::new(), |var| var.unit.clone()))
                .collect();
            Ok((model.name().to_string(), found, units))
        });
        let (name, found, units) = match found {
            Ok(found) => found,
            Err(error) => {
                shell.show(error.diagnostics(), error.sources());
                return Status::of(error.diagnostics());
            }
        };
        match &self.output {
            None => output::print(&summary(&name, &found), shell),
            Some(path) => match Format::of(path) {
                None => {
                    let text = format!("`{path}` does not say what format it is to have");
                    shell.complain("unknown-format", text, "end the name in .csv, .mat or .parquet");
                    Status::WrongUsage
                }
                Some(format) => match write(path, format, &found, &units) {
                    Ok(()) => Status::Success,
                    Err(unwritten) => output::complain(&unwritten, shell),
                },
            },
        }
    }
}

fn summary(name: &str, found: &Sensitivities) -> String {
    let end = found.time.len().saturating_sub(1);
    let mut out = format!("{name}: at time {}", found.time.last().copied().unwrap_or_default());
    match &found.differences {
        None => out.push('\n'),
        Some(why) => {
            let _ = writeln!(out, ", by differences of runs: {why}");
        }
    }
    let width = found.of.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let _ = write!(out, "{:width$} {:>16}", "", "value");
    for by in &found.by {
        let _ = write!(out, " {:>16}", format!("by {by}"));
    }
    out.push('\n');
    for (i, of) in found.of.iter().enumerate() {
        let _ = write!(out, "{of:width$} {:>16}", format!("{:.9e}", found.values[i][end]));
        for slopes in &found.slopes[i] {
            let _ = write!(out, " {:>16}", format!("{:.9e}", slopes[end]));
        }
        out.push('\n');
    }
    out
}

fn write(
    path: &str,
    format: Format,
    found: &Sensitivities,
    units: &[String],
) -> Result<(), output::Unwritten> {
    let failed = |text: String| (path.to_string(), std::io::Error::other(text));
    let (place, file) = Output::create(path)?;
    let mut table = ResultFile::new(format, file);
    let mut columns = Vec::new();
    for (of, unit) in found.of.iter().zip(units) {
        columns.push(Column { unit: unit.clone(), ..Column::varying(of, Kind::Real) });
    }
    for of in &found.of {
        for by in &found.by {
            columns.push(Column::varying(format!("d({of})/d({by})"), Kind::Real));
        }
    }
    table.begin(&columns).map_err(failed)?;
    for (k, time) in found.time.iter().enumerate() {
        let values = found.values.iter().map(|course| course[k]);
        let slopes = found.slopes.iter().flatten().map(|course| course[k]);
        let row: Vec<f64> = values.chain(slopes).collect();
        table.row(*time, &row, &[]).map_err(failed)?;
    }
    table.finish().map_err(|error| (path.to_string(), error))?;
    place.settle()
}
