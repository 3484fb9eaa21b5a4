//! Signals: how an input of the model goes over time.
//!
//! A signal is smooth between its *jumps*, and at a jump it has two sides. Which side counts is not a matter of time: an
//! event decides. So a signal is always read on one of its smooth pieces, told by the jump that it begins with; beyond
//! the end of its piece it stays as it was there, so that a solver may look past an event that it has not met yet.

use std::fmt;
use std::sync::Arc;

/// An input as a function of time.
#[derive(Clone)]
pub enum Signal {
    /// Rows of a table.
    Table(Arc<Samples>),
    /// A function of time, and the sorted instants at which it jumps.
    Function(Arc<dyn Fn(f64) -> f64 + Send + Sync>, Arc<[f64]>),
}

impl fmt::Debug for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Signal::Table(samples) => write!(f, "Table({} rows)", samples.times.len()),
            Signal::Function(_, jumps) => write!(f, "Function({} jumps)", jumps.len()),
        }
    }
}

/// Values at instants. Two rows of the same time are a jump; before the first row and after the last one the signal
/// stays as it is there.
#[derive(Clone, Debug, PartialEq)]
pub struct Samples {
    times: Vec<f64>,
    values: Vec<f64>,
    /// A value holds until the next row instead of going over to it.
    hold: bool,
    /// Rows after which there is a jump, at the time of the next row.
    jumps: Vec<usize>,
}

impl Samples {
    /// Rows with times in order; `None` if they are not, are no numbers, or there is none.
    pub fn new(times: Vec<f64>, values: Vec<f64>, hold: bool) -> Option<Samples> {
        let usable = !times.is_empty()
            && times.len() == values.len()
            && times.is_sorted()
            && times.iter().chain(&values).all(|number| number.is_finite());
        let jumps = |k: &usize| (hold || times[*k] == times[k + 1]) && values[*k] != values[k + 1];
        let jumps = if usable { (0..times.len() - 1).filter(jumps).collect() } else { Vec::new() };
        usable.then_some(Samples { times, values, hold, jumps })
    }

    /// Is it the same value all the time?
    pub fn is_constant(&self) -> bool {
        self.values.iter().all(|value| *value == self.values[0])
    }

    /// The value of the first row.
    pub fn first(&self) -> f64 {
        self.values[0]
    }

    /// How many jumps lie at or before a time.
    fn passed(&self, since: f64) -> usize {
        self.jumps.partition_point(|&k| self.times[k + 1] <= since)
    }

    fn at(&self, time: f64, since: f64) -> f64 {
        let passed = self.passed(since);
        let first = passed.checked_sub(1).map_or(0, |last| self.jumps[last] + 1);
        if self.hold {
            return self.values[first];
        }
        let end = self.jumps.get(passed).copied().unwrap_or(self.times.len() - 1);
        let right = self.times.partition_point(|&t| t < time).clamp(first, end);
        let left = right.saturating_sub(1).max(first);
        let (t0, t1) = (self.times[left], self.times[right]);
        let (v0, v1) = (self.values[left], self.values[right]);
        match t1 > t0 && time < t1 {
            true => v0 + (v1 - v0) * ((time - t0) / (t1 - t0)),
            false => v1,
        }
    }
}

impl Signal {
    /// A function of time that is smooth.
    pub fn function(f: impl Fn(f64) -> f64 + Send + Sync + 'static) -> Signal {
        Signal::Function(Arc::new(f), Arc::from([]))
    }

    /// The value at a time on the piece that begins at `since`.
    pub fn at(&self, time: f64, since: f64) -> f64 {
        match self {
            Signal::Table(samples) => samples.at(time, since),
            Signal::Function(f, _) => {
                let end = self.next_jump(since);
                f(if time < end { time.max(since) } else { end.next_down() })
            }
        }
    }

    /// The instant of the first jump after a time, infinite if there is none.
    pub fn next_jump(&self, after: f64) -> f64 {
        match self {
            Signal::Table(samples) => {
                let row = samples.jumps.get(samples.passed(after));
                row.map_or(f64::INFINITY, |row| samples.times[row + 1])
            }
            Signal::Function(_, jumps) => {
                jumps.get(jumps.partition_point(|&t| t <= after)).copied().unwrap_or(f64::INFINITY)
            }
        }
    }

    /// The first instant after a time at which the slope jumps: steps had better end there, and look at every piece.
    pub fn next_bend(&self, after: f64) -> f64 {
        match self {
            Signal::Table(samples) if !samples.hold => {
                let next = samples.times.partition_point(|&t| t <= after);
                samples.times.get(next).copied().unwrap_or(f64::INFINITY)
            }
            _ => f64::INFINITY,
        }
    }

    /// Does it vary between its jumps?
    pub fn moves(&self) -> bool {
        match self {
            Signal::Table(samples) => !samples.hold && !samples.is_constant(),
            Signal::Function(..) => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[(f64, f64)], hold: bool) -> Signal {
        let (times, values) = rows.iter().copied().unzip();
        Signal::Table(Arc::new(Samples::new(times, values, hold).expect("rows in order")))
    }

    #[test]
    fn rows_are_joined_by_lines() {
        let ramp = table(&[(0.0, 0.0), (1.0, 2.0), (3.0, 0.0)], false);
        for (time, value) in
            [(-1.0, 0.0), (0.0, 0.0), (0.5, 1.0), (1.0, 2.0), (2.0, 1.0), (3.0, 0.0), (9.0, 0.0)]
        {
            assert_eq!(ramp.at(time, 0.0), value, "at {time}");
        }
        assert_eq!((ramp.next_jump(0.0), ramp.at(2.0, 1.5), ramp.at(1.5, 1.5)), (f64::INFINITY, 1.0, 1.5));
        assert_eq!(
            (ramp.next_bend(0.0), ramp.next_bend(1.0), ramp.next_bend(3.0)),
            (1.0, 3.0, f64::INFINITY)
        );
    }

    #[test]
    fn a_jump_has_two_sides() {
        let step = table(&[(0.0, 1.0), (1.0, 1.0), (1.0, 5.0), (2.0, 7.0)], false);
        assert_eq!(step.next_jump(0.0), 1.0);
        assert_eq!((step.at(1.0, 0.0), step.at(1.5, 0.0)), (1.0, 1.0));
        assert_eq!((step.at(1.0, 1.0), step.at(1.5, 1.0), step.at(0.5, 1.0)), (5.0, 6.0, 5.0));
        assert_eq!(step.next_jump(1.0), f64::INFINITY);
    }

    #[test]
    fn held_rows_jump_where_values_differ() {
        let steps = table(&[(0.0, 1.0), (1.0, 1.0), (2.0, 3.0), (3.0, 0.0)], true);
        assert_eq!(
            (steps.next_jump(0.0), steps.next_jump(2.0), steps.next_jump(3.0)),
            (2.0, 3.0, f64::INFINITY)
        );
        assert_eq!((steps.at(2.0, 0.0), steps.at(2.0, 2.0), steps.at(2.9, 2.0)), (1.0, 3.0, 3.0));
        assert!(!steps.moves());
    }

    #[test]
    fn functions_are_read_before_their_jumps() {
        let sign = Signal::Function(Arc::new(|t| if t < 1.0 { -t } else { t }), Arc::from([1.0]));
        assert!((sign.at(1.0, 0.0) + 1.0).abs() < 1e-15 && (sign.at(7.0, 0.0) + 1.0).abs() < 1e-15);
        assert_eq!(sign.at(1.0, 1.0), 1.0);
    }
}
