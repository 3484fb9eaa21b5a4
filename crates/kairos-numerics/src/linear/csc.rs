//! Sparse matrices stored as compressed columns.

use serde::{Deserialize, Serialize};

/// Where the entries of a sparse matrix stand; rows ascend within a column.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pattern {
    pub start: Vec<u32>,
    pub rows: Vec<u32>,
}

/// A sparse matrix.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Csc {
    pub pattern: Pattern,
    pub values: Vec<f64>,
}

impl Pattern {
    /// Collects (row, column) pairs in any order; duplicates fall together.
    pub fn from_entries(columns: usize, entries: &[(u32, u32)]) -> Self {
        let mut sorted: Vec<(u32, u32)> = entries.iter().map(|&(row, column)| (column, row)).collect();
        sorted.sort_unstable();
        sorted.dedup();
        let mut start = vec![0; columns + 1];
        for &(column, _) in &sorted {
            start[column as usize + 1] += 1;
        }
        for column in 0..columns {
            start[column + 1] += start[column];
        }
        Pattern { start, rows: sorted.into_iter().map(|(_, row)| row).collect() }
    }

    /// This pattern with the diagonal added.
    pub fn with_diagonal(&self) -> Pattern {
        let n = self.columns();
        let mut entries: Vec<(u32, u32)> = (0..n as u32).map(|i| (i, i)).collect();
        for column in 0..n {
            entries.extend(self.column(column).iter().map(|&row| (row, column as u32)));
        }
        Pattern::from_entries(n, &entries)
    }

    pub fn columns(&self) -> usize {
        self.start.len().saturating_sub(1)
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The places of a column's entries.
    pub fn range(&self, column: usize) -> std::ops::Range<usize> {
        self.start[column] as usize..self.start[column + 1] as usize
    }

    pub fn column(&self, column: usize) -> &[u32] {
        &self.rows[self.range(column)]
    }

    /// The rows of all columns.
    pub fn lists(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.columns()).map(|column| self.column(column))
    }

    /// The place of an entry.
    pub fn find(&self, row: u32, column: usize) -> Option<usize> {
        let range = self.range(column);
        self.rows[range.clone()].binary_search(&row).ok().map(|at| range.start + at)
    }
}

impl Csc {
    pub fn new(pattern: Pattern) -> Self {
        let values = vec![0.0; pattern.len()];
        Csc { pattern, values }
    }

    /// Adds to an entry of the pattern; entries outside it are ignored.
    pub fn add(&mut self, row: u32, column: usize, value: f64) {
        if let Some(at) = self.pattern.find(row, column) {
            self.values[at] += value;
        }
    }
}
