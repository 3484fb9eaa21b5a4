//! Linear complementarity problems by pivoting: which of many switches are on, which are off, and which are in between.
//!
//! The problem with bounds asks for shares `s` between 0 and 1 and slacks `y = q + M s` such that a share at 0 has a slack
//! that is not negative, a share at 1 one that is not positive, and a share in between none. Friction networks, relays and
//! limiters in feedback are of this kind: `y` is then how fast each surface is left.
//!
//! It becomes a standard problem `w = q + M z`, `w ≥ 0`, `z ≥ 0`, `w·z = 0` of twice the size, which Lemke's method solves
//! (Cottle, Pang and Stone, *The Linear Complementarity Problem*, chapter 4): a path of complementary bases from one that is
//! feasible for a large artificial variable to one where that variable has left. Where `M` is positive semidefinite, or a
//! P-matrix, the path ends in a solution if there is one. Ties are broken lexicographically, so that no basis comes twice.
//! The cost is a pivot on a full tableau for each switch that changes, as a rule some `n` of them: `n³` in all.

use crate::linear::Dense;

/// Pivots smaller than this beside the largest entry of their column are round-off.
const ROUND_OFF: f64 = 1e-11;

/// Shares for which slacks and bounds agree; `None` where the path ends in a ray, so that there is no solution or the matrix
/// is of no kind for which the method is known to find one.
pub fn shares(matrix: &Dense, offsets: &[f64]) -> Option<Vec<f64>> {
    let n = offsets.len();
    // The upper slacks: w = 1 - s, complementary to how far y is below zero.
    let mut m = Dense::new(2 * n, 2 * n);
    let mut q = vec![1.0; 2 * n];
    for row in 0..n {
        // Rows of one size, so that one measure of round-off serves all.
        let largest = matrix.row(row).iter().fold(offsets[row].abs(), |most, x| most.max(x.abs()));
        let scale = if largest > 0.0 && largest.is_finite() { 1.0 / largest } else { 1.0 };
        for column in 0..n {
            m[(row, column)] = scale * matrix[(row, column)];
        }
        m[(row, n + row)] = 1.0;
        m[(n + row, row)] = -1.0;
        q[row] = scale * offsets[row];
    }
    let mut solution = lemke(&m, &q)?;
    solution.truncate(n);
    Some(solution)
}

/// Lemke's method for `w = q + M z`; gives `z`.
pub fn lemke(matrix: &Dense, offsets: &[f64]) -> Option<Vec<f64>> {
    let n = offsets.len();
    if offsets.iter().all(|&q| q >= 0.0) {
        return Some(vec![0.0; n]);
    }
    let mut tableau = Tableau::new(matrix, offsets);
    // The artificial variable enters so far that everything is feasible.
    let mut row = (0..n).min_by(|&a, &b| offsets[a].total_cmp(&offsets[b]))?;
    let mut entering = 2 * n;
    for _ in 0..100 * (n + 10) {
        let leaving = tableau.basis[row];
        tableau.pivot(row, entering);
        if leaving == 2 * n {
            let mut z = vec![0.0; n];
            for (row, &variable) in tableau.basis.iter().enumerate() {
                if (n..2 * n).contains(&variable) {
                    z[variable - n] = tableau.value(row).max(0.0);
                }
            }
            return Some(z);
        }
        entering = if leaving < n { leaving + n } else { leaving - n };
        row = tableau.blocking(entering)?;
    }
    None
}

/// Rows of `w - M z - z0 = q` in terms of a basis: columns of w, z, the artificial variable, and the values.
struct Tableau {
    n: usize,
    width: usize,
    rows: Vec<f64>,
    basis: Vec<usize>,
}

impl Tableau {
    fn new(matrix: &Dense, offsets: &[f64]) -> Self {
        let n = offsets.len();
        let width = 2 * n + 2;
        let mut rows = vec![0.0; n * width];
        for (row, line) in rows.chunks_exact_mut(width).enumerate() {
            line[row] = 1.0;
            for column in 0..n {
                line[n + column] = -matrix[(row, column)];
            }
            line[2 * n] = -1.0;
            line[2 * n + 1] = offsets[row];
        }
        Tableau { n, width, rows, basis: (0..n).collect() }
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.rows[row * self.width..(row + 1) * self.width]
    }

    fn value(&self, row: usize) -> f64 {
        self.row(row)[self.width - 1]
    }

    fn pivot(&mut self, pivot: usize, column: usize) {
        let width = self.width;
        let (before, rest) = self.rows.split_at_mut(pivot * width);
        let (line, after) = rest.split_at_mut(width);
        let factor = 1.0 / line[column];
        line.iter_mut().for_each(|x| *x *= factor);
        line[column] = 1.0;
        for other in before.chunks_exact_mut(width).chain(after.chunks_exact_mut(width)) {
            let factor = other[column];
            if factor != 0.0 {
                other.iter_mut().zip(&*line).for_each(|(x, p)| *x -= factor * p);
                other[column] = 0.0;
            }
        }
        self.basis[pivot] = column;
    }

    /// The row that limits how far a variable can enter; `None` if nothing does.
    fn blocking(&self, column: usize) -> Option<usize> {
        let largest = (0..self.n).fold(0.0f64, |most, row| most.max(self.row(row)[column].abs()));
        let mut best: Option<usize> = None;
        for row in (0..self.n).filter(|&row| self.row(row)[column] > ROUND_OFF * largest) {
            if best.is_none_or(|other| self.is_before(row, other, column)) {
                best = Some(row);
            }
        }
        best
    }

    /// Does one row limit a column before another, ties decided by the rows of the inverse basis? The artificial variable
    /// goes first wherever it can.
    fn is_before(&self, row: usize, other: usize, column: usize) -> bool {
        let (a, b) = (self.row(row), self.row(other));
        let artificial = 2 * self.n;
        let compare = |k: usize| (a[k] / a[column], b[k] / b[column]);
        let (x, y) = compare(self.width - 1);
        let same = |x: f64, y: f64| (x - y).abs() <= 1e-12 * (1.0 + x.abs().max(y.abs()));
        if !same(x, y) {
            return x < y;
        }
        if self.basis[row] == artificial || self.basis[other] == artificial {
            return self.basis[row] == artificial;
        }
        for k in 0..self.n {
            let (x, y) = compare(k);
            if !same(x, y) {
                return x < y;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dense(rows: &[&[f64]]) -> Dense {
        let mut matrix = Dense::new(rows.len(), rows[0].len());
        for (i, row) in rows.iter().enumerate() {
            row.iter().enumerate().for_each(|(j, x)| matrix[(i, j)] = *x);
        }
        matrix
    }

    /// Slack and bound of each share agree.
    fn agrees(matrix: &Dense, offsets: &[f64], shares: &[f64]) -> bool {
        (0..offsets.len()).all(|i| {
            let y = offsets[i] + (0..offsets.len()).map(|j| matrix[(i, j)] * shares[j]).sum::<f64>();
            let s = shares[i];
            let small = 1e-8;
            (-small..=1.0 + small).contains(&s)
                && (s <= small || y <= small)
                && (s >= 1.0 - small || y >= -small)
        })
    }

    #[test]
    fn one_switch_is_off_on_or_between() {
        let matrix = dense(&[&[2.0]]);
        let one = |offset: f64| shares(&matrix, &[offset]).map_or(f64::NAN, |s| s[0]);
        for (offset, share) in [(0.5, 0.0), (-3.0, 1.0), (-1.0, 0.5)] {
            assert!((one(offset) - share).abs() < 1e-12, "{offset}");
        }
    }

    #[test]
    fn random_networks_of_friction_are_solved() {
        let mut seed = 1u64;
        let mut random = move || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        for n in (1..40).chain([100]) {
            // A Gram matrix of fewer dimensions than surfaces now and then: some shares are then not unique.
            let inner = if n % 3 == 0 { 1 + n / 2 } else { n };
            let factors: Vec<Vec<f64>> = (0..n).map(|_| (0..inner).map(|_| random()).collect()).collect();
            let mut matrix = Dense::new(n, n);
            for i in 0..n {
                for j in 0..n {
                    matrix[(i, j)] = factors[i].iter().zip(&factors[j]).map(|(a, b)| a * b).sum();
                }
            }
            // Offsets that a force in the same directions makes, so that there is a solution.
            let push: Vec<f64> = (0..inner).map(|_| 2.0 * random()).collect();
            let offsets: Vec<f64> =
                (0..n).map(|i| factors[i].iter().zip(&push).map(|(a, b)| a * b).sum()).collect();
            let found = shares(&matrix, &offsets).unwrap_or_else(|| panic!("{n} surfaces"));
            assert!(agrees(&matrix, &offsets, &found), "{n} surfaces: {found:?}");
        }
    }

    #[test]
    fn a_problem_without_solution_ends_in_a_ray() {
        assert_eq!(lemke(&dense(&[&[0.0]]), &[-1.0]), None);
    }
}
