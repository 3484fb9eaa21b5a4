//! Eigenvectors of a real Schur form by substitution.

use super::complex::Complex;
use super::dense::Dense;
use super::schur::quasi_triangular_eigenvalues;

/// How vectors are scaled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scaling {
    /// Length one, the largest component real.
    Length,
    /// The largest component has magnitude one, counted as |re| + |im|.
    Largest,
}

/// Right eigenvectors of quasi-triangular `t`, each multiplied by `z`.
pub(crate) fn right(t: &Dense, z: &Dense, scaling: Scaling) -> Vec<Vec<Complex>> {
    let values = quasi_triangular_eigenvalues(t);
    let mut vectors: Vec<Vec<Complex>> = Vec::with_capacity(t.rows);
    for (k, &value) in values.iter().enumerate() {
        if value.im < 0.0 {
            // The second of a pair is the conjugate of the first.
            let conjugate = vectors[k - 1].iter().map(|x| x.conj()).collect();
            vectors.push(conjugate);
            continue;
        }
        let mut vector = multiplied(z, &substituted(t, k, value));
        scale(&mut vector, scaling);
        vectors.push(vector);
    }
    vectors
}

/// Left eigenvectors `y` with `y^H t = value y^H`, each multiplied by `z`.
pub(crate) fn left(t: &Dense, z: &Dense, scaling: Scaling) -> Vec<Vec<Complex>> {
    let n = t.rows;
    // Turned over, the transposed matrix is quasi-triangular again.
    let turned = Dense::from_fn(n, n, |i, j| t[(n - 1 - j, n - 1 - i)]);
    let turned_z = Dense::from_fn(z.rows, n, |i, j| z[(i, n - 1 - j)]);
    let mut vectors = right(&turned, &turned_z, scaling);
    vectors.reverse();
    // Reversal exchanges the members of a pair, which is the conjugation that left vectors need.
    vectors
}

/// Vectors as LAPACK stores them: real and imaginary part of a pair in two neighbouring columns.
pub(crate) fn packed(values: &[Complex], vectors: &[Vec<Complex>]) -> Dense {
    let n = vectors.len();
    let part = |i: usize, j: usize| {
        if values[j].im < 0.0 { vectors[j - 1][i].im } else { vectors[j][i].re }
    };
    Dense::from_fn(vectors.first().map_or(0, Vec::len), n, part)
}

pub(crate) fn scale(vector: &mut [Complex], scaling: Scaling) {
    let largest = vector.iter().fold(0.0, |largest: f64, x| largest.max(x.re.abs().max(x.im.abs())));
    if largest == 0.0 {
        return;
    }
    let factor = match scaling {
        Scaling::Largest => {
            let size = vector.iter().fold(0.0, |size: f64, x| size.max(x.re.abs() + x.im.abs()));
            Complex::real(1.0 / size)
        }
        Scaling::Length => {
            let length = largest * vector.iter().map(|x| (x.abs() / largest).powi(2)).sum::<f64>().sqrt();
            let is_real = vector.iter().all(|x| x.im == 0.0);
            let top =
                vector.iter().fold(Complex::default(), |top, &x| if x.abs() > top.abs() { x } else { top });
            let turn = if is_real { Complex::real(1.0) } else { top.conj().scaled(1.0 / top.abs()) };
            turn.scaled(1.0 / length)
        }
    };
    vector.iter_mut().for_each(|x| *x = *x * factor);
}

fn multiplied(z: &Dense, x: &[Complex]) -> Vec<Complex> {
    let row =
        |i: usize| x.iter().enumerate().fold(Complex::default(), |sum, (j, &x)| sum + x.scaled(z[(i, j)]));
    (0..z.rows).map(row).collect()
}

/// Solves `(t - value I) x = 0` with the free component at the block of `k`.
fn substituted(t: &Dense, k: usize, value: Complex) -> Vec<Complex> {
    let mut x = vec![Complex::default(); t.rows];
    // Without a finite matrix the last row may claim a pair; its vector is then as meaningless as its value.
    if value.im > 0.0 && k + 1 < t.rows {
        x[k] = Complex::real(t[(k, k + 1)]);
        x[k + 1] = value - Complex::real(t[(k, k)]);
    } else {
        x[k] = Complex::real(1.0);
    }
    // Nearly equal eigenvalues would divide by zero; LAPACK perturbs them likewise.
    let size = t.norm_max();
    let smallest = (f64::EPSILON * size).max(f64::MIN_POSITIVE);
    let guarded = |d: Complex| if d.abs() < smallest { Complex::real(smallest) } else { d };
    let mut j = k;
    while j > 0 {
        j -= 1;
        let rest = |i: usize, x: &[Complex]| {
            (j + 1..t.rows).fold(Complex::default(), |sum, m| sum - x[m].scaled(t[(i, m)]))
        };
        if j > 0 && t[(j, j - 1)] != 0.0 {
            let (a, d) = (Complex::real(t[(j - 1, j - 1)]) - value, Complex::real(t[(j, j)]) - value);
            let (b, c) = (Complex::real(t[(j - 1, j)]), Complex::real(t[(j, j - 1)]));
            let (r0, r1) = (rest(j - 1, &x), rest(j, &x));
            let determinant = a * d - b * c;
            let floor = smallest * size.max(smallest);
            let determinant = if determinant.abs() < floor { Complex::real(floor) } else { determinant };
            x[j - 1] = (r0 * d - r1 * b) / determinant;
            x[j] = (r1 * a - r0 * c) / determinant;
            j -= 1;
        } else {
            x[j] = rest(j, &x) / guarded(Complex::real(t[(j, j)]) - value);
        }
        // Long chains of large quotients must not overflow.
        if x.iter().any(|x| x.abs() > 1e150) {
            x.iter_mut().for_each(|x| *x = x.scaled(1e-150));
        }
    }
    x
}
