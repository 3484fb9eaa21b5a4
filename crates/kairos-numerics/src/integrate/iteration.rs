//! Jacobians and iteration matrices of implicit methods.

use super::{Ode, Stats, Tolerance};
use crate::Eval;
use crate::linear::{Colouring, DenseLu, Lu, Matrix, Pattern, Scalar, Singular, SparseLu};
use serde::{Deserialize, Serialize};

/// The Jacobian of a right-hand side, by the system's own code or by differences.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Jacobian {
    pub matrix: Matrix,
    colours: Colouring,
    /// Sizes below which values count as small: the quotient of absolute and relative tolerance.
    typical: Vec<f64>,
    shifted: Vec<f64>,
    value: Vec<f64>,
}

impl Jacobian {
    pub fn new(n: usize, pattern: Option<&Pattern>, tolerance: &Tolerance) -> Self {
        let typical =
            tolerance.absolute.iter().map(|absolute| absolute / tolerance.relative.max(1e-15)).collect();
        let colours =
            pattern.map_or_else(|| Colouring::trivial(n), |pattern| Colouring::new(pattern.lists()));
        Jacobian {
            matrix: Matrix::new(n, pattern),
            colours,
            typical,
            shifted: vec![0.0; n],
            value: vec![0.0; n],
        }
    }

    /// About what it costs, in evaluations of the right-hand side.
    pub fn price(&self) -> usize {
        self.colours.len()
    }

    /// Evaluates at `x`, where `f` is the right-hand side.
    pub fn evaluate(
        &mut self,
        system: &mut dyn Ode,
        t: f64,
        x: &[f64],
        f: &[f64],
        stats: &mut Stats,
    ) -> Result<(), Eval> {
        stats.jacobian_evaluations += 1;
        self.matrix.fill(0.0);
        // Where an exponential has overflowed, a quotient by it still has a value, but no derivative.
        if system.jacobian(t, x, &mut self.matrix)? && self.matrix.is_finite() {
            return Ok(());
        }
        self.by_differences(x, f, stats, |x, out| system.rhs(t, x, out))
    }

    /// Differences `function` around `x` in steps that suit its sizes.
    fn by_differences(
        &mut self,
        x: &[f64],
        f: &[f64],
        stats: &mut Stats,
        mut function: impl FnMut(&[f64], &mut [f64]) -> Result<(), Eval>,
    ) -> Result<(), Eval> {
        let n = x.len();
        let root = f64::EPSILON.sqrt();
        let typical = &self.typical;
        let increment = |j: usize| {
            let wanted = root * x[j].abs().max(typical[j]);
            // What is really added after rounding.
            (x[j] + wanted) - x[j]
        };
        let usable = |j: usize| {
            let step = increment(j);
            if step != 0.0 && step.is_finite() { step } else { root }
        };
        self.shifted.copy_from_slice(x);
        for group in 0..self.colours.len() {
            for &column in self.colours.group(group) {
                self.shifted[column as usize] += usable(column as usize);
            }
            stats.difference_evaluations += 1;
            function(&self.shifted, &mut self.value)?;
            for &column in self.colours.group(group) {
                let j = column as usize;
                let inverse = 1.0 / usable(j);
                match &mut self.matrix {
                    Matrix::Dense(dense) => {
                        let data = dense.data_mut();
                        for row in 0..n {
                            data[row * n + j] = (self.value[row] - f[row]) * inverse;
                        }
                    }
                    Matrix::Sparse(csc) => {
                        for at in csc.pattern.range(j) {
                            let row = csc.pattern.rows[at] as usize;
                            csc.values[at] = (self.value[row] - f[row]) * inverse;
                        }
                    }
                }
                self.shifted[j] = x[j];
            }
        }
        Ok(())
    }
}

/// A factorisation of `a I + b J`, where `J` keeps its pattern.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Shifted<T: Scalar> {
    lu: Lu<T>,
    values: Vec<T>,
    /// Places of the entries of `J`, and of the diagonal, among the values.
    jacobian_at: Vec<u32>,
    diagonal_at: Vec<u32>,
}

impl<T: Scalar> Shifted<T> {
    pub fn new(n: usize, jacobian: &Matrix) -> Result<Self, Singular> {
        let Matrix::Sparse(csc) = jacobian else {
            let lu = Lu::Dense(DenseLu::new(n));
            return Ok(Shifted { lu, values: Vec::new(), jacobian_at: Vec::new(), diagonal_at: Vec::new() });
        };
        let diagonal = Pattern::from_entries(n, &(0..n as u32).map(|i| (i, i)).collect::<Vec<_>>());
        let all = csc.pattern.with_diagonal();
        let places = |pattern: &Pattern| {
            let of_column = |column: usize| pattern.column(column).iter().map(move |&row| (row, column));
            (0..n).flat_map(of_column).filter_map(|(row, c)| all.find(row, c)).map(|at| at as u32).collect()
        };
        Ok(Shifted {
            values: vec![T::default(); all.len()],
            jacobian_at: places(&csc.pattern),
            diagonal_at: places(&diagonal),
            lu: Lu::Sparse(Box::new(SparseLu::new(&all)?)),
        })
    }

    /// Forms and factors `diagonal * I + factor * J`.
    pub fn factor(&mut self, diagonal: T, factor: f64, jacobian: &Matrix) -> Result<(), Singular> {
        match (&mut self.lu, jacobian) {
            (Lu::Dense(lu), Matrix::Dense(jacobian)) => {
                let n = jacobian.rows();
                let out = lu.matrix_mut();
                for (entry, &j) in out.iter_mut().zip(jacobian.data()) {
                    *entry = T::real(factor * j);
                }
                (0..n).for_each(|i| out[i * n + i] += diagonal);
                lu.factor_in_place()
            }
            (Lu::Sparse(lu), Matrix::Sparse(jacobian)) => {
                self.values.fill(T::default());
                for (&at, &j) in self.jacobian_at.iter().zip(&jacobian.values) {
                    self.values[at as usize] += T::real(factor * j);
                }
                self.diagonal_at.iter().for_each(|&at| self.values[at as usize] += diagonal);
                lu.factor(&self.values)
            }
            _ => Err(Singular { column: 0 }),
        }
    }

    pub fn solve(&mut self, b: &mut [T]) {
        self.lu.solve(b);
    }
}

impl Shifted<f64> {
    /// Leaves of a vector what is stiff: a power of `1 - 1/M`, where `M` is the matrix with a diagonal of one, leaves nothing of what
    /// the step resolves.
    pub fn keep_fast(&mut self, diagonal: f64, vector: &mut [f64], buffer: &mut [f64], power: usize) {
        for _ in 0..power {
            buffer.copy_from_slice(vector);
            self.solve(buffer);
            vector.iter_mut().zip(&*buffer).for_each(|(fast, slow)| *fast -= diagonal * slow);
        }
    }
}
