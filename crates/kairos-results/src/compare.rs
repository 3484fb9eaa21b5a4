//! Whether a result follows a reference: every point must lie in a tube around it.
//!
//! The tube lies between the reference's minimum and maximum over a short window of time, widened by a part of
//! its range; that covers shifted events, steps and other grids. A flat line through a fast oscillation would
//! pass, so most of the reference must lie in a wider tube around the result as well.

use std::fmt;

use crate::Table;
use crate::table::key;

/// Half the width of the window, as part of the time span.
const WINDOW: f64 = 0.002;
/// The height of the tube, as part of the reference's range and of its peak.
const HEIGHT: f64 = 0.002;
const RELATIVE: f64 = 1e-5;
/// A reference that stays below `ZERO` is noise: its tube has the height `NOISE`.
const ZERO: f64 = 1e-9;
const NOISE: f64 = 1e-6;
/// The part of the reference that may lie outside a tube around the result, `LOOSE` times as high.
const STRAY: f64 = 0.25;
const LOOSE: f64 = 5.0;
/// The largest gap between two points of a result, as part of the time span.
const LARGEST_GAP: f64 = 0.05;

/// The judgement of one signal.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    Inside,
    NotInReference,
    Missing,
    /// The result does not cover the reference's time span.
    StartedAt(f64),
    EndedAt(f64),
    TooFewPoints,
    NotFinite {
        at: f64,
    },
    Outside {
        from: f64,
        worst_at: f64,
        heights: f64,
        part: f64,
    },
    /// The part of the reference that is far from the result.
    DoesNotFollow {
        part: f64,
    },
}

impl Verdict {
    pub fn passed(&self) -> bool {
        matches!(self, Verdict::Inside | Verdict::NotInReference)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Verdict::Inside => write!(f, "inside"),
            Verdict::NotInReference => write!(f, "not in the reference"),
            Verdict::Missing => write!(f, "missing"),
            Verdict::StartedAt(t) => write!(f, "started at {t}"),
            Verdict::EndedAt(t) => write!(f, "ended at {t}"),
            Verdict::TooFewPoints => write!(f, "too few points"),
            Verdict::NotFinite { at } => write!(f, "not finite at {at}"),
            Verdict::Outside { from, worst_at, heights, part } => {
                let percent = 100.0 * part;
                write!(
                    f,
                    "outside from {from}, worst {heights:.3} heights at {worst_at}, {percent:.1}% of points"
                )
            }
            Verdict::DoesNotFollow { part } => {
                write!(
                    f,
                    "does not follow the reference: {:.1}% of its points are far from the result",
                    100.0 * part
                )
            }
        }
    }
}

/// Judges each signal of a result against a reference.
pub fn compare(reference: &Table, result: &Table, signals: &[String]) -> Vec<Verdict> {
    let (mut reference, mut result) = (reference.clone(), result.clone());
    reference.sort();
    result.sort();
    let (time, at) = (&reference.time, &result.time);
    let (Some(&start), Some(&end)) = (time.first(), time.last()) else {
        return signals.iter().map(|_| Verdict::NotInReference).collect();
    };
    let uncovered = shortfall(at, start, end, largest_gap(time));
    // At the start only the state after initialisation counts.
    let skipped = at.first().map_or(0, |first| at.partition_point(|t| t <= first) - 1);
    let inside: Vec<usize> = (skipped..at.len()).filter(|&i| at[i] >= start && at[i] <= end).collect();
    let points: Vec<f64> = inside.iter().map(|&i| at[i]).collect();
    let judged = |signal: &String| {
        let name = key(signal);
        let Some(values) = reference.values(&name) else { return Verdict::NotInReference };
        if let Some(verdict) = &uncovered {
            return verdict.clone();
        }
        let Some(found) = result.values(&name) else { return Verdict::Missing };
        let candidates: Vec<f64> = inside.iter().map(|&i| found[i]).collect();
        judge(time, &values, &points, &candidates)
    };
    signals.iter().map(judged).collect()
}

fn judge(time: &[f64], values: &[f64], at: &[f64], candidates: &[f64]) -> Verdict {
    if let Some(bad) = candidates.iter().position(|v| !v.is_finite()) {
        return Verdict::NotFinite { at: at[bad] };
    }
    let window = WINDOW * (time[time.len() - 1] - time[0]);
    let peak = values.iter().fold(0.0, |m: f64, v| larger(m, v.abs()));
    let low = values.iter().copied().fold(f64::INFINITY, smaller);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, larger);
    let height = if peak >= ZERO { (HEIGHT * (high - low)).max(RELATIVE * peak) } else { NOISE };
    let off = excess(time, values, at, candidates, window, height);
    if off.iter().any(|&v| v != 0.0) {
        let first = off.iter().position(|&v| v != 0.0).unwrap_or(0);
        let worst = (0..off.len()).fold(first, |best, i| if off[i] > off[best] { i } else { best });
        let part = off.iter().filter(|&&v| v > 0.0).count() as f64 / off.len() as f64;
        return Verdict::Outside { from: at[first], worst_at: at[worst], heights: 1.0 + off[worst], part };
    }
    if distinct(at) as f64 >= distinct(time) as f64 / 2.0 {
        let stray = excess(at, candidates, time, values, window, LOOSE * height);
        let part = stray.iter().filter(|&&v| v > 0.0).count() as f64 / stray.len() as f64;
        if part > STRAY {
            return Verdict::DoesNotFollow { part };
        }
    }
    Verdict::Inside
}

/// How far candidates lie outside the tube around a curve, in tube heights.
fn excess(
    time: &[f64],
    values: &[f64],
    at: &[f64],
    candidates: &[f64],
    window: f64,
    height: f64,
) -> Vec<f64> {
    let (low, high) = envelope(time, values, at, window);
    (0..at.len())
        .map(|i| larger(larger(low[i] - candidates[i], candidates[i] - high[i]) / height - 1.0, 0.0))
        .collect()
}

/// Minimum and maximum of a piecewise linear curve over `at ± window`; `at` ascends.
fn envelope(time: &[f64], values: &[f64], at: &[f64], window: f64) -> (Vec<f64>, Vec<f64>) {
    let mut low = Vec::with_capacity(at.len());
    let mut high = Vec::with_capacity(at.len());
    // Candidates for the minimum and maximum of the points in the window, best first.
    let (mut minima, mut maxima) = (std::collections::VecDeque::new(), std::collections::VecDeque::new());
    let mut next = 0;
    for &t in at {
        let (left, right) = (interpolate(time, values, t - window), interpolate(time, values, t + window));
        let first = time.partition_point(|&x| x < t - window);
        let last = time.partition_point(|&x| x <= t + window);
        while next < last {
            while minima.back().is_some_and(|&i: &usize| values[i] >= values[next]) {
                minima.pop_back();
            }
            minima.push_back(next);
            while maxima.back().is_some_and(|&i: &usize| values[i] <= values[next]) {
                maxima.pop_back();
            }
            maxima.push_back(next);
            next += 1;
        }
        while minima.front().is_some_and(|&i| i < first) {
            minima.pop_front();
        }
        while maxima.front().is_some_and(|&i| i < first) {
            maxima.pop_front();
        }
        let (mut bottom, mut top) = (smaller(left, right), larger(left, right));
        if last > first {
            bottom = minima.front().map_or(bottom, |&i| smaller(bottom, values[i]));
            top = maxima.front().map_or(top, |&i| larger(top, values[i]));
        }
        low.push(bottom);
        high.push(top);
    }
    (low, high)
}

/// Linear between points and constant outside; at a jump the value after it.
fn interpolate(time: &[f64], values: &[f64], t: f64) -> f64 {
    let after = time.partition_point(|&x| x <= t);
    if after == 0 {
        return values[0];
    }
    let j = after - 1;
    if j + 1 == time.len() || time[j] == t {
        return values[j];
    }
    let slope = (values[j + 1] - values[j]) / (time[j + 1] - time[j]);
    slope * (t - time[j]) + values[j]
}

/// Why time points do not cover a span, if they do not; gaps up to `gap` are fine.
fn shortfall(at: &[f64], start: f64, end: f64, gap: f64) -> Option<Verdict> {
    let span = end - start;
    let inside: Vec<f64> = at.iter().copied().filter(|&t| t >= start && t <= end).collect();
    let (first, last) = (at.first().copied().unwrap_or(f64::NAN), at.last().copied().unwrap_or(f64::NAN));
    match inside.first() {
        Some(&t) if t <= start + WINDOW * span => {}
        _ => return Some(Verdict::StartedAt(first)),
    }
    if last < end - WINDOW * span {
        return Some(Verdict::EndedAt(last));
    }
    (largest_gap(&inside) > (LARGEST_GAP * span).max(gap)).then_some(Verdict::TooFewPoints)
}

fn largest_gap(time: &[f64]) -> f64 {
    time.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max)
}

fn distinct(sorted: &[f64]) -> usize {
    sorted.chunk_by(|a, b| a == b).count()
}

/// The smaller of two numbers; not a number if either is not.
fn smaller(a: f64, b: f64) -> f64 {
    if a.is_nan() || a < b { a } else { b }
}

fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}
