//! The pace of a run in real time: output points wait until it is their time, and those that come late are counted.
//!
//! The clock begins with the first point, so that compilation and initialisation take none of the run's time. What is due is measured
//! from there, never from the point before: delays do not add up. Numbers do not change, because nothing but the writing of rows waits.

use crate::interrupt;
use std::time::{Duration, Instant};

/// A point that comes this much after its time is late; clocks of machines that do other things are no better.
const LATE: Duration = Duration::from_millis(1);
/// The longest sleep at once, so that Ctrl-C is noticed.
const NAP: Duration = Duration::from_millis(50);

/// The clock of a paced run.
pub struct Pace {
    /// So many seconds of the model pass in one of ours.
    factor: f64,
    begun: Option<(Instant, f64)>,
    points: u64,
    late: u64,
    /// The worst delay, and where.
    worst: (Duration, f64),
}

impl Pace {
    pub fn new(factor: f64) -> Self {
        Self { factor, begun: None, points: 0, late: 0, worst: (Duration::ZERO, f64::NAN) }
    }

    /// Waits until it is time for a point; notes it if it was before.
    pub fn wait(&mut self, time: f64) {
        let (begun, from) = *self.begun.get_or_insert_with(|| (Instant::now(), time));
        self.points += 1;
        let due = Duration::try_from_secs_f64((time - from) / self.factor).unwrap_or_default();
        let late = begun.elapsed().saturating_sub(due);
        if late > LATE {
            self.late += 1;
            if late > self.worst.0 {
                self.worst = (late, time);
            }
        }
        while !interrupt::asked() {
            let left = due.saturating_sub(begun.elapsed());
            if left.is_zero() {
                return;
            }
            std::thread::sleep(left.min(NAP));
        }
    }

    /// A line for people.
    pub fn text(&self) -> String {
        let (worst, at) = self.worst;
        match self.late {
            0 => format!("  real time: none of {} points late by more than 1 ms\n", self.points),
            late => format!(
                "  real time: {late} of {} points late by more than 1 ms, at worst by {:.1} ms at time {at}\n",
                self.points,
                worst.as_secs_f64() * 1e3
            ),
        }
    }

    /// The same as a member of a JSON object.
    pub fn json(&self) -> String {
        format!(
            "\"realtime\":{{\"factor\":{:?},\"points\":{},\"overruns\":{},\"worst_lateness\":{:?}}}",
            self.factor,
            self.points,
            self.late,
            self.worst.0.as_secs_f64()
        )
    }
}

/// Reads the factor of the option.
pub fn factor(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|factor: &f64| *factor > 0.0 && factor.is_finite());
    number.ok_or_else(|| "the factor is a positive number; name the model before `--realtime`".into())
}
