//! What is under way between the two ends of a `spatialDistribution`.
//!
//! Every portion keeps the place `ξ` it has in the moving material; where it is between the ends, from 0 to 1, is `ξ + x`.

use std::collections::VecDeque;

#[derive(Clone, Default)]
pub struct Transport {
    /// Place in the material and value, in the order of the places; a jump is two values at one place.
    points: VecDeque<(f64, f64)>,
}

impl Transport {
    pub fn clear(&mut self) {
        self.points.clear();
    }

    /// Adds what enters at an accepted point; `forward` from the end 0 to the end 1.
    pub fn record(&mut self, x: f64, value: f64, forward: bool, initial: &[(f64, f64)]) {
        if self.points.is_empty() {
            self.points.extend(initial.iter().map(|(place, value)| (place - x, *value)));
        }
        let (inlet, outlet) = if forward { (-x, 1.0 - x) } else { (1.0 - x, -x) };
        // The line to the outlet is cut there: when the flow turns, nothing of what has left comes back.
        if let Some(value) = self.inside(outlet, forward) {
            let is_out = |place: f64| if forward { place >= outlet } else { place <= outlet };
            let newest = if forward { VecDeque::pop_back } else { VecDeque::pop_front };
            while self.last(forward).is_some_and(|point| is_out(point.0)) {
                newest(&mut self.points);
            }
            self.push(!forward, (outlet, value));
        }
        let known = self.last(!forward);
        if known.is_none_or(|point| point != (inlet, value)) {
            self.push(forward, (inlet, value));
        }
    }

    /// What is at the outlet, if anything was ever recorded; `value` is what enters at present.
    pub fn at(&self, x: f64, value: f64, forward: bool) -> Option<f64> {
        let (inlet, outlet) = if forward { (-x, 1.0 - x) } else { (1.0 - x, -x) };
        if let Some(value) = self.inside(outlet, forward) {
            return Some(value);
        }
        let newest = self.last(!forward)?;
        // Beyond what is recorded lies what has entered since, or what was last at the outlet.
        let entered = if forward { outlet <= newest.0 } else { outlet >= newest.0 };
        Some(if entered { between(newest, (inlet, value), outlet) } else { self.last(forward)?.1 })
    }

    /// The value at a place among the points; of two the one that entered later.
    fn inside(&self, place: f64, forward: bool) -> Option<f64> {
        let right = match forward {
            true => self.points.partition_point(|point| point.0 < place),
            false => self.points.partition_point(|point| point.0 <= place),
        };
        let left = right.checked_sub(1).and_then(|k| self.points.get(k)).copied();
        match (left, self.points.get(right).copied()) {
            (Some(left), Some(right)) => Some(between(left, right, place)),
            (Some(end), None) | (None, Some(end)) if end.0 == place => Some(end.1),
            _ => None,
        }
    }

    /// The point nearest to an end: to the end 1 if `back`.
    fn last(&self, back: bool) -> Option<(f64, f64)> {
        if back { self.points.back().copied() } else { self.points.front().copied() }
    }

    fn push(&mut self, front: bool, point: (f64, f64)) {
        if front { self.points.push_front(point) } else { self.points.push_back(point) }
    }
}

fn between(a: (f64, f64), b: (f64, f64), place: f64) -> f64 {
    let width = b.0 - a.0;
    if width == 0.0 { a.1 } else { a.1 + (b.1 - a.1) * ((place - a.0) / width).clamp(0.0, 1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_enters_leaves_when_the_material_has_moved_by_the_length() {
        let mut pipe = Transport::default();
        let initial = [(0.0, 3.0), (1.0, 5.0)];
        pipe.record(0.0, 3.0, true, &initial);
        for k in 1..=30 {
            let x = 0.1 * f64::from(k);
            let entering = if x < 1.5 { 3.0 + x } else { 8.0 };
            let expected = if x <= 1.0 { 5.0 - 2.0 * x } else { 3.0 + (x - 1.0) };
            if x < 2.4 {
                let out = pipe.at(x, entering, true).expect("something");
                assert!((out - expected).abs() < 1e-12, "{x}: {out}, not {expected}");
            }
            pipe.record(x, entering, true, &initial);
        }
        assert_eq!(pipe.at(3.0, 8.0, true), Some(8.0));
        assert!(pipe.points.len() < 20, "what has left is forgotten");
    }

    #[test]
    fn what_has_left_does_not_come_back() {
        let mut pipe = Transport::default();
        let initial = [(0.0, 0.0), (1.0, 1.0)];
        pipe.record(0.0, 0.0, true, &initial);
        pipe.record(0.5, 0.0, true, &initial);
        assert_eq!(pipe.at(0.5, 0.0, true), Some(0.5));
        // Back again: at the end 0 comes out what entered last, then the rest, then what enters at the end 1.
        pipe.record(0.5, 7.0, false, &initial);
        assert_eq!(pipe.at(0.25, 7.0, false), Some(0.0));
        assert_eq!(pipe.at(-0.25, 7.0, false), Some(0.25));
        pipe.record(-0.25, 7.0, false, &initial);
        assert_eq!(pipe.at(-0.75, 7.0, false), Some(7.0));
    }

    #[test]
    fn a_step_may_pass_over_the_whole_length() {
        let mut pipe = Transport::default();
        pipe.record(0.0, 1.0, true, &[(0.0, 1.0), (1.0, 1.0)]);
        assert_eq!(pipe.at(3.0, 4.0, true), Some(3.0));
    }
}
