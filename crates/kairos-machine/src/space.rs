//! The work space of one system.

use kairos_numerics::linear::{LinearSystem, Matrix};
use kairos_program::program::Solve;
use serde::{Deserialize, Serialize};

/// Memory for one system, kept between solutions.
#[derive(Clone, Serialize, Deserialize)]
pub struct Space {
    /// The Jacobian and its factors.
    pub linear: LinearSystem,
    pub start: Vec<f64>,
    pub step: Vec<f64>,
    pub residual: Vec<f64>,
    pub scale: Vec<f64>,
    /// The last factorisation for the state Jacobian failed.
    pub singular: bool,
    /// What the factors were computed from, where they stay good as long as that stays the same.
    pub kept: Option<Vec<f64>>,
    /// How many inverses have been kept.
    pub inverted: usize,
    /// What is known of its two forms: from the motion and its events, and from looks, which must not change what these do.
    pub known: [Known; 2],
    /// How far each eliminated unknown moves when one of the others changes by its size, as the last Jacobian says.
    pub spread: Vec<f64>,
    /// All unknowns before a solution, where there is another form.
    pub before: Vec<f64>,
}

/// What has been learnt of the two forms of a system.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
pub struct Known {
    pub way: Way,
    /// After a whole system that was not solved: how many solutions go by until it is tried again, and how many did last time.
    pub vain: (u32, u32),
    /// How many times in a row the torn form was not solved, and the whole one was.
    pub failures: u32,
}

/// Which form of a system is solved.
#[derive(Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Way {
    #[default]
    /// The torn one; the other has not been compared yet.
    Untried,
    Torn,
    /// The one before tearing: what was eliminated came out wrong.
    Whole,
}

impl Space {
    pub fn new(solve: &Solve) -> Space {
        let n = solve.unknowns.len();
        let pattern = solve.sparsity.as_ref().filter(|s| s.is_sparse).map(|s| &s.pattern);
        Space {
            linear: LinearSystem::new(n, pattern),
            start: vec![0.0; n],
            step: vec![0.0; n],
            residual: vec![0.0; n],
            scale: vec![1.0; n],
            singular: false,
            kept: None,
            inverted: 0,
            known: [Known::default(); 2],
            spread: Vec::new(),
            before: Vec::new(),
        }
    }

    /// The form that is right for the motion, or for a look: what the motion has found out holds for both.
    pub fn way(&self, looks: bool) -> Way {
        match self.known[0].way {
            Way::Untried => self.known[usize::from(looks)].way,
            known => known,
        }
    }

    /// Takes a column of the Jacobian: the entries that the pattern has there, if there is one.
    pub fn put_column(&mut self, solve: &Solve, column: usize, entry: impl Fn(usize) -> f64) {
        match (self.linear.matrix_mut(), &solve.sparsity) {
            (Matrix::Sparse(csc), _) => {
                for at in csc.pattern.range(column) {
                    csc.values[at] = entry(csc.pattern.rows[at] as usize);
                }
            }
            (Matrix::Dense(dense), Some(sparsity)) => {
                for &row in sparsity.pattern.column(column) {
                    dense[(row as usize, column)] = entry(row as usize);
                }
            }
            (Matrix::Dense(dense), None) => {
                (0..dense.rows()).for_each(|row| dense[(row, column)] = entry(row));
            }
        }
    }

    /// How much of the step can be taken so that what is within its limits stays there.
    pub fn within(&self, limits: &[(f64, f64)]) -> f64 {
        const SHARE: f64 = 0.8;
        let steps = self.start.iter().zip(&self.step).zip(limits);
        steps.fold(1.0, |factor: f64, ((x, step), (least, greatest))| {
            let room = if *step < 0.0 { x - least } else { greatest - x };
            if room > 0.0 { factor.min(SHARE * room / step.abs()) } else { factor }
        })
    }

    /// Scales each residual by its largest term, for unknowns of these sizes.
    pub fn scale_rows(&mut self, sizes: &[f64]) {
        self.scale.fill(0.0);
        match self.linear.matrix() {
            Matrix::Dense(dense) => {
                for (row, scale) in self.scale.iter_mut().enumerate() {
                    *scale =
                        dense.row(row).iter().zip(sizes).map(|(a, size)| a.abs() * size).fold(0.0, f64::max);
                }
            }
            Matrix::Sparse(csc) => {
                for (column, size) in sizes.iter().enumerate() {
                    for at in csc.pattern.range(column) {
                        let scale = &mut self.scale[csc.pattern.rows[at] as usize];
                        *scale = scale.max(csc.values[at].abs() * size);
                    }
                }
            }
        }
        for scale in &mut self.scale {
            *scale = if *scale > 0.0 && scale.is_finite() { 1.0 / *scale } else { 1.0 };
        }
    }

    /// Overwrites the step, a right-hand side, with the solution.
    pub fn solve(&mut self) {
        self.linear.solve(&mut self.step);
    }

    pub fn is_finite(&self) -> bool {
        self.linear.matrix().is_finite() && self.residual.iter().all(|x| x.is_finite())
    }
}
