//! What an operand of `delay` was at the accepted points, and when it jumped.

use std::collections::VecDeque;

/// So many points are kept before the oldest are looked at.
const KEPT: usize = 1024;

#[derive(Clone, Default)]
pub struct History {
    points: VecDeque<(f64, f64)>,
    /// Instants with two values.
    jumps: VecDeque<f64>,
}

impl History {
    pub fn clear(&mut self) {
        self.points.clear();
        self.jumps.clear();
    }

    /// Adds a point; what lies more than `reach` before it is not needed any more.
    pub fn record(&mut self, now: f64, value: f64, reach: f64) {
        if let Some(&last) = self.points.back() {
            if last == (now, value) {
                return;
            }
            if last.0 == now && self.jumps.back() != Some(&now) {
                self.jumps.push_back(now);
            }
        }
        self.points.push_back((now, value));
        if self.points.len() > KEPT {
            // The interval that contains the oldest instant asked for needs both its ends.
            while self.points.get(1).is_some_and(|point| point.0 < now - reach) {
                self.points.pop_front();
            }
        }
        while self.jumps.front().is_some_and(|&jump| jump < now - reach) {
            self.jumps.pop_front();
        }
    }

    /// The recorded value at `when`, between the last record and the current point if it is that recent.
    pub fn at(&self, when: f64, now: f64, current: f64) -> f64 {
        let after = self.points.partition_point(|point| point.0 <= when);
        let left = after.checked_sub(1).and_then(|k| self.points.get(k)).copied();
        let (left, right) = match (left, self.points.get(after)) {
            (None, None) => return current,
            (None, Some(first)) => return first.1,
            (Some(left), Some(&right)) => (left, right),
            (Some(left), None) => (left, (now, current)),
        };
        let width = right.0 - left.0;
        if width <= 0.0 {
            return left.1;
        }
        left.1 + (right.1 - left.1) * ((when - left.0) / width).clamp(0.0, 1.0)
    }

    /// The first instant after `now` at which a jump comes out of a delay; infinity if none is under way.
    pub fn next_jump(&self, now: f64, delay: f64) -> f64 {
        for &jump in &self.jumps {
            let mut out = jump + delay;
            // As `at` will see it: not before the jump went in.
            while out - delay < jump {
                out = out.next_up();
            }
            if out > now {
                return out;
            }
        }
        f64::INFINITY
    }
}
