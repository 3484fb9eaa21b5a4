//! Coupled ideal relays: two to four states that switch each other, slide along one surface, spiral into the intersection of several, and go on there
//! with shares that change as the drift does.
//!
//! `x' = d(t) - N x - M s`, each `s` the sign of a combination of states, with an `M` whose symmetric part is positive: implicit Euler steps
//! have exactly one solution, which is found by trying which relays are full and which share. Integrals of the signs tell the shares. Two
//! step sizes judge each other.

use crate::dense::inverse;
use crate::random::Random;
use crate::{Case, Expected};
use std::fmt::Write;

struct Loop {
    start: Vec<f64>,
    decay: Vec<f64>,
    /// How each relay pushes each state.
    push: Vec<Vec<f64>>,
    /// Constant, amplitude and frequency of each drift, and when it begins.
    drift: Vec<[f64; 4]>,
}

const TIMES: [f64; 4] = [0.8, 1.7, 2.6, 4.0];
/// Steps of the coarse march over the whole time.
const STEPS: usize = 40_000;

pub fn case(random: &mut Random) -> Option<Case> {
    let relays = relays(random);
    let (coarse, fine) = (march(&relays, STEPS)?, march(&relays, 2 * STEPS)?);
    let mut expected = Vec::new();
    let count = relays.start.len();
    for (k, &time) in TIMES.iter().enumerate() {
        for n in 0..2 * count {
            let (c, f) = (coarse[k][n], fine[k][n]);
            let within = 5e-4 + 4.0 * (c - f).abs();
            if within > 0.01 {
                return None;
            }
            let name = if n < count { "x" } else { "z" };
            let variable = format!("{name}[{}]", n % count + 1);
            expected.push(Expected { variable, time, value: 2.0 * f - c, within });
        }
    }
    let tolerance = [1e-6, 1e-8][random.below(0, 2)];
    Some(Case { text: text(&relays, random), stop: 4.0, tolerance, expected, options: Vec::new() })
}

fn relays(random: &mut Random) -> Loop {
    let count = random.below(2, 5);
    let mut push = vec![vec![0.0; count]; count];
    for i in 0..count {
        push[i][i] = random.round(0.8, 2.5);
        for j in 0..i {
            // Skew: it turns the motion around the intersection. A little that is not skew leaves the symmetric part positive.
            let turn = if random.chance(0.6) { random.round(-2.5, 2.5) } else { 0.0 };
            let even = random.round(-0.2, 0.2);
            push[i][j] = ((turn + even) * 1000.0).round() / 1000.0;
            push[j][i] = ((even - turn) * 1000.0).round() / 1000.0;
        }
    }
    let drift = |random: &mut Random| {
        let begin = if random.chance(0.4) { random.round(1.2, 2.3) } else { 0.0 };
        [random.round(-0.3, 0.3), random.round(0.0, 0.6), random.round(0.5, 5.0), begin]
    };
    let on_surface = random.chance(0.2);
    Loop {
        start: (0..count).map(|_| if on_surface { 0.0 } else { random.round(-1.0, 1.0) }).collect(),
        decay: (0..count).map(|_| if random.chance(0.5) { random.round(0.0, 1.0) } else { 0.0 }).collect(),
        push,
        drift: (0..count).map(|_| drift(random)).collect(),
    }
}

impl Loop {
    fn drift(&self, n: usize, t: f64) -> f64 {
        let [constant, amplitude, frequency, begin] = self.drift[n];
        if t > begin || begin == 0.0 { constant + amplitude * (frequency * t).sin() } else { 0.0 }
    }
}

/// States and integrals of the signs at the times.
fn march(relays: &Loop, steps: usize) -> Option<Vec<Vec<f64>>> {
    let count = relays.start.len();
    let h = 4.0 / steps as f64;
    let mut x = relays.start.clone();
    let mut z = vec![0.0; count];
    // Which relays are full, and on which side; the others share.
    let mut kinds: Vec<i8> = x.iter().map(|x| if *x > 0.0 { 1 } else { -1 }).collect();
    let mut rows = Vec::new();
    for step in 1..=steps {
        let t = h * step as f64;
        // `(1 + h*decay)*x+ = free - h*M*s`.
        let free: Vec<f64> = (0..count).map(|n| x[n] + h * relays.drift(n, t)).collect();
        let signs = match solve(relays, h, &free, &kinds) {
            Some(signs) => signs,
            None => {
                let all = (0..3i32.pow(count as u32)).map(|code| {
                    (0..count).map(|n| ((code / 3i32.pow(n as u32)) % 3 - 1) as i8).collect::<Vec<i8>>()
                });
                let (found, signs) = all
                    .into_iter()
                    .find_map(|kinds| Some((kinds.clone(), solve(relays, h, &free, &kinds)?)))?;
                kinds = found;
                signs
            }
        };
        for n in 0..count {
            let pushed: f64 = relays.push[n].iter().zip(&signs).map(|(m, s)| m * s).sum();
            x[n] = if kinds[n] == 0 { 0.0 } else { (free[n] - h * pushed) / (1.0 + h * relays.decay[n]) };
            z[n] += h * signs[n];
        }
        if TIMES.iter().any(|time| (t - time).abs() < 0.5 * h) {
            rows.push(x.iter().chain(&z).copied().collect());
        }
    }
    (rows.len() == TIMES.len()).then_some(rows)
}

/// The signs at the end of a step, if these kinds of relays agree with what follows from them.
fn solve(relays: &Loop, h: f64, free: &[f64], kinds: &[i8]) -> Option<Vec<f64>> {
    let open: Vec<usize> = (0..kinds.len()).filter(|&n| kinds[n] == 0).collect();
    let mut signs: Vec<f64> = kinds.iter().map(|&kind| f64::from(kind)).collect();
    if !open.is_empty() {
        let matrix = open.iter().map(|&i| open.iter().map(|&j| relays.push[i][j]).collect()).collect();
        let inverse = inverse(matrix)?;
        let wanted: Vec<f64> = open
            .iter()
            .map(|&i| free[i] / h - relays.push[i].iter().zip(&signs).map(|(m, s)| m * s).sum::<f64>())
            .collect();
        for (row, &n) in inverse.iter().zip(&open) {
            signs[n] = row.iter().zip(&wanted).map(|(a, b)| a * b).sum();
            if signs[n].abs() > 1.0 {
                return None;
            }
        }
    }
    for (n, &kind) in kinds.iter().enumerate() {
        let pushed: f64 = relays.push[n].iter().zip(&signs).map(|(m, s)| m * s).sum();
        let end = free[n] - h * pushed;
        if f64::from(kind) * end < 0.0 {
            return None;
        }
    }
    Some(signs)
}

fn text(relays: &Loop, random: &mut Random) -> String {
    let count = relays.start.len();
    let mut text = String::from("model M\n");
    let starts: Vec<String> = relays.start.iter().map(|x| format!("{x:?}")).collect();
    let _ = writeln!(text, "  Real x[{count}](start = {{{}}}, each fixed = true);", starts.join(", "));
    let _ = writeln!(text, "  Real z[{count}](each start = 0, each fixed = true);\n  Real s[{count}];");
    text.push_str("equation\n");
    for n in 0..count {
        let k = n + 1;
        let relation = match random.below(0, 4) {
            0 => format!("if x[{k}] > 0 then 1 else -1"),
            1 => format!("if x[{k}] < 0 then -1 else 1"),
            2 => format!("if 0 >= 2*x[{k}] then -1 else 1"),
            _ => format!("2*(if x[{k}] > 0 then 1 else 0) - 1"),
        };
        let _ = writeln!(text, "  s[{k}] = {relation};\n  der(z[{k}]) = s[{k}];");
        let [constant, amplitude, frequency, begin] = relays.drift[n];
        let wave = format!("{constant:?} + {amplitude:?}*sin({frequency:?}*time)");
        let wave = if begin > 0.0 { format!("(if time > {begin:?} then {wave} else 0)") } else { wave };
        let pushes: Vec<String> =
            (0..count).map(|j| format!("({:?})*s[{}]", relays.push[n][j], j + 1)).collect();
        let _ = writeln!(
            text,
            "  der(x[{k}]) = {wave} - {:?}*x[{k}] - ({});",
            relays.decay[n],
            pushes.join(" + ")
        );
    }
    text.push_str("end M;\n");
    text
}
