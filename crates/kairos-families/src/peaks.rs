//! Peak detectors: what follows a signal while it rises to new heights, and holds in between.
//!
//! On its way up the detector rests at the border of its relation, on the side where both move alike; it leaves the border where the
//! signal turns. The answer is the largest value so far, by looking at a fine grid and narrowing its best cells.

use crate::random::Random;
use crate::{Case, Expected};
use std::fmt::Write;

/// A sum of waves and a ramp: amplitudes, frequencies and phases, and the slope.
struct Signal {
    waves: Vec<[f64; 3]>,
    slope: f64,
    /// The waves are states of oscillators, not formulas in time.
    oscillates: bool,
    /// Valleys instead of peaks.
    downward: bool,
    /// How the relation is written.
    form: usize,
}

const STOP: f64 = 6.0;
const TIMES: [f64; 5] = [0.7, 1.9, 3.1, 4.6, 6.0];
const GRID: usize = 60_000;

pub fn case(random: &mut Random) -> Option<Case> {
    let signals: Vec<Signal> = (0..random.below(1, 4)).map(|_| signal(random)).collect();
    let tolerance = [1e-6, 1e-8][random.below(0, 2)];
    let mut expected = Vec::new();
    for (k, signal) in signals.iter().enumerate() {
        for time in TIMES {
            let value = signal.best(time);
            let within = 1e3 * tolerance * (1.0 + value.abs());
            expected.push(Expected { variable: format!("s{k}"), time, value, within });
        }
    }
    Some(Case { text: text(&signals), stop: STOP, tolerance, expected, options: Vec::new() })
}

fn signal(random: &mut Random) -> Signal {
    let wave = |random: &mut Random| [random.round(0.2, 1.5), random.round(0.7, 5.0), random.round(0.0, 6.0)];
    Signal {
        waves: (0..random.below(1, 4)).map(|_| wave(random)).collect(),
        slope: if random.chance(0.6) { random.round(-0.5, 0.8) } else { 0.0 },
        oscillates: random.chance(0.5),
        downward: random.chance(0.3),
        form: random.below(0, 4),
    }
}

impl Signal {
    fn at(&self, t: f64) -> f64 {
        self.slope * t + self.waves.iter().map(|[a, w, phase]| a * (w * t + phase).sin()).sum::<f64>()
    }

    /// The largest value up to a time, or the smallest.
    fn best(&self, until: f64) -> f64 {
        let sign = if self.downward { -1.0 } else { 1.0 };
        let value = |t: f64| sign * self.at(t.clamp(0.0, until));
        let cell = until / GRID as f64;
        let best = (0..=GRID).map(|k| k as f64 * cell).max_by(|a, b| value(*a).total_cmp(&value(*b)));
        let (mut low, mut high) = (best.unwrap_or(0.0) - cell, best.unwrap_or(0.0) + cell);
        for _ in 0..80 {
            let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            if value(a) < value(b) {
                low = a;
            } else {
                high = b;
            }
        }
        sign * value(0.5 * (low + high))
    }
}

fn text(signals: &[Signal]) -> String {
    let (mut declared, mut equations) = (String::new(), String::new());
    for (k, signal) in signals.iter().enumerate() {
        let (mut height, mut rise) = (format!("{}*time", signal.slope), format!("{}", signal.slope));
        for (j, [a, w, phase]) in signal.waves.iter().enumerate() {
            if signal.oscillates {
                let (start, speed) = (a * phase.sin(), a * w * phase.cos());
                let _ = writeln!(
                    declared,
                    "  Real x{k}_{j}(start = {start:?}, fixed = true), v{k}_{j}(start = {speed:?}, fixed = true);"
                );
                let _ = write!(
                    equations,
                    "  der(x{k}_{j}) = v{k}_{j};\n  der(v{k}_{j}) = -{}*x{k}_{j};\n",
                    w * w
                );
                let _ = write!(height, " + x{k}_{j}");
                let _ = write!(rise, " + v{k}_{j}");
            } else {
                let _ = write!(height, " + {a}*sin({w}*time + {phase})");
                let _ = write!(rise, " + {}*cos({w}*time + {phase})", a * w);
            }
        }
        let start = signal.at(0.0);
        let _ = write!(
            declared,
            "  Real p{k} = {height}, d{k} = {rise};\n  Real s{k}(start = {start:?}, fixed = true);\n"
        );
        let (more, bound) = if signal.downward { ("<", "min") } else { (">", "max") };
        let rate = match signal.form {
            0 => format!("if p{k} {more} s{k} then {bound}(0, d{k}) else 0"),
            1 => format!("if p{k} {more}= s{k} then {bound}(0, d{k}) else 0"),
            2 => format!("if p{k} - s{k} {more} 0 then {bound}(d{k}, 0) else 0"),
            _ => format!("if p{k} {more}= s{k} and d{k} {more} 0 then d{k} else 0"),
        };
        let _ = writeln!(equations, "  der(s{k}) = {rate};");
    }
    format!("model M\n{declared}equation\n{equations}end M;\n")
}
