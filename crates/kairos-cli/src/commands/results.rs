//! `kairos results`: lists and searches the variables of a result with unit, range and description.

use crate::output;
use crate::reading::read;
use crate::shell::{ShellOptions, Status};
use clap::{Args, ValueEnum};
use kairos::results::{Signal, Source, Table};
use std::fmt::Write;

#[derive(Args)]
pub struct Results {
    /// The result: .csv, .mat or .parquet.
    #[arg(value_name = "FILE")]
    file: String,

    /// Only variables whose name or description contains this, or whose name fits it with `*` and `?`.
    #[arg(value_name = "WORD")]
    word: Option<String>,

    /// How the list is written.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

impl Results {
    pub fn execute(&self, shell: &ShellOptions) -> Status {
        let Some(table) = read(&self.file, shell) else { return Status::WrongUsage };
        let wanted: Vec<&Signal> =
            table.signals.iter().filter(|s| s.name != "time" && self.wants(s)).collect();
        if let (true, Some(word)) = (wanted.is_empty(), &self.word) {
            let names = table.signals.iter().map(|signal| signal.name.as_str());
            let wrong = kairos::unknown_variable(&format!("`{}`", self.file), word, names);
            shell.show(&[wrong], &kairos::SourceMap::default());
            return Status::WrongUsage;
        }
        let text = match self.format {
            Format::Text => listed(&table, &wanted),
            Format::Json => wanted.iter().map(|signal| object(&table, signal)).collect(),
        };
        output::print(&text, shell)
    }

    fn wants(&self, signal: &Signal) -> bool {
        let Some(word) = &self.word else { return true };
        let lower = word.to_lowercase();
        kairos::stands_for(word, &signal.name)
            || signal.name.to_lowercase().contains(&lower)
            || signal.description.to_lowercase().contains(&lower)
    }
}

/// The least and the greatest value; `None` where there is none.
fn range(table: &Table, signal: &Signal) -> Option<(f64, f64)> {
    match signal.source {
        Source::Constant(value) => Some((value, value)),
        Source::Series { index, negated } => {
            let series = table.series.get(index)?;
            let known = series.iter().copied().filter(|value| !value.is_nan());
            let ends = known.fold(None, |ends: Option<(f64, f64)>, value| match ends {
                Some((least, most)) => Some((least.min(value), most.max(value))),
                None => Some((value, value)),
            })?;
            Some(if negated { (-ends.1, -ends.0) } else { ends })
        }
    }
}

fn listed(table: &Table, wanted: &[&Signal]) -> String {
    let mut out = String::new();
    let span = match (table.time.first(), table.time.last()) {
        (Some(from), Some(to)) => {
            format!("time {} to {}, {} rows, ", short(*from), short(*to), table.time.len())
        }
        _ => "no rows, ".to_string(),
    };
    let _ = writeln!(out, "{span}{} variables", wanted.len());
    let rows: Vec<[String; 4]> = wanted
        .iter()
        .map(|signal| {
            let values = match range(table, signal) {
                Some((least, most)) if least == most => short(least),
                Some((least, most)) => format!("{} to {}", short(least), short(most)),
                None => "-".to_string(),
            };
            [signal.name.clone(), values, signal.unit.clone(), signal.description.clone()]
        })
        .collect();
    let width = |k: usize| rows.iter().map(|row| row[k].chars().count()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2)];
    for [name, values, unit, description] in &rows {
        let line =
            format!("  {name:0$}  {values:1$}  {unit:2$}  {description}", widths[0], widths[1], widths[2]);
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}

/// A number as it is read, not as it is stored.
fn short(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 || (1e-4..1e6).contains(&size) {
        let digits = (5 - size.max(1e-4).log10().floor() as i32).clamp(0, 9) as usize;
        let text = format!("{value:.digits$}");
        return match text.contains('.') {
            true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
            false => text,
        };
    }
    format!("{value:.5e}")
}

fn object(table: &Table, signal: &Signal) -> String {
    let ends = range(table, signal);
    let number =
        |value: Option<f64>| value.filter(|v| v.is_finite()).map_or("null".to_string(), |v| v.to_string());
    let quote = kairos_base::json::quote;
    format!(
        "{{\"name\":{},\"unit\":{},\"description\":{},\"min\":{},\"max\":{}}}\n",
        quote(&signal.name),
        quote(&signal.unit),
        quote(&signal.description),
        number(ends.map(|e| e.0)),
        number(ends.map(|e| e.1))
    )
}
