//! `kairos linearize`: the linear model around a point of a run.

use super::experiment::ExperimentOptions;
use super::plot;
use super::target::Target;
use crate::output;
use crate::shell::{ShellOptions, Status};
use crate::trust::TrustOptions;
use clap::Args;
use kairos::{Disk, Model, Options, Request};
use kairos_analysis::{Complex, Linear, LinearRequest, Signal, Transfer, linearise};
use std::fmt::Write;

#[derive(Args)]
pub struct Linearize {
    #[command(flatten)]
    target: Target,

    #[command(flatten)]
    experiment: ExperimentOptions,

    #[command(flatten)]
    trust: TrustOptions,

    /// The time of the point, as `--at` says it, too; by default the start, after initialisation.
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

    /// Draw magnitude and phase from every input to every output over the frequency.
    #[arg(long, value_name = "FILE.svg|.png|.pdf|.html")]
    bode: Option<String>,

    /// The frequencies of the Bode diagram in Hz; by default around all poles and zeros.
    #[arg(long, value_name = "FROM:TO", value_parser = range)]
    frequencies: Option<(f64, f64)>,

    /// Draw poles and zeros in the complex plane.
    #[arg(long, value_name = "FILE.svg|.png|.pdf")]
    poles: Option<String>,
}

/// Two positive numbers, the smaller one first.
fn range(text: &str) -> Result<(f64, f64), String> {
    let parts: Vec<Option<f64>> = text.split(':').map(|part| part.trim().parse().ok()).collect();
    match *parts.as_slice() {
        [Some(low), Some(high)] if 0.0 < low && low < high && high.is_finite() => Ok((low, high)),
        _ => Err("write two frequencies in Hz, such as 0.1:1000".into()),
    }
}

impl Linearize {
    pub fn execute(&self, shell: &ShellOptions) -> Status {
        if !self.target.look(shell) {
            return Status::WrongUsage;
        }
        let request = Request { access: self.trust.access(), ..self.target.request() };
        let experiment = self.experiment.request();
        let wanted = LinearRequest {
            at: self.point.or(experiment.at.last().copied()),
            inputs: plot::all_names(&self.inputs),
            outputs: plot::all_names(&self.outputs),
        };
        let options = Options::from(experiment);
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
        if self.bode.is_some() && (linear.inputs.is_empty() || linear.outputs.is_empty()) {
            let text = "a Bode diagram goes from inputs to outputs, and there are none".to_string();
            shell.complain("wrong-input", text, "name some with `--inputs` and `--outputs`");
            return Status::WrongUsage;
        }
        let drawings = [
            self.bode.as_deref().map(|path| (path, linear.bode(self.frequencies))),
            self.poles.as_deref().map(|path| (path, linear.pole_diagram())),
        ];
        for (path, drawing) in drawings.into_iter().flatten() {
            let drawn = plot::show(&drawing, Some(path), false, shell);
            if drawn != Status::Success {
                return drawn;
            }
        }
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
    // Of many pairs the file has the list.
    let transfers = linear.transfers();
    if !transfers.is_empty() && transfers.len() <= 8 && linear.states.len() <= 20 {
        out.push_str("\ntransfer functions\n");
        transfers.iter().for_each(|transfer| describe(&mut out, linear, transfer));
    }
    out
}

/// One transfer function by its gain, its zeros and its poles.
fn describe(out: &mut String, linear: &Linear, transfer: &Transfer) {
    let roots = |roots: &[Complex]| -> String {
        let one = |root: &Complex| match (root.re, root.im) {
            // Half of a pair stands for both.
            (_, imaginary) if imaginary < 0.0 => None,
            (real, 0.0) => Some(short(real)),
            (real, imaginary) => Some(format!("{} ± {}i", short(real), short(imaginary))),
        };
        let list: Vec<String> = roots.iter().filter_map(one).collect();
        if list.is_empty() { "none".into() } else { list.join(", ") }
    };
    let steady = transfer.steady_gain();
    let steady = if steady.is_finite() { short(steady) } else { "infinite".into() };
    let _ = writeln!(
        out,
        "  {}: gain {} ({steady} for slow changes), zeros {}, poles {}",
        linear.pair(transfer.input, transfer.output),
        short(transfer.gain),
        roots(&transfer.zeros),
        roots(&transfer.poles)
    );
}

/// Six digits; what is only round-off beside one is zero.
fn short(value: f64) -> String {
    match value {
        value if value.abs() < 1e-9 => "0".into(),
        value if (1e-3..1e6).contains(&value.abs()) => {
            let text = format!("{value:.6}");
            text.trim_end_matches('0').trim_end_matches('.').to_string()
        }
        value => format!("{value:.5e}"),
    }
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
            let _ = write!(out, " {:>14}", format!("{:.6}", if *value == 0.0 { 0.0 } else { *value }));
        });
        out.push('\n');
    }
}
