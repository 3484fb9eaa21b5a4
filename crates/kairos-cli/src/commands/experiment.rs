//! The options of an experiment: when, how exactly, by which method.

use clap::{Args, ValueEnum};
use kairos::{Diagnostic, Experiment, Method, RunRequest, SlidingAction, ZenoAction};

#[derive(Args)]
#[command(next_help_heading = "Experiment")]
pub struct ExperimentOptions {
    /// Start time in seconds, or with a unit: `2h`.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = time)]
    start: Option<f64>,

    /// Stop time in seconds, or with a unit: `3d`.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = time)]
    stop: Option<f64>,

    /// Distance of the output points.
    #[arg(long, value_name = "TIME", conflicts_with = "intervals", allow_hyphen_values = true, value_parser = time)]
    interval: Option<f64>,

    /// Number of output intervals; 500 by default.
    #[arg(long, value_name = "COUNT")]
    intervals: Option<u64>,

    /// Exact further output points.
    #[arg(long, value_name = "T1,T2,...", value_delimiter = ',', allow_hyphen_values = true)]
    at: Vec<f64>,

    /// Relative tolerance.
    #[arg(long, value_name = "TOL", allow_hyphen_values = true)]
    tolerance: Option<f64>,

    /// How to integrate: auto, bdf, esdirk, radau, rk45, or with fixed steps euler, rk2, rk4.
    #[arg(long, alias = "solver", value_name = "NAME", default_value = "auto", value_parser = method)]
    method: Method,

    /// Step of a fixed-step method.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = time)]
    step: Option<f64>,

    /// No step is longer.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = time)]
    max_step: Option<f64>,

    /// What to do where events accumulate.
    #[arg(long, value_enum, default_value = "continue")]
    zeno: Zeno,

    /// What to do where both sides of a switching surface push towards it.
    #[arg(long, value_enum, default_value = "filippov")]
    sliding: Sliding,
}

#[derive(Clone, Copy, ValueEnum)]
enum Zeno {
    Continue,
    Stop,
}

#[derive(Clone, Copy, ValueEnum)]
enum Sliding {
    Filippov,
    Off,
}

fn method(name: &str) -> Result<Method, String> {
    Method::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = Method::NAMES.iter().map(|(_, names)| names[0]).collect();
        format!("there is {}", names.join(", "))
    })
}

impl ExperimentOptions {
    /// Options that change nothing.
    pub fn remarks(&self, experiment: &Experiment) -> Vec<Diagnostic> {
        let options = self.request().options(experiment);
        let mut remarks = Vec::new();
        let outside: Vec<String> = self
            .at
            .iter()
            .filter(|t| !(options.start..=options.stop).contains(t))
            .map(f64::to_string)
            .collect();
        if !outside.is_empty() && options.start <= options.stop {
            let text = format!(
                "`--at {}` lies outside of the run from {} to {}",
                outside.join(","),
                options.start,
                options.stop
            );
            remarks.push(
                Diagnostic::warning("option-without-effect", text).help("there is no row for these times"),
            );
        }
        if self.step.is_some() && !self.method.is_fixed_step() {
            let text = "`--step` is for methods with fixed steps; this run chooses its steps".to_string();
            let help = "add `--method euler`, `rk2` or `rk4`, or limit the steps with `--max-step`";
            remarks.push(Diagnostic::warning("option-without-effect", text).help(help));
        }
        remarks
    }

    pub fn request(&self) -> RunRequest {
        RunRequest {
            start: self.start,
            stop: self.stop,
            interval: self.interval,
            intervals: self.intervals,
            at: self.at.clone(),
            tolerance: self.tolerance,
            method: self.method,
            step: self.step,
            max_step: self.max_step,
            zeno: match self.zeno {
                Zeno::Continue => ZenoAction::Continue,
                Zeno::Stop => ZenoAction::Stop,
            },
            sliding: match self.sliding {
                Sliding::Filippov => SlidingAction::Filippov,
                Sliding::Off => SlidingAction::Off,
            },
            inputs: kairos::Inputs::default(),
        }
    }
}

/// A time in seconds, or with a unit of time.
fn time(text: &str) -> Result<f64, String> {
    let Some((number, unit, written)) = kairos_units::parse_quantity(text) else {
        return text
            .parse()
            .map_err(|_| "expected a number of seconds, or one with a unit: `3h`".to_string());
    };
    let second = kairos_units::parse("s").map_err(|_| String::new())?;
    let unit = unit.map_err(|_| format!("`{written}` is no unit; times are in s, ms, min, h, d"))?;
    let seconds = kairos_units::convert(number, &unit, &second);
    seconds.ok_or_else(|| format!("`{written}` is no unit of time; times are in s, ms, min, h, d"))
}
