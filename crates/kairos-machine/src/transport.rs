//! What is under way between the two ends of a `spatialDistribution`.
//!
//! Every portion keeps the place `ξ` it has in the moving material; where it is between the ends, from 0 to 1, is `ξ + x`.

use crate::history::{PIECE, through};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// A smooth part of the content, with the places at which it is known; of it remains what lies from `low` to `high`.
#[derive(Clone, Serialize, Deserialize)]
struct Piece {
    places: [f64; PIECE],
    values: [f64; PIECE],
    count: usize,
    low: f64,
    high: f64,
}

impl Piece {
    fn line(from: (f64, f64), to: (f64, f64)) -> Piece {
        let (mut places, mut values) = ([0.0; PIECE], [0.0; PIECE]);
        (places[0], values[0]) = from;
        (places[1], values[1]) = to;
        Piece { places, values, count: 2, low: from.0.min(to.0), high: from.0.max(to.0) }
    }

    fn extend(&mut self, (place, value): (f64, f64)) {
        (self.places[self.count], self.values[self.count]) = (place, value);
        self.count += 1;
        (self.low, self.high) = (self.low.min(place), self.high.max(place));
    }

    fn at(&self, place: f64) -> f64 {
        let mut values = self.values;
        through(&self.places[..self.count], &mut values[..self.count], place)
    }
}

#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Transport {
    /// In the order of the places; where neighbours have different values there is a jump.
    pieces: VecDeque<Piece>,
    /// What was recorded last, at the inlet.
    edge: Option<(f64, f64)>,
    forward: bool,
    /// The place of the jump that comes out next, and the value before it: that comes out until an event lets the other.
    next: Option<(f64, f64)>,
}

impl Transport {
    pub fn clear(&mut self) {
        *self = Transport::default();
    }

    /// Adds what enters at an accepted point; `forward` from the end 0 to the end 1. If the point `continues`, it lies on
    /// one smooth piece with the point before. Says whether a jump is let out.
    pub fn record(
        &mut self,
        x: f64,
        value: f64,
        forward: bool,
        continues: bool,
        initial: &[(f64, f64)],
    ) -> bool {
        let inlet = if forward { -x } else { 1.0 - x };
        let new = (inlet, value);
        let mut turned = self.forward != forward;
        if self.edge.is_none() {
            let moved = |&(place, value): &(f64, f64)| (place - x, value);
            let lines = initial.windows(2).filter(|pair| pair[0].0 < pair[1].0);
            self.pieces.extend(lines.map(|pair| Piece::line(moved(&pair[0]), moved(&pair[1]))));
            self.edge = Some(new);
            turned = false;
        }
        self.forward = forward;
        if turned {
            // What has left does not come back.
            self.keep(-x, 1.0 - x);
            self.edge = Some(new);
        }
        let (place, before) = self.edge.unwrap_or(new);
        if if forward { inlet < place } else { inlet > place } {
            let newest = if forward { self.pieces.front_mut() } else { self.pieces.back_mut() };
            match newest.filter(|piece| continues && !turned && piece.count < PIECE) {
                Some(piece) => piece.extend(new),
                None if forward => self.pieces.push_front(Piece::line((place, before), new)),
                None => self.pieces.push_back(Piece::line((place, before), new)),
            }
            self.edge = Some(new);
        } else {
            self.edge = Some((place, value));
        }
        let outlet = if forward { 1.0 - x } else { -x };
        self.forget(outlet);
        let next = self.jump(outlet);
        let released = self.next.is_some() && self.next != next;
        self.next = next;
        released || turned
    }

    /// What is at the outlet, if anything was ever recorded; `value` is what enters at present.
    pub fn at(&self, x: f64, value: f64, forward: bool) -> Option<f64> {
        let (inlet, outlet) = if forward { (-x, 1.0 - x) } else { (1.0 - x, -x) };
        if let Some((jump, before)) = self.next.filter(|_| forward == self.forward)
            && (if forward { outlet <= jump } else { outlet >= jump })
        {
            return Some(before);
        }
        let piece = match forward {
            true => self.pieces.iter().find(|piece| piece.high >= outlet && piece.low <= outlet),
            false => self.pieces.iter().rev().find(|piece| piece.low <= outlet && piece.high >= outlet),
        };
        if let Some(piece) = piece {
            return Some(piece.at(outlet));
        }
        let (place, entered) = self.edge?;
        // Beyond what is recorded lies what has entered since, or what was last at the outlet.
        if if forward { outlet <= place } else { outlet >= place } {
            let part =
                if inlet == place { 0.0 } else { ((outlet - place) / (inlet - place)).clamp(0.0, 1.0) };
            return Some(entered + (value - entered) * part);
        }
        let oldest = if forward { self.pieces.back() } else { self.pieces.front() };
        Some(oldest.map_or(entered, |piece| piece.at(if forward { piece.high } else { piece.low })))
    }

    /// Is a jump under way?
    pub fn waits(&self) -> bool {
        self.next.is_some()
    }

    /// How far the next jump is from the outlet; infinity if there is none.
    pub fn distance(&self, x: f64) -> f64 {
        let Some((jump, _)) = self.next else { return f64::INFINITY };
        if self.forward { (1.0 - x) - jump } else { jump + x }
    }

    /// The jump nearest to the outlet that is not out, and the value on the side of the outlet.
    fn jump(&self, outlet: f64) -> Option<(f64, f64)> {
        let ahead: Box<dyn Iterator<Item = &Piece>> = match self.forward {
            true => Box::new(self.pieces.iter().rev()),
            false => Box::new(self.pieces.iter()),
        };
        let mut before: Option<f64> = None;
        for piece in ahead {
            let (near, far) = if self.forward { (piece.high, piece.low) } else { (piece.low, piece.high) };
            let inside = if self.forward { near < outlet } else { near > outlet };
            if let Some(before) = before.filter(|before| inside && is_jump(*before, piece.at(near))) {
                return Some((near, before));
            }
            before = Some(piece.at(far));
        }
        let (place, value) = self.edge?;
        let inside = if self.forward { place < outlet } else { place > outlet };
        before.filter(|before| inside && is_jump(*before, value)).map(|before| (place, before))
    }

    /// Forgets pieces that are out.
    fn forget(&mut self, outlet: f64) {
        match self.forward {
            true => {
                while self.pieces.len() > 1 && self.pieces.back().is_some_and(|piece| piece.low > outlet) {
                    self.pieces.pop_back();
                }
            }
            false => {
                while self.pieces.len() > 1 && self.pieces.front().is_some_and(|piece| piece.high < outlet) {
                    self.pieces.pop_front();
                }
            }
        }
    }

    /// Keeps what lies between two places.
    fn keep(&mut self, first: f64, last: f64) {
        self.pieces.retain(|piece| piece.low < last && piece.high > first);
        for piece in &mut self.pieces {
            (piece.low, piece.high) = (piece.low.max(first), piece.high.min(last));
        }
    }
}

/// Neighbouring pieces have the same value where they meet, but for round-off.
fn is_jump(a: f64, b: f64) -> bool {
    (a - b).abs() > 1e-9 * a.abs().max(b.abs()).max(1e-30)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_enters_leaves_when_the_material_has_moved_by_the_length() {
        let mut pipe = Transport::default();
        let initial = [(0.0, 3.0), (1.0, 5.0)];
        pipe.record(0.0, 3.0, true, false, &initial);
        for k in 1..=30 {
            let x = 0.1 * f64::from(k);
            let entering = if x < 1.5 { 3.0 + x } else { 8.0 };
            let expected = if x <= 1.0 { 5.0 - 2.0 * x } else { 3.0 + (x - 1.0) };
            if x < 2.4 {
                let out = pipe.at(x, entering, true).expect("something");
                assert!((out - expected).abs() < 1e-12, "{x}: {out}, not {expected}");
            }
            pipe.record(x, entering, true, false, &initial);
        }
        assert_eq!(pipe.at(3.0, 8.0, true), Some(8.0));
        assert!(pipe.pieces.len() < 20, "what has left is forgotten");
    }

    #[test]
    fn what_has_left_does_not_come_back() {
        let mut pipe = Transport::default();
        let initial = [(0.0, 0.0), (1.0, 1.0)];
        pipe.record(0.0, 0.0, true, false, &initial);
        pipe.record(0.5, 0.0, true, false, &initial);
        assert_eq!(pipe.at(0.5, 0.0, true), Some(0.5));
        // Back again: at the end 0 comes out what entered last, then the rest, then what enters at the end 1.
        pipe.record(0.5, 7.0, false, false, &initial);
        assert_eq!(pipe.at(0.25, 7.0, false), Some(0.0));
        assert_eq!(pipe.at(-0.25, 7.0, false), Some(0.25));
        pipe.record(-0.25, 7.0, false, false, &initial);
        assert_eq!((pipe.at(-0.75, 7.0, false), pipe.distance(-0.25)), (Some(0.5), 0.25));
        // An event lets the jump out.
        assert!(pipe.record(-0.5, 7.0, false, false, &initial));
        assert_eq!(pipe.at(-0.75, 7.0, false), Some(7.0));
    }

    #[test]
    fn a_step_may_pass_over_the_whole_length() {
        let mut pipe = Transport::default();
        pipe.record(0.0, 1.0, true, false, &[(0.0, 1.0), (1.0, 1.0)]);
        assert_eq!(pipe.at(3.0, 4.0, true), Some(3.0));
    }
}
