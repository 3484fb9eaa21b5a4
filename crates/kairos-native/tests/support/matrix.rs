//! Matrices as rows, for checking equations between them.
#![allow(dead_code)]

use kairos_native::Arg;

use super::near;

pub type Matrix = Vec<Vec<f64>>;

pub fn shaped(data: &[f64], columns: usize) -> Matrix {
    data.chunks(columns).map(<[f64]>::to_vec).collect()
}

pub fn times(a: &Matrix, b: &Matrix) -> Matrix {
    let entry = |row: &Vec<f64>, j: usize| row.iter().zip(b).map(|(x, b)| x * b[j]).sum();
    a.iter().map(|row| (0..b[0].len()).map(|j| entry(row, j)).collect()).collect()
}

pub fn transposed(a: &Matrix) -> Matrix {
    (0..a[0].len()).map(|j| a.iter().map(|row| row[j]).collect()).collect()
}

pub fn assert_same(a: &Matrix, b: &Matrix, tolerance: f64) {
    for (a, b) in a.iter().flatten().zip(b.iter().flatten()) {
        assert!(near(*a, *b, tolerance), "{a} is not {b}");
    }
}

pub fn identity(n: usize) -> Matrix {
    (0..n).map(|i| (0..n).map(|j| if i == j { 1.0 } else { 0.0 }).collect()).collect()
}

pub fn zeros(n: usize) -> Arg {
    Arg::reals(vec![0.0; n])
}

pub fn square(n: usize) -> Arg {
    Arg::matrix(n, n, vec![0.0; n * n])
}

pub fn size(n: usize) -> Arg {
    Arg::Int(n as i64)
}
