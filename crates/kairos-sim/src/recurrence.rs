//! Events that come back: the history that tells sliding, Zeno points and chattering from plain events.

/// What the last event belongs to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Recurrence {
    None,
    /// The relation switches back and forth in no time, between the same two modes.
    Sliding(u32),
    /// The intervals between jumps shrink geometrically towards this instant.
    Zeno(u32, f64),
    /// Switching in no time that never repeats itself.
    Chattering(u32),
}

/// Events this many times in no time are a fault of the model.
const CHATTERING: u32 = 20_000;
/// Intervals that must shrink alike.
const INTERVALS: usize = 5;

#[derive(Default)]
pub(crate) struct History {
    /// The relation of the run of quick events, its length and the last instants.
    relation: Option<u32>,
    quick: u32,
    last: f64,
    /// Discrete state after the last event and after the one before.
    modes: [Vec<f64>; 2],
    /// Per relation: the last instants at which it made states jump, the latest first.
    impacts: Vec<(u32, [f64; INTERVALS + 1])>,
}

impl History {
    /// Is the run of events such that the next one may enter a sliding mode? Then its left side is worth keeping.
    pub fn suspects_sliding(&self) -> bool {
        self.quick >= 2
    }

    /// Forgets the run of quick events.
    pub fn calm(&mut self) {
        self.relation = None;
        self.quick = 0;
    }

    /// Takes note of an event of one relation. `scale` is the size of times, `mode` the discrete state after it.
    pub fn note(
        &mut self,
        relation: u32,
        time: f64,
        scale: f64,
        jumped: bool,
        mode: impl Iterator<Item = f64>,
    ) -> Recurrence {
        if jumped {
            self.calm();
            return self.impact(relation, time, scale);
        }
        let soon = time - self.last <= 1e-9 * scale;
        self.last = time;
        if self.relation != Some(relation) || !soon {
            self.relation = Some(relation);
            self.quick = 0;
            self.modes.iter_mut().for_each(Vec::clear);
        }
        self.quick += 1;
        let [latest, earlier] = &mut self.modes;
        std::mem::swap(latest, earlier);
        // `latest` now holds the mode of two events ago.
        let (mut same, mut count) = (true, 0);
        for (k, value) in mode.enumerate() {
            match latest.get_mut(k) {
                Some(place) => {
                    same &= *place == value;
                    *place = value;
                }
                None => {
                    same = false;
                    latest.push(value);
                }
            }
            count += 1;
        }
        latest.truncate(count);
        if same && self.quick >= 3 {
            Recurrence::Sliding(relation)
        } else if self.quick > CHATTERING {
            Recurrence::Chattering(relation)
        } else {
            Recurrence::None
        }
    }

    fn impact(&mut self, relation: u32, time: f64, scale: f64) -> Recurrence {
        let place = match self.impacts.iter().position(|(r, _)| *r == relation) {
            Some(place) => place,
            None => {
                self.impacts.push((relation, [f64::NEG_INFINITY; INTERVALS + 1]));
                self.impacts.len() - 1
            }
        };
        let times = &mut self.impacts[place].1;
        times.rotate_right(1);
        times[0] = time;
        if times[INTERVALS] == f64::NEG_INFINITY {
            return Recurrence::None;
        }
        let interval = |k: usize| times[k] - times[k + 1];
        let shrinking = (1..INTERVALS).all(|k| interval(k - 1) < interval(k));
        let overall = (interval(0) / interval(INTERVALS - 1)).powf(1.0 / (INTERVALS - 1) as f64);
        let alike = (1..INTERVALS).all(|k| (interval(k - 1) / interval(k) - overall).abs() < 0.1 * overall);
        let left = interval(0) * overall / (1.0 - overall);
        let resolvable = interval(0) > 4096.0 * f64::EPSILON * scale;
        if shrinking && (alike && left < 1e-7 * scale || !resolvable) {
            return Recurrence::Zeno(relation, time + if left.is_finite() { left } else { 0.0 });
        }
        Recurrence::None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn geometric_intervals_are_a_zeno_point() {
        let mut history = History::default();
        let (mut t, mut d) = (0.5, 0.5);
        for _ in 0..100 {
            d *= 0.5;
            t += d;
            if let Recurrence::Zeno(7, limit) = history.note(7, t, 1.0, true, std::iter::empty()) {
                assert!((limit - 1.0).abs() < 1e-9, "{limit}");
                return;
            }
        }
        panic!("not detected");
    }

    #[test]
    fn equal_intervals_are_not() {
        let mut history = History::default();
        for k in 0..1000 {
            let found = history.note(0, f64::from(k), 1.0, true, std::iter::empty());
            assert_eq!(found, Recurrence::None);
        }
    }

    #[test]
    fn two_alternating_modes_in_no_time_are_sliding() {
        let mut history = History::default();
        let note = |history: &mut History, k: u32| {
            let mode = [f64::from(k % 2), 5.0];
            history.note(3, 1.0 + f64::from(k) * 1e-15, 1.0, false, mode.into_iter())
        };
        assert_eq!(note(&mut history, 0), Recurrence::None);
        assert_eq!(note(&mut history, 1), Recurrence::None);
        assert!(history.suspects_sliding());
        assert_eq!(note(&mut history, 2), Recurrence::Sliding(3));
    }

    #[test]
    fn counting_in_no_time_is_chattering() {
        let mut history = History::default();
        let mut found = Recurrence::None;
        for k in 0..=CHATTERING {
            found = history.note(3, 1.0, 1.0, false, [f64::from(k)].into_iter());
        }
        assert_eq!(found, Recurrence::Chattering(3));
    }
}
