//! `kairos fit`: finds values of parameters with which a model comes closest to measurements.

use super::experiment::ExperimentOptions;
use super::plot;
use super::target::Target;
use crate::output;
use crate::reading::read;
use crate::shell::{ShellOptions, Status};
use crate::trust::TrustOptions;
use clap::Args;
use kairos::{Disk, Model, Options, Request};
use kairos_analysis::{Fit as Found, FitExperiment, FitRequest, Free, fit};
use kairos_plot::{Drawing, Pane, Series};
use std::fmt::Write;

#[derive(Args)]
pub struct Fit {
    #[command(flatten)]
    target: Target,

    #[command(flatten)]
    experiment: ExperimentOptions,

    #[command(flatten)]
    trust: TrustOptions,

    /// Measurements: .csv, .mat or .parquet with a column for each measured variable, and for each input what it did. Each further
    /// `--data` is a further experiment; values of one alone follow its name: `cold.csv,T0=280`.
    #[arg(long, value_name = "FILE[,NAME=VALUE...]", required = true)]
    data: Vec<String>,

    /// Parameters to find, or states for their start values.
    #[arg(long, value_name = "LIST", required = true)]
    free: Vec<String>,

    /// Bounds of a parameter: `R=1:100`, `R=0:` or `R=:5`; by default its `min` and `max`.
    #[arg(long, value_name = "NAME=LOW:HIGH", allow_hyphen_values = true, value_parser = bounds)]
    bounds: Vec<(String, (f64, f64))>,

    /// The standard deviation of the noise of a measured variable: `v=0.1`; by default all variables count alike.
    #[arg(long, value_name = "NAME=NUMBER", value_parser = deviation)]
    deviation: Vec<(String, f64)>,

    /// A file for the values found, for `--params`.
    #[arg(long, short, value_name = "FILE.toml|.json")]
    output: Option<String>,

    /// Draw the measurements and the model.
    #[arg(long, value_name = "FILE.svg|.png|.html|.pdf")]
    plot: Option<String>,
}

pub(super) fn bounds(text: &str) -> Result<(String, (f64, f64)), String> {
    let wrong = || "expected `name=low:high`".to_string();
    let (name, range) = text.split_once('=').ok_or_else(wrong)?;
    let (low, high) = range.split_once(':').ok_or_else(wrong)?;
    let end = |text: &str, open: f64| match text.trim() {
        "" => Ok(open),
        text => text.parse().map_err(|_| format!("`{text}` is not a number")),
    };
    let (low, high) = (end(low, f64::NEG_INFINITY)?, end(high, f64::INFINITY)?);
    if low >= high {
        return Err(format!("the lower bound {low} is not below the upper one {high}"));
    }
    Ok((name.trim().to_string(), (low, high)))
}

fn deviation(text: &str) -> Result<(String, f64), String> {
    let (name, value) = text.split_once('=').ok_or("expected `name=number`")?;
    let number = value.trim().parse().ok().filter(|v: &f64| *v > 0.0);
    number.map(|v| (name.trim().to_string(), v)).ok_or_else(|| format!("`{value}` is not a positive number"))
}

impl Fit {
    pub fn execute(&self, shell: &ShellOptions) -> Status {
        if !self.target.look(shell) {
            return Status::WrongUsage;
        }
        let Some(experiments) = self.experiments(shell) else { return Status::WrongUsage };
        let request = Request { access: self.trust.access(), open_starts: true, ..self.target.request() };
        let options = Options::from(self.experiment.request());
        let found = Model::compile(Disk, request).and_then(|model| {
            shell.show(model.warnings(), model.sources());
            let mut free = Vec::new();
            for name in plot::all_names(&self.free) {
                let var = model.variable(&name)?;
                let number = |attribute: &Option<kairos::Attribute>| match attribute {
                    Some(kairos::Attribute::Number(number)) => Some(*number),
                    _ => None,
                };
                let own = (
                    number(&var.min).unwrap_or(f64::NEG_INFINITY),
                    number(&var.max).unwrap_or(f64::INFINITY),
                );
                let given = self.bounds.iter().find(|(n, _)| *n == name).map(|(_, range)| *range);
                free.push(Free { name, bounds: given.unwrap_or(own) });
            }
            let wanted = FitRequest { free, experiments, deviations: self.deviation.clone() };
            let found = fit(&model, &wanted, &options)?;
            Ok((model, wanted, found))
        });
        let (model, wanted, found) = match found {
            Ok(found) => found,
            Err(error) => {
                shell.show(error.diagnostics(), error.sources());
                return Status::of(error.diagnostics());
            }
        };
        if let Some(path) = &self.output
            && let Err(unwritten) = output::write(path, values(path, &found))
        {
            return output::complain(&unwritten, shell);
        }
        let mut status = output::print(&report(&model, &found), shell);
        if let Some(path) = &self.plot {
            status = status.and(self.draw(path, &model, &wanted, &found, &options, shell));
        }
        if !found.is_settled {
            let text = format!("after {} steps the values still move", found.steps);
            let help = "begin nearer to them with `--set`, or give bounds";
            shell.show(
                &[kairos::Diagnostic::warning("fit-not-settled", text).help(help)],
                &kairos::SourceMap::default(),
            );
        }
        status
    }

    fn experiments(&self, shell: &ShellOptions) -> Option<Vec<FitExperiment>> {
        let mut found = Vec::new();
        for text in &self.data {
            let mut parts = text.split(',');
            let data = read(parts.next().unwrap_or_default(), shell)?;
            let mut settings = Vec::new();
            for part in parts {
                match part.split_once('=').map(|(name, value)| (name, value.trim().parse())) {
                    Some((name, Ok(value))) => settings.push((name.trim().to_string(), value)),
                    _ => {
                        let text = format!("`{part}` is no value of an experiment");
                        shell.complain("wrong-fit", text, "write `FILE,NAME=NUMBER`");
                        return None;
                    }
                }
            }
            found.push(FitExperiment { data, settings });
        }
        Some(found)
    }

    fn draw(
        &self,
        path: &str,
        model: &Model,
        wanted: &FitRequest,
        found: &Found,
        options: &Options,
        shell: &ShellOptions,
    ) -> Status {
        let mut drawing =
            Drawing { title: format!("{}: measured and fitted", model.name()), ..Drawing::default() };
        for experiment in &wanted.experiments {
            let own = experiment.settings.iter().map(|(name, value)| (name.clone(), *value));
            let all = own.chain(found.names.iter().cloned().zip(found.values.iter().copied()));
            let time = &experiment.data.time;
            let Some((start, stop)) = experiment.span(model, options) else { continue };
            let inputs = kairos::Inputs::default().table("measurements", experiment.data.clone(), false);
            let mut options = options.clone().start(start).stop(stop);
            if model.inputs().any(|var| experiment.data.signal(&var.name).is_some()) {
                options = options.inputs(inputs);
            }
            let Ok(run) = model.set_all(all).and_then(|model| model.simulate(&options)) else { continue };
            for (name, _) in &found.deviations {
                let (Some(data), Ok(values)) = (experiment.data.values(name), run.values(name)) else {
                    continue;
                };
                let series = |label: String, time: &[f64], values: Vec<f64>| Series {
                    name: label,
                    points: time.iter().copied().zip(values).collect(),
                    ..Series::default()
                };
                drawing.panes.push(Pane {
                    series: vec![
                        series(format!("{name}, measured"), time, data),
                        series(format!("{name}, model"), run.time(), values),
                    ],
                });
            }
        }
        plot::show(&drawing, Some(path), false, shell)
    }
}

/// The values as a file of parameters.
fn values(path: &str, found: &Found) -> String {
    let json = path.ends_with(".json");
    let mut out = String::from(if json { "{" } else { "" });
    for (k, (name, value)) in found.names.iter().zip(&found.values).enumerate() {
        let _ = match json {
            true => write!(
                out,
                "{}\n  {}: {value:?}",
                if k > 0 { "," } else { "" },
                kairos_base::json::quote(name)
            ),
            false => writeln!(out, "{} = {value:?}", kairos_base::json::quote(name)),
        };
    }
    if json {
        out.push_str("\n}\n");
    }
    out
}

fn report(model: &Model, found: &Found) -> String {
    let mut out = format!(
        "{}: {} measurements, {} steps, squares from {:.6e} to {:.6e}\n",
        model.name(),
        found.measurements,
        found.steps,
        found.squares.0,
        found.squares.1
    );
    let width = found.names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    for (k, name) in found.names.iter().enumerate() {
        let unit = model.variable(name).map_or(String::new(), |var| var.unit.clone());
        let range = match found.confidence[k].is_finite() {
            true => format!("± {:.3e}", found.confidence[k]),
            false => "not determined by these measurements".to_string(),
        };
        let line = format!("  {name:width$} = {:.8e} {range} {unit}", found.values[k]);
        let _ = writeln!(out, "{}", line.trim_end());
    }
    for i in 0..found.names.len() {
        for j in 0..i {
            let both = found.correlation[i][j];
            if both.abs() > 0.9 {
                let (a, b) = (&found.names[j], &found.names[i]);
                let _ = writeln!(out, "  {a} and {b} can hardly be told apart: correlation {both:.3}");
            }
        }
    }
    for (name, deviation) in &found.deviations {
        let _ = writeln!(out, "  {name} differs by {deviation:.4e} (root mean square)");
    }
    out
}
