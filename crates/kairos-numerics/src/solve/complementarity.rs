//! Linear complementarity problems by Lemke's method, with a lexicographic rule that cannot cycle.

use crate::linear::{Dense, DenseLu};

/// A solution: `w = M z + q` with `w, z ≥ 0` and `w·z = 0`.
#[derive(Clone, Debug, PartialEq)]
pub struct Complementarity {
    pub z: Vec<f64>,
    pub w: Vec<f64>,
    pub pivots: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoSolution {
    /// The path ended in a ray: for copositive-plus matrices (passive networks, contacts) there is no solution.
    Ray,
    /// The equations cannot be solved for the free unknowns.
    SingularEquations,
    NotFinite,
}

/// Solves `w = M z + q`, `0 ≤ w ⊥ z ≥ 0`.
pub fn solve_complementarity(m: &Dense, q: &[f64]) -> Result<Complementarity, NoSolution> {
    let n = q.len();
    if !q.iter().chain(m.data()).all(|v| v.is_finite()) {
        return Err(NoSolution::NotFinite);
    }
    if q.iter().all(|&v| v >= 0.0) {
        return Ok(Complementarity { z: vec![0.0; n], w: q.to_vec(), pivots: 0 });
    }
    Tableau::new(m, q).run(q)
}

/// Solves `0 = A x + B z + a`, `w = C x + D z + b`, `0 ≤ w ⊥ z ≥ 0`; returns `x` and the rest.
pub fn solve_mixed(
    a: &Dense,
    b: &Dense,
    c: &Dense,
    d: &Dense,
    equation_constant: &[f64],
    constant: &[f64],
) -> Result<(Vec<f64>, Complementarity), NoSolution> {
    let (free, n) = (equation_constant.len(), constant.len());
    let mut lu = DenseLu::new(free);
    lu.factor(a).map_err(|_| NoSolution::SingularEquations)?;
    let solved = |column: &mut dyn FnMut(usize) -> f64, lu: &mut DenseLu<f64>| {
        let mut out: Vec<f64> = (0..free).map(column).collect();
        lu.solve(&mut out);
        out
    };
    // x = -A⁻¹ (B z + a), so M = D - C A⁻¹ B and q = b - C A⁻¹ a.
    let mut m = d.clone();
    let mut q = constant.to_vec();
    for column in 0..n {
        let part = solved(&mut |row| b[(row, column)], &mut lu);
        for row in 0..n {
            m[(row, column)] -= c.row(row).iter().zip(&part).map(|(c, p)| c * p).sum::<f64>();
        }
    }
    let part = solved(&mut |row| equation_constant[row], &mut lu);
    for row in 0..n {
        q[row] -= c.row(row).iter().zip(&part).map(|(c, p)| c * p).sum::<f64>();
    }
    let found = solve_complementarity(&m, &q)?;
    let x = solved(
        &mut |row| {
            -(equation_constant[row] + b.row(row).iter().zip(&found.z).map(|(b, z)| b * z).sum::<f64>())
        },
        &mut lu,
    );
    Ok((x, found))
}

/// The equation `w - M z - e z₀ = q` in the present basis.
struct Tableau {
    n: usize,
    /// Columns: w (which also carry the basis inverse), z, z₀, q.
    rows: Vec<f64>,
    width: usize,
    basis: Vec<usize>,
    scale: Vec<f64>,
}

impl Tableau {
    fn new(m: &Dense, q: &[f64]) -> Self {
        let n = q.len();
        let width = 2 * n + 2;
        let mut rows = vec![0.0; n * width];
        let mut scale = vec![1.0; n];
        for row in 0..n {
            let largest = m.row(row).iter().fold(q[row].abs(), |m, v| m.max(v.abs()));
            scale[row] = if largest > 0.0 { 1.0 / largest } else { 1.0 };
            let line = &mut rows[row * width..(row + 1) * width];
            line[row] = 1.0;
            for column in 0..n {
                line[n + column] = -m[(row, column)] * scale[row];
            }
            line[2 * n] = -1.0;
            line[2 * n + 1] = q[row] * scale[row];
        }
        Tableau { n, rows, width, basis: (0..n).collect(), scale }
    }

    fn at(&self, row: usize, column: usize) -> f64 {
        self.rows[row * self.width + column]
    }

    fn run(mut self, q: &[f64]) -> Result<Complementarity, NoSolution> {
        let n = self.n;
        let artificial = 2 * n;
        // z₀ enters at the row that is lexicographically most negative.
        let mut leaving = 0;
        for row in 1..n {
            if self.lexicographic(row, 1.0, leaving, 1.0) {
                leaving = row;
            }
        }
        let mut pivots = 0;
        let mut entering = artificial;
        loop {
            let left = self.basis[leaving];
            self.pivot(leaving, entering);
            pivots += 1;
            if left == artificial {
                return self.read(q, pivots);
            }
            if pivots > 50 * (n + 10) * (n + 10) || !self.at(leaving, 2 * n + 1).is_finite() {
                return Err(NoSolution::NotFinite);
            }
            entering = if left < n { left + n } else { left - n };
            leaving = self.ratio(entering).ok_or(NoSolution::Ray)?;
        }
    }

    /// The row that limits the entering variable; z₀ leaves first among equals.
    fn ratio(&self, entering: usize) -> Option<usize> {
        let mut best: Option<usize> = None;
        for row in 0..self.n {
            let factor = self.at(row, entering);
            if factor <= 1e-11 {
                continue;
            }
            best = Some(match best {
                None => row,
                Some(other) if self.lexicographic(row, factor, other, self.at(other, entering)) => row,
                Some(other) => other,
            });
        }
        let best_row = best?;
        let value = |row: usize| self.at(row, 2 * self.n + 1) / self.at(row, entering);
        let artificial = (0..self.n).find(|&row| self.basis[row] == 2 * self.n);
        match artificial {
            Some(row) if self.at(row, entering) > 1e-11 && value(row) <= value(best_row) + 1e-14 => Some(row),
            _ => Some(best_row),
        }
    }

    /// Whether row `a` divided by its factor comes before row `b`: right-hand side, then the basis inverse.
    fn lexicographic(&self, a: usize, by_a: f64, b: usize, by_b: f64) -> bool {
        for column in std::iter::once(2 * self.n + 1).chain(0..self.n) {
            let (left, right) = (self.at(a, column) / by_a, self.at(b, column) / by_b);
            if (left - right).abs() > 1e-13 * (left.abs() + right.abs()) {
                return left < right;
            }
        }
        false
    }

    fn pivot(&mut self, row: usize, column: usize) {
        let width = self.width;
        let inverse = 1.0 / self.at(row, column);
        self.rows[row * width..(row + 1) * width].iter_mut().for_each(|v| *v *= inverse);
        let line: Vec<f64> = self.rows[row * width..(row + 1) * width].to_vec();
        for other in (0..self.n).filter(|&other| other != row) {
            let factor = self.at(other, column);
            if factor != 0.0 {
                let target = &mut self.rows[other * width..(other + 1) * width];
                target.iter_mut().zip(&line).for_each(|(t, l)| *t -= factor * l);
                target[column] = 0.0;
            }
        }
        self.basis[row] = column;
    }

    fn read(self, q: &[f64], pivots: usize) -> Result<Complementarity, NoSolution> {
        let n = q.len();
        let (mut z, mut w) = (vec![0.0; n], vec![0.0; n]);
        for row in 0..n {
            let value = self.at(row, 2 * n + 1).max(0.0);
            match self.basis[row] {
                basic if basic < n => w[basic] = value / self.scale[basic],
                basic if basic < 2 * n => z[basic - n] = value,
                _ => {}
            }
        }
        Ok(Complementarity { z, w, pivots })
    }
}
