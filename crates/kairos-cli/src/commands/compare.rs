//! `kairos compare`: compares a result with a reference, signal by signal, in tubes around the reference.

use crate::reading::read_signals;
use crate::shell::{ShellOptions, Status};
use clap::Args;
use kairos::results::{Table, Verdict, compare};
use kairos_plot::{Drawing, Pane, Series};

/// A drawing of more signals would not be read.
const DRAWN: usize = 6;

#[derive(Args)]
pub struct Compare {
    /// The reference: .csv, .mat or .parquet.
    reference: String,
    /// The result: .csv, .mat or .parquet.
    result: String,
    /// Signals to compare; all of the reference by default.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    vars: Vec<String>,
    /// A file with one signal to compare a line.
    #[arg(long, value_name = "FILE", conflicts_with = "vars")]
    signals: Option<String>,
    /// Draw the signals that agree least, each beside its reference.
    #[arg(long, value_name = "FILE.svg|.png|.html")]
    plot: Option<String>,
}

impl Compare {
    pub fn execute(&self, shell: &ShellOptions) -> Status {
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
        let listed = Some(listed).filter(|names: &Vec<String>| !names.is_empty());
        let Some(reference) = read_signals(&self.reference, listed.as_deref(), shell) else {
            return Status::WrongUsage;
        };
        let signals: Vec<String> = match listed {
            None => reference.signals.iter().map(|s| s.name.clone()).filter(|name| name != "time").collect(),
            Some(names) => names,
        };
        let Some(result) = read_signals(&self.result, Some(&signals), shell) else {
            return Status::WrongUsage;
        };
        let verdicts = compare(&reference, &result, &signals);
        let width = signals.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let mut text = String::new();
        for (name, verdict) in signals.iter().zip(&verdicts).filter(|(_, v)| !shell.quiet || !v.passed()) {
            text.push_str(&format!("{name:width$}  {verdict}\n"));
        }
        let failed = verdicts.iter().filter(|verdict| !verdict.passed()).count();
        text.push_str(&format!("{} of {} signals agree\n", verdicts.len() - failed, verdicts.len()));
        let printed = crate::output::print(&text, shell);
        if let Some(path) = &self.plot {
            let drawing = worst(&reference, &result, &signals, &verdicts);
            let drawn = super::plot::show(&drawing, Some(path), false, shell);
            if drawn != Status::Success {
                return drawn;
            }
        }
        if failed == 0 { printed } else { Status::ModelFailed }
    }
}

/// The signals that agree least, worst first.
fn worst(reference: &Table, result: &Table, signals: &[String], verdicts: &[Verdict]) -> Drawing {
    let distance = |verdict: &Verdict| match verdict {
        Verdict::Inside | Verdict::NotInReference => 0.0,
        Verdict::Outside { heights, .. } => *heights,
        Verdict::DoesNotFollow { part } => *part,
        _ => f64::INFINITY,
    };
    let mut order: Vec<usize> = (0..signals.len()).collect();
    order.sort_by(|&a, &b| distance(&verdicts[b]).total_cmp(&distance(&verdicts[a])));
    let series = |table: &Table, name: &str, whose: &str| {
        let unit = table.signal(name).map_or("", |signal| signal.unit.as_str());
        let values = table.values(name)?;
        Some(Series::new(format!("{name}{whose}"), unit, &table.time, &values))
    };
    let pane = |&at: &usize| {
        let name = &signals[at];
        let pair = [series(reference, name, " (reference)"), series(result, name, "")];
        Pane { series: pair.into_iter().flatten().collect() }
    };
    let panes = order.iter().take(DRAWN).map(pane).collect();
    Drawing { title: "the signals that agree least".into(), panes, ..Drawing::default() }
}
