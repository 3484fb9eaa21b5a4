//! The matrix behind a table with the checks every table makes of it.

use std::sync::Arc;

/// A named row-major matrix of table data.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    pub name: String,
    pub rows: usize,
    pub columns: usize,
    pub data: Arc<Vec<f64>>,
}

impl Grid {
    pub fn new(name: &str, rows: usize, columns: usize, data: Arc<Vec<f64>>) -> Result<Grid, String> {
        if rows.checked_mul(columns) != Some(data.len()) {
            return Err(format!("table \"{name}({rows},{columns})\" is given by {} values", data.len()));
        }
        Ok(Grid { name: name.to_string(), rows, columns, data })
    }

    pub(super) fn at(&self, row: usize, column: usize) -> f64 {
        self.data[row * self.columns + column]
    }

    pub(super) fn column(&self, column: usize, first_row: usize) -> Vec<f64> {
        (first_row..self.rows).map(|row| self.at(row, column)).collect()
    }

    pub(super) fn require_size(&self, rows: usize, columns: usize, purpose: &str) -> Result<(), String> {
        if self.rows >= rows && self.columns >= columns {
            return Ok(());
        }
        Err(format!(
            "table \"{}({},{})\" is too small for {purpose}: it needs at least {rows} row(s) and {columns} columns",
            self.name, self.rows, self.columns
        ))
    }

    /// Checks 1-based column numbers and makes them 0-based.
    pub(super) fn checked_columns(&self, columns: &[i64]) -> Result<Vec<usize>, String> {
        let zero_based = |&column: &i64| match usize::try_from(column) {
            Ok(column) if column >= 1 && column <= self.columns => Ok(column - 1),
            _ => Err(format!(
                "column {column} does not exist in table \"{}({},{})\": choose columns from 1 to {}",
                self.name, self.rows, self.columns, self.columns
            )),
        };
        columns.iter().map(zero_based).collect()
    }

    /// Checks that abscissae increase, strictly unless repeated points mark discontinuities.
    pub(super) fn require_increasing(
        &self,
        abscissae: &[f64],
        what: &str,
        strictly: bool,
    ) -> Result<(), String> {
        for (at, pair) in abscissae.windows(2).enumerate() {
            let increasing = if strictly { pair[0] < pair[1] } else { pair[0] <= pair[1] };
            if !increasing {
                return Err(format!(
                    "the {what} of table \"{}({},{})\" must be {}increasing, but entry {} is {} and entry {} is {}",
                    self.name,
                    self.rows,
                    self.columns,
                    if strictly { "strictly " } else { "" },
                    at + 1,
                    pair[0],
                    at + 2,
                    pair[1]
                ));
            }
        }
        Ok(())
    }
}
