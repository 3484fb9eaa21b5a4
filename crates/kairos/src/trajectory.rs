//! The result of a run in memory: columns over time, values between the stored points, events, files.
//!
//! Rows with the same time are the two sides of an event, so that the rows between two such pairs belong to one smooth
//! piece of the motion. A value between rows is read off a cubic: through the values and slopes at both ends where the
//! derivative is stored (of states it is), else through the four nearest rows of the piece. Discrete variables hold.
#![deny(missing_docs)]

use crate::error::Error;
use crate::options::Watch;
use crate::settings;
use crate::sink::{Table as _, choose, kind, warn};
use crate::tables::{Format, ResultFile};
use kairos_base::{Diagnostic, Span};
use kairos_machine::Machine;
use kairos_program::VarInfo;
use kairos_results::{Column, Kind, Role, Value};
use kairos_sim::{EventRecord, Sink, Summary};
use std::collections::BTreeMap;
use std::sync::Arc;

/// At most so many events of a run are kept.
const EVENTS: usize = 100_000;

/// The result of a run. A clone shares the numbers.
#[derive(Clone, Debug)]
pub struct Trajectory {
    data: Arc<Data>,
}

/// A variable of a trajectory.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// The name in the model.
    pub name: String,
    /// The unit, empty if there is none.
    pub unit: String,
    /// The unit that people read it in, empty if it is the same.
    pub display_unit: String,
    /// What the model says about it.
    pub description: String,
    /// The type; truth values are 0 and 1, literals of enumerations their ordinals.
    pub kind: Kind,
    /// Changes at events only.
    pub is_discrete: bool,
    source: From,
}

#[derive(Clone, Debug, PartialEq)]
enum From {
    /// A list of numbers, or its negative.
    Numbers {
        index: usize,
        negated: bool,
    },
    Texts(usize),
    Constant(f64),
    Text(String),
}

#[derive(Debug, Default)]
pub(crate) struct Data {
    time: Vec<f64>,
    series: Vec<Series>,
    numbers: Vec<Vec<f64>>,
    texts: Vec<Vec<String>>,
    by_name: BTreeMap<String, usize>,
    events: Vec<EventRecord>,
    pub(crate) summary: Summary,
    pub(crate) warnings: Vec<Diagnostic>,
}

impl Series {
    /// Has it a number in every row that may differ from the others? Parameters and texts have not.
    pub fn varies(&self) -> bool {
        matches!(self.source, From::Numbers { .. })
    }
}

impl Trajectory {
    pub(crate) fn new(data: Data) -> Self {
        Self { data: Arc::new(data) }
    }

    /// The instants of the rows; an event has two rows with its time, the left and the right limit.
    pub fn time(&self) -> &[f64] {
        &self.data.time
    }

    /// The variables, in the order of the model.
    pub fn series(&self) -> &[Series] {
        &self.data.series
    }

    /// The variable of this name.
    pub fn find(&self, name: &str) -> Result<&Series, Error> {
        match self.data.by_name.get(name) {
            Some(&k) => Ok(&self.data.series[k]),
            None => {
                let known = self.data.series.iter().map(|series| series.name.as_str());
                Err(Error::plain(settings::unknown("the result", name, known)))
            }
        }
    }

    /// The values of a variable in all rows.
    pub fn values(&self, name: &str) -> Result<Vec<f64>, Error> {
        let series = self.find(name)?;
        Ok(match &series.source {
            From::Numbers { index, negated: false } => self.data.numbers[*index].clone(),
            From::Numbers { index, negated: true } => self.data.numbers[*index].iter().map(|v| -v).collect(),
            From::Constant(value) => vec![*value; self.data.time.len()],
            From::Texts(_) | From::Text(_) => return Err(no_number(name)),
        })
    }

    /// The stored numbers of a variable where they are stored as they are; `None` for constants, texts, and variables that
    /// are the negative of another.
    pub fn stored(&self, name: &str) -> Option<&[f64]> {
        match self.find(name).ok()?.source {
            From::Numbers { index, negated: false } => Some(&self.data.numbers[index]),
            _ => None,
        }
    }

    /// The text of a String variable in a row.
    pub fn text(&self, name: &str, row: usize) -> Option<&str> {
        match &self.find(name).ok()?.source {
            From::Texts(index) => self.data.texts[*index].get(row).map(String::as_str),
            From::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The value of a variable at a time within the run, right limits at events.
    pub fn at(&self, name: &str, time: f64) -> Result<f64, Error> {
        let series = self.find(name)?;
        let (index, sign) = match series.source {
            From::Numbers { index, negated } => (index, if negated { -1.0 } else { 1.0 }),
            From::Constant(value) => return Ok(value),
            From::Texts(_) | From::Text(_) => return Err(no_number(name)),
        };
        let (times, values) = (&self.data.time, &self.data.numbers[index]);
        let (Some(&first), Some(&last)) = (times.first(), times.last()) else {
            return Err(outside(time, 0.0, 0.0));
        };
        if !(first..=last).contains(&time) {
            return Err(outside(time, first, last));
        }
        // The last row at or before the time is its right limit.
        let left = times.partition_point(|&t| t <= time) - 1;
        if times[left] == time || series.is_discrete || series.kind != Kind::Real {
            return Ok(sign * values[left]);
        }
        let slope = format!("der({name})");
        let slopes = self.data.by_name.get(&slope).and_then(|&k| match self.data.series[k].source {
            From::Numbers { index, negated } => Some((index, if negated { -1.0 } else { 1.0 })),
            _ => None,
        });
        Ok(match slopes {
            Some((slope, towards)) => {
                let slopes = &self.data.numbers[slope];
                hermite(times, |k| sign * values[k], |k| towards * slopes[k], left, time)
            }
            None => sign * cubic(times, values, left, time),
        })
    }

    /// The events of the run, in order: causes, changes, jumps. There are at most a hundred thousand.
    pub fn events(&self) -> &[EventRecord] {
        &self.data.events
    }

    /// How much work the run was, and how it ended.
    pub fn summary(&self) -> &Summary {
        &self.data.summary
    }

    /// Warnings of the run.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.data.warnings
    }

    /// Writes the result as `.csv`, `.mat` or `.parquet`, by the end of the name.
    pub fn write(&self, path: impl AsRef<std::path::Path>) -> Result<(), Error> {
        let path = path.as_ref();
        let shown = path.display();
        let Some(format) = Format::of(&path.to_string_lossy()) else {
            let text = format!("`{shown}` does not say what format it is to have");
            let help = "end the name in .csv, .mat or .parquet";
            return Err(Error::plain(Diagnostic::error("unknown-format", text).help(help)));
        };
        let failed = |why: String| {
            Error::plain(Diagnostic::error(
                "result-not-written",
                format!("`{shown}` cannot be written: {why}"),
            ))
        };
        let file = std::fs::File::create(path).map_err(|e| failed(e.to_string()))?;
        let mut file = ResultFile::new(format, std::io::BufWriter::new(file));
        file.begin(&self.columns()).map_err(failed)?;
        let (mut numbers, mut texts) = (Vec::new(), Vec::new());
        for (row, &time) in self.data.time.iter().enumerate() {
            numbers.clear();
            numbers.extend(self.data.numbers.iter().map(|list| list[row]));
            texts.clear();
            texts.extend(self.data.texts.iter().map(|list| list[row].as_str()));
            file.row(time, &numbers, &texts).map_err(failed)?;
        }
        file.finish().map_err(|e| failed(e.to_string()))
    }

    /// The columns as writers want them: what several variables share is told once.
    fn columns(&self) -> Vec<Column> {
        let mut first: BTreeMap<usize, (usize, bool)> = BTreeMap::new();
        let column = |(place, series): (usize, &Series)| {
            let role = match &series.source {
                From::Numbers { index, negated } => match first.get(index) {
                    Some(&(of, before)) => Role::Alias { of, negated: before != *negated },
                    None => {
                        first.insert(*index, (place, *negated));
                        Role::Varying
                    }
                },
                From::Texts(_) => Role::Varying,
                From::Constant(value) => Role::Constant(match series.kind {
                    Kind::Boolean => Value::Boolean(*value != 0.0),
                    Kind::Integer => Value::Integer(*value as i64),
                    _ => Value::Real(*value),
                }),
                From::Text(text) => Role::Constant(Value::Text(text.clone())),
            };
            let Series { name, unit, display_unit, description, kind, .. } = series.clone();
            Column { name, unit, display_unit, description, kind, literals: Vec::new(), role }
        };
        self.data.series.iter().enumerate().map(column).collect()
    }
}

fn no_number(name: &str) -> Error {
    let text = format!("`{name}` is a text, which has no number");
    Error::plain(Diagnostic::error("wrong-outcome", text).help("read it with `text`"))
}

fn outside(time: f64, first: f64, last: f64) -> Error {
    let text = format!("the time {time} lies outside of the result, which goes from {first} to {last}");
    Error::plain(Diagnostic::error("outside-result", text).help("ask for a time within the run"))
}

/// The cubic through the values and slopes of two neighbouring rows.
fn hermite(
    times: &[f64],
    value: impl Fn(usize) -> f64,
    slope: impl Fn(usize) -> f64,
    left: usize,
    time: f64,
) -> f64 {
    let width = times[left + 1] - times[left];
    let s = (time - times[left]) / width;
    let (v0, v1) = (value(left), value(left + 1));
    let (d0, d1) = (width * slope(left), width * slope(left + 1));
    let rise = v1 - v0;
    v0 + s * (d0 + s * ((3.0 * rise - 2.0 * d0 - d1) + s * (d0 + d1 - 2.0 * rise)))
}

/// The polynomial through up to four neighbouring rows of one smooth piece, by Neville's scheme.
fn cubic(times: &[f64], values: &[f64], left: usize, time: f64) -> f64 {
    let begins = |k: usize| k == 0 || times[k - 1] == times[k];
    let ends = |k: usize| k + 1 == times.len() || times[k + 1] == times[k];
    let (mut from, mut to) = (left, left + 1);
    // One row on each side, or two on one where the piece ends.
    for _ in 0..2 {
        if to - from < 3 && !begins(from) {
            from -= 1;
        }
        if to - from < 3 && !ends(to) {
            to += 1;
        }
    }
    let mut column: Vec<f64> = values[from..=to].to_vec();
    let points = &times[from..=to];
    for level in 1..column.len() {
        for k in 0..column.len() - level {
            let (a, b) = (points[k], points[k + level]);
            column[k] = ((time - a) * column[k + 1] - (time - b) * column[k]) / (b - a);
        }
    }
    column[0]
}

/// Keeps a run in memory.
pub(crate) struct Gather {
    pub data: Data,
    patterns: Vec<String>,
    wants_events: bool,
    rows: bool,
    slots: Vec<u32>,
    text_slots: Vec<u32>,
    watch: Option<Watch>,
    ended: bool,
}

impl Gather {
    pub fn new(patterns: Vec<String>, rows: bool, wants_events: bool, watch: Option<Watch>) -> Self {
        let (slots, text_slots) = (Vec::new(), Vec::new());
        let (data, ended) = (Data::default(), false);
        Self { data, patterns, wants_events, rows, slots, text_slots, watch, ended }
    }

    /// Asks whether to go on.
    fn look(&mut self, time: f64) -> Result<(), String> {
        self.ended |= self.watch.as_ref().is_some_and(|watch| !watch(time));
        if self.ended { Err("ended from outside".into()) } else { Ok(()) }
    }

    fn source(
        &mut self,
        var: &VarInfo,
        machine: &dyn Machine,
        known: &mut BTreeMap<(bool, u32), usize>,
    ) -> From {
        let text = kind(var.ty) == Kind::String;
        if var.is_parameter() {
            return match text {
                true => From::Text(machine.string(var.slot).to_string()),
                false => {
                    From::Constant(machine.values()[var.slot as usize] * if var.negated { -1.0 } else { 1.0 })
                }
            };
        }
        let slots = if text { &mut self.text_slots } else { &mut self.slots };
        let index = *known.entry((text, var.slot)).or_insert_with(|| {
            slots.push(var.slot);
            slots.len() - 1
        });
        if text { From::Texts(index) } else { From::Numbers { index, negated: var.negated } }
    }
}

impl Sink for Gather {
    fn begin(&mut self, machine: &dyn Machine) -> Result<(), String> {
        let info = machine.info();
        let mut known = BTreeMap::new();
        for k in choose(info, &self.patterns) {
            let var = &info.vars[k];
            let source = self.source(var, machine, &mut known);
            self.data.by_name.insert(var.name.clone(), self.data.series.len());
            self.data.series.push(Series {
                name: var.name.clone(),
                unit: var.unit.clone(),
                display_unit: var.display_unit.clone(),
                description: var.description.clone(),
                kind: kind(var.ty),
                is_discrete: var.is_discrete,
                source,
            });
        }
        self.data.numbers = vec![Vec::new(); self.slots.len()];
        self.data.texts = vec![Vec::new(); self.text_slots.len()];
        Ok(())
    }

    fn row(&mut self, time: f64, machine: &dyn Machine) -> Result<(), String> {
        self.look(time)?;
        self.data.time.push(time);
        let values = machine.values();
        for (list, &slot) in self.data.numbers.iter_mut().zip(&self.slots) {
            list.push(values[slot as usize]);
        }
        for (list, &slot) in self.data.texts.iter_mut().zip(&self.text_slots) {
            list.push(machine.string(slot).to_string());
        }
        Ok(())
    }

    fn event(&mut self, record: &EventRecord) -> Result<(), String> {
        self.look(record.time)?;
        if self.data.events.len() < EVENTS {
            self.data.events.push(record.clone());
        }
        Ok(())
    }

    fn warning(&mut self, time: f64, text: &str, span: Span) {
        warn(&mut self.data.warnings, time, text, span);
    }

    fn progress(&mut self, time: f64, _events: u64) -> Result<(), String> {
        self.look(time)
    }

    fn wants_rows(&self) -> bool {
        self.rows
    }

    fn wants_events(&self) -> bool {
        self.wants_events
    }
}
