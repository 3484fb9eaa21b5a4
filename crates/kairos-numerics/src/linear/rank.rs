//! Dense systems that may be singular: a complete orthogonal factorisation finds rank and minimum-norm solution.

use super::Dense;

/// A factorisation `A P = Q [R; 0]` with column pivoting, completed from the right to `R = [T 0] Z`.
#[derive(Clone, Debug)]
pub struct RankRevealing {
    rows: usize,
    columns: usize,
    rank: usize,
    /// Householder vectors below the diagonal and `R` on and above it, of the row-scaled matrix.
    qr: Dense,
    beta: Vec<f64>,
    /// Vectors of the reflections from the right: row `k` holds the part that reaches past the rank.
    right: Dense,
    right_beta: Vec<f64>,
    order: Vec<usize>,
    row_scale: Vec<f64>,
}

/// A solution in the least-squares sense, of minimum norm among all of them.
#[derive(Clone, Debug, PartialEq)]
pub struct LeastSquares {
    pub x: Vec<f64>,
    /// The equations have this solution exactly, up to round-off: no contradiction among dependent rows.
    pub consistent: bool,
}

impl RankRevealing {
    /// Factors a matrix; singular values below about `tolerance` relative to the largest count as zero.
    pub fn new(matrix: &Dense, tolerance: f64) -> Self {
        let (rows, columns) = (matrix.rows(), matrix.columns());
        let mut qr = matrix.clone();
        let mut row_scale = vec![1.0; rows];
        for row in 0..rows {
            let largest = matrix.row(row).iter().fold(0.0, |m: f64, v| m.max(v.abs()));
            if largest > 0.0 && largest.is_finite() {
                row_scale[row] = 1.0 / largest;
            }
            (0..columns).for_each(|column| qr[(row, column)] *= row_scale[row]);
        }
        let mut order: Vec<usize> = (0..columns).collect();
        let mut beta = vec![0.0; rows.min(columns)];
        let mut rank = 0;
        let mut largest = 0.0;
        while rank < rows.min(columns) {
            let norm = |column: usize| (rank..rows).map(|row| qr[(row, column)].powi(2)).sum::<f64>().sqrt();
            let (mut best, mut pivot) = (0.0, rank);
            for column in rank..columns {
                let size = norm(column);
                if size > best {
                    (best, pivot) = (size, column);
                }
            }
            if rank == 0 {
                largest = best;
            }
            if !(best > tolerance * largest && best.is_finite()) {
                break;
            }
            order.swap(rank, pivot);
            (0..rows).for_each(|row| {
                let (a, b) = (qr[(row, rank)], qr[(row, pivot)]);
                (qr[(row, rank)], qr[(row, pivot)]) = (b, a);
            });
            let head = qr[(rank, rank)];
            let alpha = if head > 0.0 { -best } else { best };
            let lead = head - alpha;
            beta[rank] = -lead / alpha;
            for row in rank + 1..rows {
                qr[(row, rank)] /= lead;
            }
            qr[(rank, rank)] = alpha;
            for column in rank + 1..columns {
                let mut sum = qr[(rank, column)];
                for row in rank + 1..rows {
                    sum += qr[(row, rank)] * qr[(row, column)];
                }
                sum *= beta[rank];
                qr[(rank, column)] -= sum;
                for row in rank + 1..rows {
                    let part = qr[(row, rank)] * sum;
                    qr[(row, column)] -= part;
                }
            }
            rank += 1;
        }
        let mut factors = RankRevealing {
            rows,
            columns,
            rank,
            qr,
            beta,
            right: Dense::new(rank, columns - rank),
            right_beta: vec![0.0; rank],
            order,
            row_scale,
        };
        factors.complete();
        factors
    }

    /// Clears the columns past the rank from the right, last row first, so that triangular solves give least norm.
    fn complete(&mut self) {
        let (rank, extra) = (self.rank, self.columns - self.rank);
        if extra == 0 {
            return;
        }
        for k in (0..rank).rev() {
            let tail: f64 = (0..extra).map(|j| self.qr[(k, rank + j)].powi(2)).sum();
            let head = self.qr[(k, k)];
            if tail == 0.0 {
                continue;
            }
            let norm = (head * head + tail).sqrt();
            let alpha = if head > 0.0 { -norm } else { norm };
            let lead = head - alpha;
            self.right_beta[k] = -lead / alpha;
            for j in 0..extra {
                self.right[(k, j)] = self.qr[(k, rank + j)] / lead;
                self.qr[(k, rank + j)] = 0.0;
            }
            self.qr[(k, k)] = alpha;
            for row in 0..k {
                let mut sum = self.qr[(row, k)];
                for j in 0..extra {
                    sum += self.right[(k, j)] * self.qr[(row, rank + j)];
                }
                sum *= self.right_beta[k];
                self.qr[(row, k)] -= sum;
                for j in 0..extra {
                    let part = self.right[(k, j)] * sum;
                    self.qr[(row, rank + j)] -= part;
                }
            }
        }
    }

    /// The minimum-norm least-squares solution; rows count as fulfilled up to `tolerance` relative.
    pub fn solve(&self, matrix: &Dense, b: &[f64], tolerance: f64) -> LeastSquares {
        let mut work: Vec<f64> = b.iter().zip(&self.row_scale).map(|(b, scale)| b * scale).collect();
        for k in 0..self.rank {
            let mut sum = work[k];
            for row in k + 1..self.rows {
                sum += self.qr[(row, k)] * work[row];
            }
            sum *= self.beta[k];
            work[k] -= sum;
            for row in k + 1..self.rows {
                work[row] -= self.qr[(row, k)] * sum;
            }
        }
        let mut y = vec![0.0; self.columns];
        for k in (0..self.rank).rev() {
            let sum: f64 = (k + 1..self.rank).map(|j| self.qr[(k, j)] * y[j]).sum();
            y[k] = (work[k] - sum) / self.qr[(k, k)];
        }
        for k in 0..self.rank {
            let (head, tail) = y.split_at_mut(self.rank);
            let mut sum = head[k];
            sum += self.right.row(k).iter().zip(&*tail).map(|(a, b)| a * b).sum::<f64>();
            sum *= self.right_beta[k];
            head[k] -= sum;
            tail.iter_mut().zip(self.right.row(k)).for_each(|(entry, v)| *entry -= v * sum);
        }
        let mut x = vec![0.0; self.columns];
        for (at, &column) in self.order.iter().enumerate() {
            x[column] = y[at];
        }
        let fulfilled = |row: usize| {
            let terms = || matrix.row(row).iter().zip(&x).map(|(a, b)| a * b);
            let (off, size) =
                (terms().sum::<f64>() - b[row], terms().map(f64::abs).sum::<f64>() + b[row].abs());
            size == 0.0 || size.is_finite() && off.abs() <= tolerance * size
        };
        let consistent = (0..self.rows).all(fulfilled);
        LeastSquares { x, consistent }
    }
}
