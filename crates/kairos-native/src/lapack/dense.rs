//! Small dense matrices, with their way into and out of call arguments.

use std::ops::{Index, IndexMut};

use crate::value::{Arg, Args};

/// A matrix addressed by row and column, both from 0.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Dense {
    pub rows: usize,
    pub columns: usize,
    data: Vec<f64>,
}

impl Index<(usize, usize)> for Dense {
    type Output = f64;

    fn index(&self, (row, column): (usize, usize)) -> &f64 {
        &self.data[row * self.columns + column]
    }
}

impl IndexMut<(usize, usize)> for Dense {
    fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut f64 {
        &mut self.data[row * self.columns + column]
    }
}

impl Dense {
    pub fn zeros(rows: usize, columns: usize) -> Dense {
        Dense { rows, columns, data: vec![0.0; rows * columns] }
    }

    pub fn identity(n: usize) -> Dense {
        Dense::from_fn(n, n, |i, j| if i == j { 1.0 } else { 0.0 })
    }

    pub fn from_fn(rows: usize, columns: usize, value: impl Fn(usize, usize) -> f64) -> Dense {
        let data =
            (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))).map(|(i, j)| value(i, j)).collect();
        Dense { rows, columns, data }
    }

    pub fn transposed(&self) -> Dense {
        Dense::from_fn(self.columns, self.rows, |i, j| self[(j, i)])
    }

    /// Rows `r0..r1` of columns `c0..c1`.
    pub fn block(&self, r0: usize, r1: usize, c0: usize, c1: usize) -> Dense {
        Dense::from_fn(r1 - r0, c1 - c0, |i, j| self[(r0 + i, c0 + j)])
    }

    pub fn times(&self, other: &Dense) -> Dense {
        Dense::from_fn(self.rows, other.columns, |i, j| {
            (0..self.columns).map(|k| self[(i, k)] * other[(k, j)]).sum()
        })
    }

    pub fn swap_rows(&mut self, a: usize, b: usize) {
        for j in 0..self.columns {
            let other = self[(b, j)];
            self[(b, j)] = std::mem::replace(&mut self[(a, j)], other);
        }
    }

    pub fn swap_columns(&mut self, a: usize, b: usize) {
        for i in 0..self.rows {
            let other = self[(i, b)];
            self[(i, b)] = std::mem::replace(&mut self[(i, a)], other);
        }
    }

    pub fn column(&self, j: usize) -> Vec<f64> {
        (0..self.rows).map(|i| self[(i, j)]).collect()
    }

    /// The largest sum of magnitudes of a column.
    pub fn norm1(&self) -> f64 {
        (0..self.columns).map(|j| (0..self.rows).map(|i| self[(i, j)].abs()).sum()).fold(0.0, f64::max)
    }

    pub fn norm_inf(&self) -> f64 {
        (0..self.rows).map(|i| (0..self.columns).map(|j| self[(i, j)].abs()).sum()).fold(0.0, f64::max)
    }

    pub fn norm_max(&self) -> f64 {
        self.data.iter().fold(0.0, |norm, value| value.abs().max(norm))
    }

    pub fn norm_frobenius(&self) -> f64 {
        norm(&self.data)
    }
}

/// The Euclidean length, safe against overflow.
pub(crate) fn norm(values: &[f64]) -> f64 {
    let largest = values.iter().fold(0.0, |largest: f64, value| value.abs().max(largest));
    if largest == 0.0 || !largest.is_finite() {
        return largest;
    }
    largest * values.iter().map(|value| (value / largest).powi(2)).sum::<f64>().sqrt()
}

/// Takes the leading `rows` x `columns` of an argument; a vector is one column.
pub(crate) fn load(a: &Args<'_>, at: usize, rows: usize, columns: usize) -> Result<Dense, String> {
    let (given_rows, given_columns, data) = a.matrix(at)?;
    if given_rows < rows || given_columns < columns {
        return Err(format!(
            "argument {} of a LAPACK routine is {given_rows} x {given_columns}, expected at least {rows} x {columns}",
            at + 1
        ));
    }
    Ok(Dense::from_fn(rows, columns, |i, j| data[i * given_columns + j]))
}

/// Overwrites the leading part of an output argument.
pub(crate) fn store(a: &mut Args<'_>, at: usize, matrix: &Dense) -> Result<(), String> {
    let (rows, columns, data) = a.matrix(at)?;
    let mut data = data.to_vec();
    for i in 0..matrix.rows.min(rows) {
        for j in 0..matrix.columns.min(columns) {
            data[i * columns + j] = matrix[(i, j)];
        }
    }
    a.set(at, Arg::matrix(rows, columns, data))
}

pub(crate) fn load_vector(a: &Args<'_>, at: usize, length: usize) -> Result<Vec<f64>, String> {
    let data = a.reals(at)?;
    data.get(..length).map(<[f64]>::to_vec).ok_or_else(|| {
        format!("argument {} of a LAPACK routine has {} elements, expected {length}", at + 1, data.len())
    })
}

/// Overwrites the leading part of an output vector.
pub(crate) fn store_vector(a: &mut Args<'_>, at: usize, values: &[f64]) -> Result<(), String> {
    let mut data = a.reals(at)?.to_vec();
    let length = values.len().min(data.len());
    data[..length].copy_from_slice(&values[..length]);
    a.set(at, Arg::reals(data))
}

/// Writes row or column numbers, which count from 1 outside.
pub(crate) fn store_indices(a: &mut Args<'_>, at: usize, indices: &[usize]) -> Result<(), String> {
    a.set(at, Arg::ints(indices.iter().map(|&index| index as i64 + 1).collect()))
}

pub(crate) fn finish(a: &mut Args<'_>, info_at: usize, info: i64) -> Result<Option<Arg>, String> {
    a.set(info_at, Arg::Int(info)).map(|()| None)
}

/// The first letter of an option argument, in upper case.
pub(crate) fn option(a: &Args<'_>, at: usize) -> Result<u8, String> {
    Ok(a.text(at)?.bytes().next().unwrap_or(b' ').to_ascii_uppercase())
}
