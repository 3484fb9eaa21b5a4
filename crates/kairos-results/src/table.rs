//! A result in memory, as readers return it.

use std::fmt;

/// Where a signal's values are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Source {
    Constant(f64),
    Series { index: usize, negated: bool },
}

#[derive(Clone, Debug, PartialEq)]
pub struct Signal {
    /// Without spaces: tools differ in them.
    pub name: String,
    pub description: String,
    /// Empty where the format or the model tells none.
    pub unit: String,
    /// The unit that people read it in; empty: the same, or not told.
    pub display_unit: String,
    /// Known to be true or false; many formats do not tell.
    pub is_boolean: bool,
    /// Of an enumeration the names of its literals, from ordinal 1, where the format tells.
    pub literals: Vec<String>,
    pub source: Source,
}

impl Signal {
    /// A signal of which only the name is known.
    pub fn new(name: impl Into<String>, source: Source) -> Self {
        Signal {
            name: name.into(),
            description: String::new(),
            unit: String::new(),
            display_unit: String::new(),
            is_boolean: false,
            literals: Vec::new(),
            source,
        }
    }
}

/// Time and signals.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    pub time: Vec<f64>,
    pub signals: Vec<Signal>,
    pub series: Vec<Vec<f64>>,
}

impl Table {
    pub fn signal(&self, name: &str) -> Option<&Signal> {
        self.signals.iter().find(|signal| signal.name == name)
    }

    /// A signal's values at all times.
    pub fn values(&self, name: &str) -> Option<Vec<f64>> {
        Some(match self.signal(name)?.source {
            Source::Constant(value) => vec![value; self.time.len()],
            Source::Series { index, negated: false } => self.series.get(index)?.clone(),
            Source::Series { index, negated: true } => self.series.get(index)?.iter().map(|v| -v).collect(),
        })
    }

    /// Orders the rows by time, rows of equal time staying as they are.
    pub(crate) fn sort(&mut self) {
        if self.time.is_sorted() {
            return;
        }
        let mut order: Vec<usize> = (0..self.time.len()).collect();
        order.sort_by(|&a, &b| self.time[a].total_cmp(&self.time[b]));
        for column in std::iter::once(&mut self.time).chain(&mut self.series) {
            *column = order.iter().map(|&at| column[at]).collect();
        }
    }
}

/// A name without spaces, except in quotes: `a[1, 2]` is `a[1,2]`.
pub(crate) fn key(name: &str) -> String {
    let mut quoted = false;
    let kept = name.chars().filter(|c| {
        quoted ^= *c == '\'';
        quoted || !c.is_whitespace()
    });
    kept.collect()
}

/// Why a result cannot be read.
#[derive(Debug)]
pub enum ReadError {
    Io(std::io::Error),
    /// What is wrong with the content, and where.
    Format(String),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            ReadError::Io(error) => error.fmt(f),
            ReadError::Format(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for ReadError {}

impl From<std::io::Error> for ReadError {
    fn from(error: std::io::Error) -> Self {
        ReadError::Io(error)
    }
}
