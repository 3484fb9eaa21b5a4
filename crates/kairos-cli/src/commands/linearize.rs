//! `kairos linearize`: the linear model around a point of a run.

use super::experiment::ExperimentOptions;
use super::plot;
use super::target::Target;
use crate::output;
use crate::shell::{ShellOptions, Status};
use crate::trust::TrustOptions;
use clap::Args;
use kairos::{Disk, Model, Options, Request};
use kairos_analysis::{Linear, LinearRequest, Signal, linearise};
use std::fmt::Write;

#[derive(Args)]
pub struct Linearize {
    #[command(flatten)]
    target: Target,

    #[command(flatten)]
    experiment: ExperimentOptions,

    #[command(flatten)]
    trust: TrustOptions,

    /// The time of the point; by default the start, after initialisation.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    point: Option<f64>,

    /// Inputs or parameters to take as inputs; by default the inputs of the model.
    #[arg(long, value_name = "LIST")]
    inputs: Vec<String>,

    /// Variables to take as outputs; by default the outputs of the model.
    #[arg(long, value_name = "LIST")]
    outputs: Vec<String>,

    /// A file for the linear model instead of a summary.
    #[arg(long, short, value_name = "FILE.json|.mat")]
    output: Option<String>,
}

impl Linearize {
    pub fn execute(&self, shell: &ShellOptions) -> Status {
        if !self.target.look(shell) {
            return Status::WrongUsage;
        }
        let request = Request { access: self.trust.access(), ..self.target.request() };
        let wanted = LinearRequest {
            at: self.point,
            inputs: plot::all_names(&self.inputs),
            outputs: plot::all_names(&self.outputs),
        };
        let options = Options::from(self.experiment.request());
        let found = Model::compile(Disk, request).and_then(|model| {
            shell.show(model.warnings(), model.sources());
            linearise(&model, &wanted, &options)
        });
        let linear = match found {
            Ok(linear) => linear,
            Err(error) => {
                shell.show(error.diagnostics(), error.sources());
                return Status::of(error.diagnostics());
            }
        };
        let written = match self.output.as_deref() {
            None => return output::print(&summary(&linear), shell),
            Some(path) if path.ends_with(".json") => output::write(path, linear.json()),
            Some(path) if path.ends_with(".mat") => output::write(path, linear.mat()),
            Some(path) => {
                let text = format!("`{path}` does not say what format it is to have");
                shell.complain("unknown-format", text, "end the name in .json or .mat");
                return Status::WrongUsage;
            }
        };
        match written {
            Ok(()) => Status::Success,
            Err(unwritten) => output::complain(&unwritten, shell),
        }
    }
}

fn summary(linear: &Linear) -> String {
    let mut out = format!(
        "{}: {} states, {} inputs, {} outputs at time {}{}\n",
        linear.model,
        linear.states.len(),
        linear.inputs.len(),
        linear.outputs.len(),
        linear.time,
        if linear.is_exact { "" } else { ", by differences" }
    );
    for (name, rows, left, above) in [
        ("A", &linear.a, &linear.states, &linear.states),
        ("B", &linear.b, &linear.states, &linear.inputs),
        ("C", &linear.c, &linear.outputs, &linear.states),
        ("D", &linear.d, &linear.outputs, &linear.inputs),
    ] {
        matrix(&mut out, name, rows, left, above);
    }
    if !linear.modes.is_empty() {
        out.push_str("\nmodes\n");
    }
    for mode in linear.modes.iter().filter(|mode| mode.imaginary >= 0.0) {
        let value = match mode.imaginary {
            0.0 => format!("{:.6}", mode.real),
            imaginary => format!("{:.6} ± {imaginary:.6}i", mode.real),
        };
        let _ = write!(out, "  {value}: {:.6} Hz, damping {:.6}", mode.frequency, mode.damping);
        let strongest = mode.participation.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
        match strongest {
            Some((k, share)) => {
                let _ = writeln!(out, ", mostly {} ({:.0} %)", linear.states[k].name, 100.0 * share);
            }
            None => out.push('\n'),
        }
    }
    out
}

/// A small matrix with the names of its rows and columns; of a large one only its size.
fn matrix(out: &mut String, name: &str, rows: &[Vec<f64>], left: &[Signal], above: &[Signal]) {
    if rows.is_empty() || above.is_empty() {
        return;
    }
    if above.len() > 8 || rows.len() > 20 {
        let _ = writeln!(out, "\n{name}: {} rows, {} columns", rows.len(), above.len());
        return;
    }
    let width = left.iter().map(|s| s.name.chars().count()).max().unwrap_or(0).max(name.len());
    let _ = write!(out, "\n{name:width$}");
    above.iter().for_each(|s| {
        let _ = write!(out, " {:>14}", s.name);
    });
    out.push('\n');
    for (row, signal) in rows.iter().zip(left) {
        let _ = write!(out, "{:width$}", signal.name);
        row.iter().for_each(|value| {
            let _ = write!(out, " {:>14}", format!("{value:.6}"));
        });
        out.push('\n');
    }
}
