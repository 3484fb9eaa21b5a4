//! Triangular factors by columns, and the loops that spend most of a sparse solution's time.

use super::Scalar;
use serde::{Deserialize, Serialize};

/// Sparse columns, built one after the other.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Columns<T> {
    start: Vec<u32>,
    pub rows: Vec<u32>,
    pub values: Vec<T>,
}

impl<T: Scalar> Columns<T> {
    pub fn clear(&mut self) {
        self.start.clear();
        self.start.push(0);
        self.rows.clear();
        self.values.clear();
    }

    pub fn push(&mut self, row: u32, value: T) {
        self.rows.push(row);
        self.values.push(value);
    }

    pub fn close(&mut self) {
        self.start.push(self.rows.len() as u32);
    }

    pub fn range(&self, column: usize) -> std::ops::Range<usize> {
        self.start[column] as usize..self.start[column + 1] as usize
    }

    /// Renames the rows by their places, ascending within each column.
    pub fn settle(&mut self, place: &[u32]) {
        let mut sorted: Vec<(u32, T)> = Vec::new();
        for column in 0..self.start.len() - 1 {
            let range = self.range(column);
            sorted.clear();
            sorted.extend(range.clone().map(|at| (place[self.rows[at] as usize], self.values[at])));
            sorted.sort_unstable_by_key(|entry| entry.0);
            for (at, &(row, value)) in range.zip(&sorted) {
                self.rows[at] = row;
                self.values[at] = value;
            }
        }
    }

    /// Renames the rows by their places, in the order of the matrix entries.
    pub fn settle_in_order(&mut self, place: &[u32]) {
        self.rows.iter_mut().for_each(|row| *row = place[*row as usize]);
    }
}

/// Takes `N` values from `work` at consecutive places, keeps them, and subtracts their columns from the rest.
pub fn apply<T: Scalar, const N: usize>(
    lower: &Columns<T>,
    place: usize,
    work: &mut [T],
    kept: &mut [T],
) -> usize {
    sweep::<T, N>(lower, place, work);
    for (kept, value) in kept[..N].iter_mut().zip(&mut work[place..place + N]) {
        *kept = std::mem::take(value);
    }
    N
}

/// Subtracts `N` columns that share one pattern, times the values at their places.
pub fn sweep<T: Scalar, const N: usize>(lower: &Columns<T>, place: usize, work: &mut [T]) -> usize {
    let mut values = [T::default(); N];
    for i in 0..N {
        values[i] = work[place + i];
        // The triangle of the run itself.
        let column = lower.range(place + i);
        for (j, &factor) in (i + 1..N).zip(&lower.values[column]) {
            work[place + j] -= factor * values[i];
        }
    }
    let rows = &lower.rows[lower.range(place + N - 1)];
    // The first column has the whole triangle above the common part, the last has none of it.
    let start = |i: usize| lower.range(place + i).start + N - 1 - i;
    subtract_run(rows, std::array::from_fn(|i| &lower.values[start(i)..]), work, &values);
    N
}

/// Solves for `N` unknowns from the last on, whose columns share one pattern, and subtracts these.
pub fn sweep_back<T: Scalar, const N: usize>(
    upper: &Columns<T>,
    last: usize,
    pivot: &[T],
    work: &mut [T],
) -> usize {
    let mut values = [T::default(); N];
    let first = last + 1 - N;
    for i in 0..N {
        let column = last - i;
        values[i] = work[column] / pivot[column];
        work[column] = values[i];
        let end = upper.range(column).end;
        for (row, &factor) in (first..column).zip(&upper.values[end - (column - first)..end]) {
            work[row] -= factor * values[i];
        }
    }
    let rows = &upper.rows[upper.range(first)];
    let start = |i: usize| upper.range(last - i).start;
    subtract_run(rows, std::array::from_fn(|i| &upper.values[start(i)..]), work, &values);
    N
}

fn subtract_run<T: Scalar, const N: usize>(
    rows: &[u32],
    columns: [&[T]; N],
    work: &mut [T],
    values: &[T; N],
) {
    let columns = columns.map(|column| &column[..rows.len()]);
    for (at, &row) in rows.iter().enumerate() {
        let mut sum = columns[0][at] * values[0];
        for i in 1..N {
            sum += columns[i][at] * values[i];
        }
        work[row as usize] -= sum;
    }
}

pub fn subtract<T: Scalar>(columns: &Columns<T>, k: usize, value: T, work: &mut [T]) {
    let range = columns.range(k);
    for (&row, &factor) in columns.rows[range.clone()].iter().zip(&columns.values[range]) {
        work[row as usize] -= factor * value;
    }
}
