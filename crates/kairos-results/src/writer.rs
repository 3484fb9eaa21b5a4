//! What all result formats have in common: declared columns, then rows.

use std::io;

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Real,
    Integer,
    Boolean,
    String,
}

/// The value of a constant.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Real(f64),
    Integer(i64),
    Boolean(bool),
    Text(String),
}

impl Value {
    /// As a number, with Booleans as 0 and 1; text has none.
    pub fn number(&self) -> Option<f64> {
        match *self {
            Value::Real(value) => Some(value),
            Value::Integer(value) => Some(value as f64),
            Value::Boolean(value) => Some(f64::from(u8::from(value))),
            Value::Text(_) => None,
        }
    }
}

/// Where a column's values come from.
#[derive(Clone, Debug, PartialEq)]
pub enum Role {
    /// A parameter or constant.
    Constant(Value),
    /// One value in every row.
    Varying,
    /// The same as another column, or its negative.
    Alias { of: usize, negated: bool },
}

/// A column as declared; time is not declared, it is always there.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    pub name: String,
    pub unit: String,
    /// The unit that people read it in; empty: the same.
    pub display_unit: String,
    pub description: String,
    pub kind: Kind,
    /// Of an enumeration the names of its literals, from ordinal 1.
    pub literals: Vec<String>,
    pub role: Role,
}

impl Column {
    /// A varying column without unit and description.
    pub fn varying(name: impl Into<String>, kind: Kind) -> Self {
        Column {
            name: name.into(),
            unit: String::new(),
            display_unit: String::new(),
            description: String::new(),
            kind,
            literals: Vec::new(),
            role: Role::Varying,
        }
    }
}

/// A result being written.
pub trait Writer {
    /// Adds a row: the numbers of all varying columns that are not strings, in the order of their declaration
    /// and with Booleans as 0 and 1, then the texts of the string columns likewise.
    fn push(&mut self, time: f64, numbers: &[f64], texts: &[&str]) -> io::Result<()>;

    /// Makes all rows so far readable, whatever happens afterwards.
    fn flush(&mut self) -> io::Result<()>;

    /// Completes the result; no rows may follow.
    fn finish(&mut self) -> io::Result<()>;
}

/// The source of each column's values in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    Number(usize),
    Text(usize),
    Constant,
}

/// For each column the column it stands for, whether negated, and where a row holds it.
pub(crate) fn resolve(columns: &[Column]) -> io::Result<Vec<(usize, bool, Slot)>> {
    let (mut numbers, mut texts) = (0, 0);
    let mut own = Vec::with_capacity(columns.len());
    for column in columns {
        own.push(match (&column.role, column.kind) {
            (Role::Varying, Kind::String) => {
                texts += 1;
                Slot::Text(texts - 1)
            }
            (Role::Varying, _) => {
                numbers += 1;
                Slot::Number(numbers - 1)
            }
            _ => Slot::Constant,
        });
    }
    let mut resolved = Vec::with_capacity(columns.len());
    for start in 0..columns.len() {
        let (mut at, mut negative, mut hops) = (start, false, 0);
        while let Role::Alias { of, negated } = columns[at].role {
            (at, negative, hops) = (of, negative ^ negated, hops + 1);
            if at >= columns.len() || hops > columns.len() {
                let message = format!("`{}` is an alias of nothing", columns[start].name);
                return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
            }
        }
        resolved.push((at, negative, own[at]));
    }
    Ok(resolved)
}

pub(crate) fn wrong_row() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "a row does not fit the declared columns")
}
