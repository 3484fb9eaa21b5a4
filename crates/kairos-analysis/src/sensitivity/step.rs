//! One step of linear differential equations `s' = A(t) s + b(t)` for several right sides at once.
//!
//! The method is Radau IIA of order five, as for the model itself where that is stiff: three stages, one linear system of three times the
//! number of states, whose factors serve all right sides. The error is estimated as in RADAU5.
//! Literature: Hairer and Wanner, Solving Ordinary Differential Equations II, section IV.8.

use kairos_numerics::linear::DenseLu;

/// The matrix and the right sides at a time: `a` has `n * n` numbers row by row, `b` for each right side `n`.
#[derive(Clone, Default)]
pub struct Field {
    pub a: Vec<f64>,
    pub b: Vec<f64>,
}

impl Field {
    /// `A s + b` for right side `k`.
    pub fn slope(&self, n: usize, k: usize, s: &[f64]) -> Vec<f64> {
        let row = |i: usize| self.a[i * n..(i + 1) * n].iter().zip(s).map(|(a, s)| a * s).sum::<f64>();
        (0..n).map(|i| row(i) + self.b[k * n + i]).collect()
    }
}

/// Where the stages of a step stand.
pub fn nodes() -> [f64; 3] {
    let root = 6f64.sqrt();
    [(4.0 - root) / 10.0, (4.0 + root) / 10.0, 1.0]
}

fn weights() -> [[f64; 3]; 3] {
    let r = 6f64.sqrt();
    [
        [(88.0 - 7.0 * r) / 360.0, (296.0 - 169.0 * r) / 1800.0, (-2.0 + 3.0 * r) / 225.0],
        [(296.0 + 169.0 * r) / 1800.0, (88.0 + 7.0 * r) / 360.0, (-2.0 - 3.0 * r) / 225.0],
        [(16.0 - r) / 36.0, (16.0 + r) / 36.0, 1.0 / 9.0],
    ]
}

/// The end of a step and what is probably wrong with it, both for each right side in turn; nothing if the system is singular.
pub fn step(n: usize, s: &[f64], h: f64, begin: &Field, stages: &[Field; 3]) -> Option<(Vec<f64>, Vec<f64>)> {
    let count = s.len() / n.max(1);
    let weights = weights();
    let mut lu: DenseLu<f64> = DenseLu::new(3 * n);
    for (at, entry) in lu.matrix_mut().iter_mut().enumerate() {
        let (row, column) = (at / (3 * n), at % (3 * n));
        let (i, j) = (row / n, column / n);
        let coupling = h * weights[i][j] * stages[i].a[(row % n) * n + column % n];
        *entry = f64::from(u8::from(row == column)) - coupling;
    }
    lu.factor_in_place().ok()?;
    // The real eigenvalue of the inverse of the weights.
    let gamma = 3.637_834_252_744_496;
    let mut filter: DenseLu<f64> = DenseLu::new(n);
    for (at, entry) in filter.matrix_mut().iter_mut().enumerate() {
        *entry = if at / n == at % n { gamma / h } else { 0.0 } - begin.a[at];
    }
    filter.factor_in_place().ok()?;
    let r = 6f64.sqrt();
    let part = [(-13.0 - 7.0 * r) / 3.0, (-13.0 + 7.0 * r) / 3.0, -1.0 / 3.0];
    let (mut end, mut error) = (Vec::with_capacity(s.len()), Vec::with_capacity(s.len()));
    for k in 0..count {
        let own = &s[k * n..(k + 1) * n];
        let mut slopes: Vec<f64> = stages.iter().flat_map(|field| field.slope(n, k, own)).collect();
        lu.solve(&mut slopes);
        let increment =
            |i: usize, row: usize| h * (0..3).map(|j| weights[i][j] * slopes[j * n + row]).sum::<f64>();
        end.extend((0..n).map(|row| own[row] + increment(2, row)));
        let mut wrong = begin.slope(n, k, own);
        for (row, wrong) in wrong.iter_mut().enumerate() {
            *wrong += (0..3).map(|i| part[i] * increment(i, row)).sum::<f64>() / h;
        }
        filter.solve(&mut wrong);
        error.append(&mut wrong);
    }
    Some((end, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `s' = -k(t) s + cos t` with `k = 1 + t`, compared with small steps: the error falls with the fifth power.
    #[test]
    fn the_order_is_five() {
        let field = |t: f64| Field { a: vec![-(1.0 + t)], b: vec![t.cos()] };
        let run = |steps: usize| {
            let h = 1.0 / steps as f64;
            let mut s = vec![1.0];
            for k in 0..steps {
                let t = k as f64 * h;
                let stages = nodes().map(|c| field(t + c * h));
                s = step(1, &s, h, &field(t), &stages).expect("regular").0;
            }
            s[0]
        };
        let best = run(400);
        let (coarse, fine) = ((run(4) - best).abs(), (run(8) - best).abs());
        assert!(coarse / fine > 20.0, "{coarse:e} {fine:e}");
    }
}
