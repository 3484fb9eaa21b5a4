//! Test problems with known solutions.
#![allow(dead_code)] // Each test file uses some of them.

use kairos_numerics::Eval;
use kairos_numerics::integrate::{Failure, Integrator, Ode};
use kairos_numerics::linear::{Csc, Matrix, Pattern};

/// A system given by a function.
pub struct Plain<F>(pub usize, pub F);

impl<F: FnMut(f64, &[f64], &mut [f64])> Ode for Plain<F> {
    fn dimension(&self) -> usize {
        self.0
    }

    fn rhs(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Eval> {
        (self.1)(t, x, dx);
        Ok(())
    }
}

/// Steps to `end` and returns the state there.
pub fn run(integrator: &mut dyn Integrator, system: &mut dyn Ode, end: f64) -> Result<Vec<f64>, Failure> {
    while !integrator.step(system, end)?.at_limit {}
    Ok(integrator.state().to_vec())
}

/// The largest difference relative to the sizes of the exact values.
pub fn error(found: &[f64], exact: &[f64]) -> f64 {
    found.iter().zip(exact).map(|(f, e)| (f - e).abs() / e.abs().max(1e-300)).fold(0.0, f64::max)
}

pub struct VanDerPol;

impl VanDerPol {
    pub const START: [f64; 2] = [2.0, 0.0];
    pub const END: [f64; 2] = [1.706167732170483, -0.8928097010247975e-3];
    pub const TIME: f64 = 2000.0;
}

impl Ode for VanDerPol {
    fn dimension(&self) -> usize {
        2
    }

    fn rhs(&mut self, _t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Eval> {
        dx[0] = x[1];
        dx[1] = 1000.0 * (1.0 - x[0] * x[0]) * x[1] - x[0];
        Ok(())
    }

    fn jacobian(&mut self, _t: f64, x: &[f64], jacobian: &mut Matrix) -> Result<bool, Eval> {
        if let Matrix::Dense(j) = jacobian {
            j[(0, 1)] = 1.0;
            j[(1, 0)] = -2000.0 * x[0] * x[1] - 1.0;
            j[(1, 1)] = 1000.0 * (1.0 - x[0] * x[0]);
        }
        Ok(true)
    }
}

/// Robertson's reactions.
pub struct Robertson {
    pattern: Option<Pattern>,
}

impl Robertson {
    pub const START: [f64; 3] = [1.0, 0.0, 0.0];
    pub const AT_40: [f64; 3] = [0.7158270687193, 0.9185534764e-5, 0.2841637457457];

    pub fn dense() -> Self {
        Robertson { pattern: None }
    }

    /// With a (full) sparse pattern.
    pub fn sparse() -> Self {
        let entries: Vec<(u32, u32)> = (0..9).map(|i| (i / 3, i % 3)).collect();
        Robertson { pattern: Some(Pattern::from_entries(3, &entries)) }
    }
}

impl Ode for Robertson {
    fn dimension(&self) -> usize {
        3
    }

    fn rhs(&mut self, _t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Eval> {
        let slow = 0.04 * x[0];
        let back = 1e4 * x[1] * x[2];
        let fast = 3e7 * x[1] * x[1];
        dx[0] = back - slow;
        dx[1] = slow - back - fast;
        dx[2] = fast;
        Ok(())
    }

    fn pattern(&self) -> Option<&Pattern> {
        self.pattern.as_ref()
    }

    fn accept(&mut self, _t: f64, x: &[f64]) -> Result<(), Eval> {
        // Below zero the reactions run away.
        if x.iter().any(|&v| v < -1e-6) { Err(Eval::Recoverable(0)) } else { Ok(()) }
    }
}

pub fn hires(_t: f64, y: &[f64], dy: &mut [f64]) {
    dy[0] = -1.71 * y[0] + 0.43 * y[1] + 8.32 * y[2] + 0.0007;
    dy[1] = 1.71 * y[0] - 8.75 * y[1];
    dy[2] = -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4];
    dy[3] = 8.32 * y[1] + 1.71 * y[2] - 1.12 * y[3];
    dy[4] = -1.745 * y[4] + 0.43 * (y[5] + y[6]);
    dy[5] = -280.0 * y[5] * y[7] + 0.69 * y[3] + 1.71 * y[4] - 0.43 * y[5] + 0.69 * y[6];
    dy[6] = 280.0 * y[5] * y[7] - 1.81 * y[6];
    dy[7] = -dy[6];
}

pub const HIRES_START: [f64; 8] = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0057];
pub const HIRES_TIME: f64 = 321.8122;
pub const HIRES_END: [f64; 8] = [
    0.7371312573325668e-3,
    0.1442485726316185e-3,
    0.5888729740967575e-4,
    0.1175651343283149e-2,
    0.2386356198831331e-2,
    0.6238968252742796e-2,
    0.2849998395185769e-2,
    0.2850001604814231e-2,
];

pub fn pleiades(_t: f64, y: &[f64], dy: &mut [f64]) {
    for i in 0..7 {
        let (mut ax, mut ay) = (0.0, 0.0);
        for j in (0..7).filter(|&j| j != i) {
            let (dx, dy) = (y[j] - y[i], y[7 + j] - y[7 + i]);
            let cube = (dx * dx + dy * dy).powf(1.5);
            ax += (j + 1) as f64 * dx / cube;
            ay += (j + 1) as f64 * dy / cube;
        }
        dy[i] = y[14 + i];
        dy[7 + i] = y[21 + i];
        dy[14 + i] = ax;
        dy[21 + i] = ay;
    }
}

pub const PLEIADES_START: [f64; 28] = [
    3.0, 3.0, -1.0, -3.0, 2.0, -2.0, 2.0, 3.0, -3.0, 2.0, 0.0, 0.0, -4.0, 4.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.75,
    -1.5, 0.0, 0.0, 0.0, -1.25, 1.0, 0.0, 0.0,
];
pub const PLEIADES_END: [f64; 14] = [
    0.3706139143970502,
    0.3237284092057233e1,
    -0.3222559032418324e1,
    0.659709145577531,
    0.3425581707156584,
    0.1562172101400631e1,
    -0.7003092922212495,
    -0.3943437585517392e1,
    -3.27138097397255,
    0.5225081843456543e1,
    -2.59061243497747,
    0.1198213693392275e1,
    -0.2429682344935824,
    1.09144924042898,
];

/// The Brusselator on a square grid with no flux over the border: `u` and `v` next to each other.
pub struct Brusselator {
    pub side: usize,
    pattern: Pattern,
    alpha: f64,
}

impl Brusselator {
    pub fn new(side: usize) -> Self {
        let mut entries = Vec::new();
        for cell in 0..side * side {
            for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                entries.push(((2 * cell + a) as u32, (2 * cell + b) as u32));
            }
            for other in neighbours(side, cell) {
                entries.push((2 * cell as u32, 2 * other as u32));
                entries.push((2 * cell as u32 + 1, 2 * other as u32 + 1));
            }
        }
        let pattern = Pattern::from_entries(2 * side * side, &entries);
        Brusselator { side, pattern, alpha: 0.002 * ((side - 1) * (side - 1)) as f64 }
    }

    pub fn start(&self) -> Vec<f64> {
        let last = (self.side - 1) as f64;
        let cell = |i: usize| ((i % self.side) as f64 / last, (i / self.side) as f64 / last);
        (0..self.side * self.side)
            .flat_map(|i| {
                let (x, y) = cell(i);
                [0.5 + y, 1.0 + 5.0 * x]
            })
            .collect()
    }
}

fn neighbours(side: usize, cell: usize) -> impl Iterator<Item = usize> {
    let (x, y) = (cell % side, cell / side);
    let candidates = [
        (x > 0).then(|| cell - 1),
        (x + 1 < side).then(|| cell + 1),
        (y > 0).then(|| cell - side),
        (y + 1 < side).then(|| cell + side),
    ];
    candidates.into_iter().flatten()
}

impl Ode for Brusselator {
    fn dimension(&self) -> usize {
        2 * self.side * self.side
    }

    fn rhs(&mut self, _t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Eval> {
        for cell in 0..self.side * self.side {
            let (u, v) = (x[2 * cell], x[2 * cell + 1]);
            let (mut du, mut dv) = (0.0, 0.0);
            for other in neighbours(self.side, cell) {
                du += x[2 * other] - u;
                dv += x[2 * other + 1] - v;
            }
            dx[2 * cell] = 1.0 + u * u * v - 4.4 * u + self.alpha * du;
            dx[2 * cell + 1] = 3.4 * u - u * u * v + self.alpha * dv;
        }
        Ok(())
    }

    fn pattern(&self) -> Option<&Pattern> {
        Some(&self.pattern)
    }

    fn jacobian(&mut self, _t: f64, x: &[f64], jacobian: &mut Matrix) -> Result<bool, Eval> {
        let Matrix::Sparse(Csc { pattern, values }) = jacobian else { return Ok(false) };
        for column in 0..x.len() {
            let cell = column / 2;
            let (u, v) = (x[2 * cell], x[2 * cell + 1]);
            let degree = neighbours(self.side, cell).count() as f64;
            for at in pattern.range(column) {
                let row = pattern.rows[at] as usize;
                values[at] = match (row / 2 == cell, row % 2, column % 2) {
                    (false, ..) => self.alpha,
                    (_, 0, 0) => 2.0 * u * v - 4.4 - self.alpha * degree,
                    (_, 0, _) => u * u,
                    (_, 1, 0) => 3.4 - 2.0 * u * v,
                    _ => -u * u - self.alpha * degree,
                };
            }
        }
        Ok(true)
    }
}
