//! Linear systems solved again and again, including those that are singular but consistent.

use super::{DenseLu, Lu, Matrix, Pattern, RankRevealing, Singular, SparseLu, dependent_rows};

/// Relative size below which a pivot or a residual counts as zero.
const ZERO: f64 = 1e-11;

/// A square system of fixed shape: write the matrix, `factor`, then `solve` for any right-hand sides.
#[derive(Clone, Debug)]
pub struct LinearSystem {
    matrix: Matrix,
    lu: Lu<f64>,
    rank: Option<Box<RankRevealing>>,
}

/// What factoring found.
#[derive(Clone, Debug, PartialEq)]
pub enum Regularity {
    Regular,
    /// Some equations repeat others; the unknowns listed are left open and get the solution of least norm.
    Deficient {
        rank: usize,
        dependent_rows: Vec<usize>,
        open_columns: Vec<usize>,
    },
}

/// The equations contradict each other, most of all in this row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contradiction {
    pub row: usize,
}

impl LinearSystem {
    /// Memory for `n` equations, sparse if a pattern is given; fails when the pattern is structurally singular.
    pub fn new(n: usize, pattern: Option<&Pattern>) -> Result<Self, Singular> {
        let lu = match pattern {
            Some(pattern) => Lu::Sparse(Box::new(SparseLu::new(pattern)?)),
            None => Lu::Dense(DenseLu::new(n)),
        };
        Ok(LinearSystem { matrix: Matrix::new(n, pattern), lu, rank: None })
    }

    /// The matrix to write before `factor`.
    pub fn matrix_mut(&mut self) -> &mut Matrix {
        &mut self.matrix
    }

    /// Factors the matrix. A dense one may be singular; a sparse one may not.
    pub fn factor(&mut self) -> Result<Regularity, Singular> {
        self.rank = None;
        match (&mut self.lu, &self.matrix) {
            (Lu::Dense(lu), Matrix::Dense(matrix)) => {
                if !matrix.data().iter().all(|v| v.is_finite()) {
                    let column =
                        matrix.data().iter().position(|v| !v.is_finite()).unwrap_or(0) % matrix.columns();
                    return Err(Singular { column, structural: false });
                }
                let regular = lu.factor(matrix).is_ok() && lu.weakest_pivot() > 1e-14;
                if !regular {
                    let rank = RankRevealing::new(matrix, ZERO);
                    if rank.rank() < matrix.rows() {
                        let found = Regularity::Deficient {
                            rank: rank.rank(),
                            dependent_rows: dependent_rows(matrix, ZERO),
                            open_columns: rank.free_columns().to_vec(),
                        };
                        self.rank = Some(Box::new(rank));
                        return Ok(found);
                    }
                    self.rank = Some(Box::new(rank));
                }
                Ok(Regularity::Regular)
            }
            (Lu::Sparse(lu), Matrix::Sparse(matrix)) => {
                lu.factor(&matrix.values).map(|()| Regularity::Regular)
            }
            _ => Err(Singular { column: 0, structural: true }),
        }
    }

    /// Overwrites `b` with the solution.
    pub fn solve(&mut self, b: &mut [f64]) -> Result<(), Contradiction> {
        match (&self.rank, &self.matrix) {
            (Some(rank), Matrix::Dense(matrix)) => {
                let found = rank.solve(matrix, b, 1e-9);
                if !found.consistent {
                    return Err(Contradiction { row: found.worst_row.unwrap_or(0) });
                }
                b.copy_from_slice(&found.x);
            }
            _ => self.lu.solve(b),
        }
        Ok(())
    }
}
