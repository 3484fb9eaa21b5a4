//! Dense matrices and their LU factorisation with scaled partial pivoting.

use std::ops::{Index, IndexMut};

use super::{Scalar, Singular};
use serde::{Deserialize, Serialize};

/// A dense matrix, row after row.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Dense {
    rows: usize,
    columns: usize,
    data: Vec<f64>,
}

impl Dense {
    pub fn new(rows: usize, columns: usize) -> Self {
        Dense { rows, columns, data: vec![0.0; rows * columns] }
    }

    pub fn rows(&self) -> usize {
        self.rows
    }

    pub fn columns(&self) -> usize {
        self.columns
    }

    pub fn row(&self, row: usize) -> &[f64] {
        &self.data[row * self.columns..(row + 1) * self.columns]
    }

    /// All entries, row after row.
    pub fn data(&self) -> &[f64] {
        &self.data
    }

    pub fn data_mut(&mut self) -> &mut [f64] {
        &mut self.data
    }
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

/// An LU factorisation whose memory is reused from one matrix to the next.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DenseLu<T: Scalar> {
    n: usize,
    lu: Vec<T>,
    swaps: Vec<u32>,
    scale: Vec<f64>,
    weakest: f64,
}

impl<T: Scalar> DenseLu<T> {
    pub fn new(n: usize) -> Self {
        DenseLu { n, lu: vec![T::default(); n * n], swaps: vec![0; n], scale: vec![0.0; n], weakest: 1.0 }
    }

    /// The memory of the matrix to factor, row after row: write the matrix here, then call `factor_in_place`.
    pub fn matrix_mut(&mut self) -> &mut [T] {
        &mut self.lu
    }

    /// The smallest pivot relative to the largest entry of its row: near round-off means nearly singular.
    pub fn weakest_pivot(&self) -> f64 {
        self.weakest
    }

    /// Factors the matrix that was written to `matrix_mut`.
    pub fn factor_in_place(&mut self) -> Result<(), Singular> {
        let n = self.n;
        self.weakest = 1.0;
        for row in 0..n {
            let largest = self.lu[row * n..(row + 1) * n].iter().fold(0.0, |m: f64, v| m.max(v.size()));
            // A row of zeros is found as a zero pivot below.
            self.scale[row] = if largest > 0.0 { 1.0 / largest } else { 1.0 };
        }
        for k in 0..n {
            let (mut best, mut pivot) = (-1.0, k);
            for row in k..n {
                let size = self.lu[row * n + k].size() * self.scale[row];
                if size > best {
                    (best, pivot) = (size, row);
                }
            }
            if !(best > 0.0 && best < f64::INFINITY) {
                return Err(Singular { column: k });
            }
            self.weakest = self.weakest.min(best);
            self.swaps[k] = pivot as u32;
            if pivot != k {
                self.scale.swap(k, pivot);
                let (upper, lower) = self.lu.split_at_mut(pivot * n);
                upper[k * n..(k + 1) * n].swap_with_slice(&mut lower[..n]);
            }
            let (upper, lower) = self.lu.split_at_mut((k + 1) * n);
            let pivot_row = &upper[k * n..];
            for row in lower.chunks_exact_mut(n) {
                let factor = row[k] / pivot_row[k];
                row[k] = factor;
                if factor != T::default() {
                    for (entry, &above) in row[k + 1..].iter_mut().zip(&pivot_row[k + 1..]) {
                        *entry -= factor * above;
                    }
                }
            }
        }
        Ok(())
    }

    /// Overwrites `b` with the solution.
    pub fn solve(&mut self, b: &mut [T]) {
        let n = self.n;
        for k in 0..n {
            b.swap(k, self.swaps[k] as usize);
        }
        // The size known to the compiler, a small system takes a quarter of the instructions.
        match n {
            2 => substitute_small::<T, 2>(&self.lu, b),
            3 => substitute_small::<T, 3>(&self.lu, b),
            4 => substitute_small::<T, 4>(&self.lu, b),
            5 => substitute_small::<T, 5>(&self.lu, b),
            6 => substitute_small::<T, 6>(&self.lu, b),
            7 => substitute_small::<T, 7>(&self.lu, b),
            8 => substitute_small::<T, 8>(&self.lu, b),
            _ => substitute(n, &self.lu, b),
        }
    }
}

/// Forward and backward substitution.
fn substitute<T: Scalar>(n: usize, lu: &[T], b: &mut [T]) {
    for row in 1..n {
        let mut sum = b[row];
        for (&factor, &value) in lu[row * n..row * n + row].iter().zip(&*b) {
            sum -= factor * value;
        }
        b[row] = sum;
    }
    for row in (0..n).rev() {
        let mut sum = b[row];
        for (&factor, &value) in lu[row * n + row + 1..(row + 1) * n].iter().zip(&b[row + 1..]) {
            sum -= factor * value;
        }
        b[row] = sum / lu[row * n + row];
    }
}

/// The same in the same order.
fn substitute_small<T: Scalar, const N: usize>(lu: &[T], b: &mut [T]) {
    let (rows, Some(b)) = (lu.as_chunks::<N>().0, b.first_chunk_mut::<N>()) else { return };
    for (row, factors) in rows.iter().enumerate() {
        for k in 0..row {
            let value = b[k];
            b[row] -= factors[k] * value;
        }
    }
    for (row, factors) in rows.iter().enumerate().rev() {
        for k in row + 1..N {
            let value = b[k];
            b[row] -= factors[k] * value;
        }
        b[row] = b[row] / factors[row];
    }
}

impl DenseLu<f64> {
    /// Factors a copy of a square matrix.
    pub fn factor(&mut self, matrix: &Dense) -> Result<(), Singular> {
        self.lu.copy_from_slice(&matrix.data);
        self.factor_in_place()
    }
}
