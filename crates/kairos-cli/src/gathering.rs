//! Rows of a run kept in memory for a drawing while they go to a file.

use crate::interrupt;
use crate::pace::Pace;
use kairos::results::{Column, Kind, Role, Signal, Source, Table as Gathered, Value};
use kairos::{ResultFile, Table};
use std::fs::File;
use std::io::BufWriter;

/// A result file, if there is one, and the variables to be drawn.
pub struct Rows {
    pub file: Option<ResultFile<BufWriter<File>>>,
    names: Vec<String>,
    /// Which numbers of a row are kept, in the order of the series.
    kept: Vec<usize>,
    pub drawn: Gathered,
    /// The columns of the table.
    pub columns: Vec<Column>,
    /// The clock that rows wait for.
    pub pace: Option<Pace>,
}

impl Rows {
    pub fn new(file: Option<ResultFile<BufWriter<File>>>, names: Vec<String>) -> Self {
        Self { file, names, kept: Vec::new(), drawn: Gathered::default(), columns: Vec::new(), pace: None }
    }

    pub fn wanted(&self) -> bool {
        self.file.is_some() || !self.names.is_empty() || self.pace.is_some()
    }

    /// Where the values of a column are: the numbers of a row follow the varying columns.
    fn source(&mut self, columns: &[Column], at: usize) -> Option<Source> {
        Some(match &columns[at].role {
            _ if columns[at].kind == Kind::String => return None,
            Role::Constant(value) => Source::Constant(match value {
                Value::Real(value) => *value,
                Value::Integer(value) => *value as f64,
                Value::Boolean(value) => f64::from(u8::from(*value)),
                Value::Text(_) => return None,
            }),
            Role::Alias { of, negated } => match self.source(columns, *of)? {
                Source::Constant(value) => Source::Constant(if *negated { -value } else { value }),
                Source::Series { index, negated: before } => {
                    Source::Series { index, negated: before != *negated }
                }
            },
            Role::Varying => {
                let varies = |c: &&Column| c.role == Role::Varying && c.kind != Kind::String;
                let number = columns[..at].iter().filter(varies).count();
                let index = self.kept.iter().position(|k| *k == number).unwrap_or_else(|| {
                    self.kept.push(number);
                    self.kept.len() - 1
                });
                Source::Series { index, negated: false }
            }
        })
    }
}

impl Table for Rows {
    fn begin(&mut self, columns: &[Column]) -> Result<(), String> {
        for name in self.names.clone() {
            let Some(at) = columns.iter().position(|column| column.name == name) else { continue };
            if let Some(source) = self.source(columns, at) {
                let Column { unit, display_unit, description, kind, literals, .. } = columns[at].clone();
                self.drawn.signals.push(Signal {
                    name,
                    unit,
                    display_unit,
                    description,
                    is_boolean: kind == Kind::Boolean,
                    literals,
                    source,
                });
            }
        }
        self.drawn.series = vec![Vec::new(); self.kept.len()];
        self.columns = columns.to_vec();
        self.file.as_mut().map_or(Ok(()), |file| file.begin(columns))
    }

    fn row(&mut self, time: f64, numbers: &[f64], texts: &[&str]) -> Result<(), String> {
        if let Some(pace) = &mut self.pace {
            pace.wait(time);
        }
        if interrupt::asked() {
            return Err("Ctrl-C".into());
        }
        if !self.names.is_empty() {
            self.drawn.time.push(time);
            for (series, number) in self.drawn.series.iter_mut().zip(&self.kept) {
                series.push(numbers[*number]);
            }
        }
        let Some(file) = &mut self.file else { return Ok(()) };
        file.row(time, numbers, texts)?;
        // Who reads along sees a row when it is its time.
        if self.pace.is_some() { file.flush() } else { Ok(()) }
    }
}
