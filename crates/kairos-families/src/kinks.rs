//! Valves that open and close without events: steep slopes that begin at a kink, for the error control of implicit methods.
//!
//! The answer comes from extrapolated implicit Euler steps (Deuflhard's EULSIM) for each valve alone: its equation
//! `p + h c max(p, 0)^e = s` is solved by formula, so that no matrix is ever out of date. Where two tolerances of it differ
//! the case is dropped.

use crate::random::Random;
use crate::{Case, Expected};
use std::fmt::Write;

/// A valve: `der(p) = a + b sin(w t + f) - c max(p, 0)^e`.
#[derive(Clone, Copy, Debug)]
pub struct Valve {
    /// Constant, amplitude, frequency and phase of the inflow.
    pub flow: [f64; 4],
    pub factor: f64,
    pub exponent: usize,
    pub start: f64,
}

const METHODS: [&str; 4] = ["bdf", "esdirk", "radau", "auto"];
const STOP: f64 = 4.0;
const TIMES: [f64; 4] = [0.9, 1.8, 2.9, STOP];
/// Nothing happens twice within this time.
const GLANCE: f64 = 1e-3;
/// Columns of the extrapolation.
const COLUMNS: usize = 6;
/// A result may be off by so many tolerances.
const BAR: f64 = 100.0;

/// Makes a case of 1 to 20 valves.
pub fn case(random: &mut Random) -> Option<Case> {
    let (valves, tolerance) = valves(random);
    let mut expected = Vec::new();
    for (k, valve) in valves.iter().enumerate() {
        for (time, value) in TIMES.into_iter().zip(valve.solve(&TIMES, tolerance)?) {
            let within = BAR * tolerance * (1.0 + value.abs());
            expected.push(Expected { variable: format!("p{k}"), time, value, within });
        }
    }
    let method = METHODS[random.below(0, METHODS.len())];
    let options = vec!["--method".into(), method.into()];
    Some(Case { text: text(&valves, random), stop: STOP, tolerance, expected, options })
}

/// Random valves and a tolerance.
pub fn valves(random: &mut Random) -> (Vec<Valve>, f64) {
    let count = random.below(1, 21);
    let factor = 10f64.powi(random.below(3, 13) as i32);
    let exponent = random.below(1, 4);
    let valve = |random: &mut Random| Valve {
        flow: [
            random.round(-0.5, 0.5),
            random.round(0.5, 2.0),
            random.round(0.5, 6.0),
            random.round(0.0, 6.0),
        ],
        factor,
        exponent,
        start: if random.chance(0.5) { 0.0 } else { random.round(-1.0, 0.0) },
    };
    let valves = (0..count).map(|_| valve(random)).collect();
    (valves, 10f64.powi(-(random.below(4, 11) as i32)))
}

fn text(valves: &[Valve], random: &mut Random) -> String {
    let (mut text, mut equations) = (String::from("model M\n"), String::new());
    let form = random.below(0, 4);
    for (k, valve) in valves.iter().enumerate() {
        let [a, b, w, f] = valve.flow;
        let _ = writeln!(text, "  Real p{k}(start = {}, fixed = true);", valve.start);
        let open = match form {
            0 => format!("max(p{k}, 0)^{}", valve.exponent),
            1 => format!("(0.5*(p{k} + abs(p{k})))^{}", valve.exponent),
            2 => format!("(if noEvent(p{k} > 0) then p{k}^{} else 0)", valve.exponent),
            _ => format!("smooth(0, if p{k} > 0 then p{k}^{} else 0)", valve.exponent),
        };
        let _ = writeln!(equations, "  der(p{k}) = {a} + {b}*sin({w}*time + {f}) - {}*{open};", valve.factor);
    }
    format!("{text}equation\n{equations}end M;\n")
}

impl Valve {
    fn inflow(&self, t: f64) -> f64 {
        let [a, b, w, f] = self.flow;
        a + b * (w * t + f).sin()
    }

    /// The pressures at these times, which ascend; `None` where the method is not sure of them beside a tolerance.
    pub fn solve(&self, times: &[f64], tolerance: f64) -> Option<Vec<f64>> {
        let (coarse, fine) = (self.march(times, 1e-10)?, self.march(times, 1e-12)?);
        let sure = coarse.iter().zip(&fine).all(|(a, b)| (a - b).abs() <= 10.0 * tolerance);
        sure.then_some(fine)
    }

    /// Closed valves by formula, open ones step by step; an open one is steep, but smooth.
    fn march(&self, times: &[f64], goal: f64) -> Option<Vec<f64>> {
        let (mut t, mut p, mut h) = (0.0, self.start, 1e-6);
        let mut found = Vec::new();
        let mut count = 0;
        for &end in times {
            while t < end {
                count += 1;
                if count > 200_000 {
                    return None;
                }
                if p < 0.0 || p == 0.0 && self.inflow(t) <= 0.0 {
                    (t, p) = self.closed(t, p, end);
                    h = 1e-9;
                    continue;
                }
                // It may close and open again within a long step.
                let step = f64::min(h, GLANCE).min(end - t);
                let (next, error) = self.extrapolate(t, p, step);
                let allowed = goal * (1.0 + p.abs());
                h = step * (0.8 * (allowed / error.max(1e-300)).powf(1.0 / COLUMNS as f64)).clamp(0.2, 4.0);
                if error > allowed && step > 1e-14 {
                    continue;
                }
                if next >= 0.0 {
                    (t, p) = (if step == end - t { end } else { t + step }, next);
                    continue;
                }
                let (mut short, mut long) = (0.0, step);
                while long - short > 1e-16 {
                    let middle = 0.5 * (short + long);
                    if middle == short || middle == long {
                        break;
                    }
                    if self.extrapolate(t, p, middle).0 >= 0.0 { short = middle } else { long = middle }
                }
                (t, p) = (t + long, 0.0);
                if self.inflow(t) > 0.0 {
                    return None;
                }
            }
            found.push(p);
        }
        Some(found)
    }

    /// A closed valve until it opens, or until `end`.
    fn closed(&self, t: f64, p: f64, end: f64) -> (f64, f64) {
        let [a, b, w, f] = self.flow;
        let sum = |t: f64| a * t - b / w * (w * t + f).cos();
        let at = |s: f64| p + sum(s) - sum(t);
        let mut from = t;
        while from < end {
            let to = f64::min(from + GLANCE, end);
            if at(to) > 0.0 {
                let (mut low, mut high) = (from, to);
                for _ in 0..100 {
                    let middle = 0.5 * (low + high);
                    if at(middle) > 0.0 { high = middle } else { low = middle }
                }
                return (high, at(high).max(f64::MIN_POSITIVE));
            }
            from = to;
        }
        (end, at(end).min(0.0))
    }

    /// A step, and how sure it is.
    fn extrapolate(&self, t: f64, p: f64, step: f64) -> (f64, f64) {
        let mut row: Vec<f64> = Vec::new();
        let mut error = f64::INFINITY;
        for j in 1..=COLUMNS {
            let mut next = vec![self.euler(t, p, step, j)];
            for (k, &before) in row.iter().enumerate() {
                let ratio = j as f64 / (j - k - 1) as f64;
                next.push(next[k] + (next[k] - before) / (ratio - 1.0));
            }
            if j > 1 {
                error = (next[j - 1] - next[j - 2]).abs();
            }
            row = next;
        }
        (row[COLUMNS - 1], error)
    }

    /// So many implicit Euler steps.
    fn euler(&self, t: f64, mut p: f64, step: f64, count: usize) -> f64 {
        let h = step / count as f64;
        for k in 1..=count {
            let s = p + h * self.inflow(t + k as f64 * h);
            // Below zero an odd function goes on smoothly.
            p = s.signum() * self.open(s.abs(), h * self.factor);
        }
        p
    }

    /// The positive solution of `p + a p^e = s`.
    fn open(&self, s: f64, a: f64) -> f64 {
        match self.exponent {
            1 => s / (1.0 + a),
            2 => 2.0 * s / (1.0 + (1.0 + 4.0 * a * s).sqrt()),
            _ => {
                // From above Newton's method descends to the root of a convex function.
                let mut p = s.min((s / a).cbrt());
                for _ in 0..100 {
                    let down = (p + a * p * p * p - s) / (1.0 + 3.0 * a * p * p);
                    p -= down;
                    if down.abs() <= 1e-16 * p {
                        break;
                    }
                }
                p
            }
        }
    }
}
