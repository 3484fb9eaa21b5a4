//! What an operand of `delay` was on the way so far, and when it jumped.

use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// So many points are kept before the oldest are looked at.
const KEPT: usize = 1024;

#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Point {
    time: f64,
    value: f64,
    /// The smooth piece that the way to this point belongs to.
    piece: u32,
}

#[derive(Clone, Default, Serialize, Deserialize)]
pub struct History {
    points: VecDeque<Point>,
    /// Instants with two values.
    jumps: VecDeque<f64>,
    /// The jump that comes out next: until an event lets it, what comes out is what was before.
    next: Option<f64>,
    /// By how much it delays, as last recorded, and whether that was ever different.
    delay: Option<f64>,
    varies: bool,
}

impl History {
    pub fn clear(&mut self) {
        *self = History::default();
    }

    /// Adds a point; what lies more than `delay` before it is not needed any more. If the point `continues`, it lies on one
    /// smooth piece with the point before. Says whether a jump is let out.
    pub fn record(&mut self, now: f64, value: f64, delay: f64, continues: bool) -> bool {
        self.varies |= self.delay.is_some_and(|known| known != delay);
        self.delay = Some(delay);
        let last = self.points.back().copied();
        if last.is_none_or(|last| (last.time, last.value) != (now, value)) {
            if last.is_some_and(|last| last.time == now) && self.jumps.back() != Some(&now) {
                self.jumps.push_back(now);
            }
            let same = |last: Point| continues && last.time < now;
            let piece = last.map_or(0, |last| last.piece.wrapping_add(u32::from(!same(last))));
            self.points.push_back(Point { time: now, value, piece });
            if self.points.len() > KEPT {
                // The piece that contains the oldest instant asked for needs all its points.
                while self.points.get(PIECE).is_some_and(|point| point.time < now - delay) {
                    self.points.pop_front();
                }
            }
        }
        while self.jumps.front().is_some_and(|&jump| jump < now - delay) {
            self.jumps.pop_front();
        }
        let next = self.jumps.iter().copied().find(|&jump| jump > now - delay);
        let released = self.next.is_some_and(|old| next.is_none_or(|next| next > old));
        self.next = next;
        released
    }

    /// The recorded value at `when`, between the last record and the current point if it is that recent.
    pub fn at(&self, when: f64, now: f64, current: f64) -> f64 {
        if let Some(jump) = self.next.filter(|&jump| when >= jump) {
            // The first of the points there is the left limit.
            let first = self.points.partition_point(|point| point.time < jump);
            return self.points.get(first).map_or(current, |point| point.value);
        }
        let after = self.points.partition_point(|point| point.time <= when);
        let left = after.checked_sub(1).and_then(|k| self.points.get(k)).copied();
        match (left, self.points.get(after)) {
            (None, None) => current,
            (None, Some(first)) => first.value,
            (Some(left), Some(right)) if right.time > left.time => self.along(after, when),
            (Some(left), None) if now > left.time => {
                left.value + (current - left.value) * ((when - left.time) / (now - left.time)).clamp(0.0, 1.0)
            }
            (Some(left), _) => left.value,
        }
    }

    /// The polynomial through the points of the piece that ends with, or contains, the point with this number.
    fn along(&self, point: usize, when: f64) -> f64 {
        let piece = self.points[point].piece;
        let belongs = |k: &usize| self.points[*k].piece == piece;
        let first = (0..point).rev().take_while(belongs).last().unwrap_or(point).saturating_sub(1);
        let last = (point..self.points.len()).take_while(belongs).last().unwrap_or(point);
        let count = (last - first + 1).min(PIECE);
        let (mut times, mut values) = ([0.0; PIECE], [0.0; PIECE]);
        for k in 0..count {
            (times[k], values[k]) = (self.points[first + k].time, self.points[first + k].value);
        }
        through(&times[..count], &mut values[..count], when)
    }

    /// The first instant after `now` at which a jump comes out of a delay that stays the same; infinity if none is under
    /// way.
    pub fn next_jump(&self, now: f64, delay: f64) -> f64 {
        for &jump in self.jumps.iter().filter(|_| !self.varies) {
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

    /// How far the next jump is from coming out of a delay that varies; infinity if there is none.
    pub fn distance(&self, now: f64, delay: f64) -> f64 {
        self.next.filter(|_| self.varies).map_or(f64::INFINITY, |jump| jump - (now - delay))
    }
}

/// So many points has a smooth piece at most, its beginning included.
pub const PIECE: usize = 6;

/// The polynomial through points, by Neville's scheme, in a form that leaves equal values as they are: to a delayed whole
/// number round-off would be an event.
pub fn through(places: &[f64], values: &mut [f64], at: f64) -> f64 {
    for level in 1..places.len() {
        for k in 0..places.len() - level {
            let (a, b) = (places[k], places[k + level]);
            values[k] += (values[k + 1] - values[k]) * ((a - at) / (a - b));
        }
    }
    values[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_is_the_polynomial_through_its_points() {
        let mut past = History::default();
        let value = |t: f64| 1.0 + t.powi(5);
        for k in 0..=10 {
            past.record(0.2 * f64::from(k), value(0.2 * f64::from(k)), 3.0, k % 5 != 1);
        }
        for when in [0.05, 0.5, 0.999, 1.0, 1.3, 1.97] {
            assert!((past.at(when, 2.0, 0.0) - value(when)).abs() < 1e-12, "{when}");
        }
    }

    #[test]
    fn what_stands_still_comes_out_as_it_is() {
        let mut past = History::default();
        (0..=10).for_each(|k| _ = past.record(0.1 * f64::from(k), 3.0, 3.0, k % 5 != 1));
        assert!((0..1000).all(|k| past.at(0.000_997 * f64::from(k), 1.0, 3.0) == 3.0));
    }

    #[test]
    fn a_jump_waits_for_its_event() {
        let mut past = History::default();
        past.record(0.0, 1.0, 1.0, false);
        past.record(0.5, 1.0, 1.0, false);
        past.record(0.5, 2.0, 1.0, false);
        past.record(1.4, 2.0, 1.0, false);
        assert_eq!((past.at(0.49, 1.49, 2.0), past.at(0.6, 1.6, 2.0)), (1.0, 1.0));
        assert!(past.record(1.5, 2.0, 1.0, false));
        assert_eq!(past.at(0.5, 1.5, 2.0), 2.0);
    }
}
