//! The output points of a run: an even grid, and exact further points.

use crate::SimOptions;
use crate::calendar::same_instant;
use serde::{Deserialize, Serialize};

#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Schedule {
    start: f64,
    stop: f64,
    interval: f64,
    /// Number of the next grid point, which is computed by multiplication.
    next: u64,
    at: Vec<f64>,
    next_at: usize,
}

impl Schedule {
    pub fn new(options: &SimOptions) -> Self {
        let mut at: Vec<f64> =
            options.at.iter().copied().filter(|t| *t >= options.start && *t <= options.stop).collect();
        at.push(options.stop);
        at.sort_by(f64::total_cmp);
        Self { start: options.start, stop: options.stop, interval: options.interval, next: 0, at, next_at: 0 }
    }

    /// The first output point not yet passed; infinity at the end.
    pub fn next(&self) -> f64 {
        let grid = self.grid();
        match self.at.get(self.next_at) {
            // Where both mean the same instant, the user's own number counts.
            Some(&at) if at <= grid || same_instant(at, grid) => at,
            _ => grid,
        }
    }

    /// Passes all points up to `t`, those that differ from it by rounding included.
    pub fn pass(&mut self, t: f64) {
        while self.grid() <= t || same_instant(self.grid(), t) {
            self.next += 1;
        }
        while self.at.get(self.next_at).is_some_and(|&at| at <= t || same_instant(at, t)) {
            self.next_at += 1;
        }
    }

    fn grid(&self) -> f64 {
        if self.interval <= 0.0 {
            return f64::INFINITY;
        }
        let t = self.start + self.next as f64 * self.interval;
        if t <= self.stop { t } else { f64::INFINITY }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merges_grid_and_extra_points() {
        let mut schedule = Schedule::new(&SimOptions {
            stop: 0.4,
            interval: 0.1,
            at: vec![0.3, 0.25, 9.0],
            ..SimOptions::default()
        });
        let mut points = Vec::new();
        while schedule.next() < f64::INFINITY {
            points.push(schedule.next());
            schedule.pass(schedule.next());
        }
        assert_eq!(points, [0.0, 0.1, 0.2, 0.25, 0.3, 0.4]);
    }
}
