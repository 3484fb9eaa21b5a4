//! Jacobians and iteration matrices of implicit methods.

use super::{Ode, Stats, Tolerance};
use crate::Eval;
use crate::linear::{Colouring, Csc, Dense, DenseLu, Lu, Matrix, Pattern, Scalar, Singular, SparseLu};

/// The Jacobian of a right-hand side, by the system's own code or by differences.
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
        let colours = pattern.map_or_else(|| Colouring::trivial(n), |pattern| Colouring::new(pattern, n));
        Jacobian {
            matrix: Matrix::new(n, pattern),
            colours,
            typical,
            shifted: vec![0.0; n],
            value: vec![0.0; n],
        }
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
        if system.jacobian(t, x, &mut self.matrix)? && self.is_finite() {
            return Ok(());
        }
        self.by_differences(x, f, None, stats, |x, out, _| system.rhs(t, x, out))
    }

    fn is_finite(&self) -> bool {
        let values = match &self.matrix {
            Matrix::Dense(dense) => dense.data(),
            Matrix::Sparse(csc) => &csc.values,
        };
        values.iter().all(|value| value.is_finite())
    }

    /// Differences `function` around `x` in steps that suit its sizes and `moves`; the closure also gets the signed increment of the group's columns.
    pub fn by_differences(
        &mut self,
        x: &[f64],
        f: &[f64],
        moves: Option<&[f64]>,
        stats: &mut Stats,
        mut function: impl FnMut(&[f64], &mut [f64], &dyn Fn(usize) -> f64) -> Result<(), Eval>,
    ) -> Result<(), Eval> {
        let n = x.len();
        let root = f64::EPSILON.sqrt();
        let typical = &self.typical;
        let increment = |j: usize| {
            let moves = moves.map_or(0.0, |moves| moves[j].abs());
            let wanted = root * x[j].abs().max(typical[j]).max(moves);
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
            let shifted = &self.shifted;
            function(shifted, &mut self.value, &|j| if shifted[j] != x[j] { usable(j) } else { 0.0 })?;
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

/// A factorisation of `a M + b J`, where `J` and `M` keep their patterns.
pub(crate) struct Shifted<T: Scalar> {
    lu: Lu<T>,
    values: Vec<T>,
    /// Places of the entries of `J`, and of `M` or the diagonal, among the values.
    jacobian_at: Vec<u32>,
    mass_at: Vec<u32>,
}

impl<T: Scalar> Shifted<T> {
    pub fn new(n: usize, jacobian: &Matrix, mass: Option<&Matrix>) -> Result<Self, Singular> {
        let Matrix::Sparse(csc) = jacobian else {
            let lu = Lu::Dense(DenseLu::new(n));
            return Ok(Shifted { lu, values: Vec::new(), jacobian_at: Vec::new(), mass_at: Vec::new() });
        };
        let mass_pattern = match mass {
            Some(Matrix::Sparse(mass)) => mass.pattern.clone(),
            _ => Pattern::from_entries(n, &(0..n as u32).map(|i| (i, i)).collect::<Vec<_>>()),
        };
        let mut entries = Vec::with_capacity(csc.pattern.len() + mass_pattern.len());
        for pattern in [&csc.pattern, &mass_pattern] {
            for column in 0..n {
                entries.extend(pattern.column(column).iter().map(|&row| (row, column as u32)));
            }
        }
        let all = Pattern::from_entries(n, &entries);
        let places = |pattern: &Pattern| {
            let of_column = |column: usize| pattern.column(column).iter().map(move |&row| (row, column));
            (0..n).flat_map(of_column).filter_map(|(row, c)| all.find(row, c)).map(|at| at as u32).collect()
        };
        Ok(Shifted {
            values: vec![T::default(); all.len()],
            jacobian_at: places(&csc.pattern),
            mass_at: places(&mass_pattern),
            lu: Lu::Sparse(Box::new(SparseLu::new(&all)?)),
        })
    }

    /// Forms and factors `mass_factor * M + jacobian_factor * J`.
    pub fn factor(
        &mut self,
        mass_factor: T,
        mass: Option<&Matrix>,
        jacobian_factor: f64,
        jacobian: &Matrix,
    ) -> Result<(), Singular> {
        match (&mut self.lu, jacobian) {
            (Lu::Dense(lu), Matrix::Dense(jacobian)) => {
                let n = jacobian.rows();
                let out = lu.matrix_mut();
                for (entry, &j) in out.iter_mut().zip(jacobian.data()) {
                    *entry = T::real(jacobian_factor * j);
                }
                match mass {
                    Some(Matrix::Dense(mass)) => {
                        for (entry, &m) in out.iter_mut().zip(mass.data()) {
                            *entry += mass_factor.scale(m);
                        }
                    }
                    _ => (0..n).for_each(|i| out[i * n + i] += mass_factor),
                }
                lu.factor_in_place()
            }
            (Lu::Sparse(lu), Matrix::Sparse(jacobian)) => {
                self.values.fill(T::default());
                for (&at, &j) in self.jacobian_at.iter().zip(&jacobian.values) {
                    self.values[at as usize] += T::real(jacobian_factor * j);
                }
                match mass {
                    Some(Matrix::Sparse(mass)) => {
                        for (&at, &m) in self.mass_at.iter().zip(&mass.values) {
                            self.values[at as usize] += mass_factor.scale(m);
                        }
                    }
                    _ => self.mass_at.iter().for_each(|&at| self.values[at as usize] += mass_factor),
                }
                lu.factor(&self.values)
            }
            _ => Err(Singular { column: 0 }),
        }
    }

    pub fn solve(&mut self, b: &mut [T]) {
        self.lu.solve(b);
    }
}

/// A mass matrix in the storage of the Jacobian.
pub(crate) fn mass_like(system: &dyn Ode) -> Option<Matrix> {
    let n = system.dimension();
    let mass = system.mass()?;
    Some(match (mass, system.pattern()) {
        (Matrix::Sparse(csc), None) => {
            let mut dense = Dense::new(n, n);
            for column in 0..n {
                for at in csc.pattern.range(column) {
                    dense[(csc.pattern.rows[at] as usize, column)] = csc.values[at];
                }
            }
            Matrix::Dense(dense)
        }
        (Matrix::Dense(dense), Some(_)) => {
            let mut triples = Vec::new();
            for row in 0..n {
                let entries = dense.row(row).iter().enumerate().filter(|(_, v)| **v != 0.0);
                triples.extend(entries.map(|(column, &v)| (row as u32, column as u32, v)));
            }
            Matrix::Sparse(Csc::from_triples(n, &triples))
        }
        _ => mass.clone(),
    })
}
