//! Coupled systems whose right-hand sides bend sharply without events: networks of tanks, limiters and dead zones in feedback,
//! steep but smooth transitions.
//!
//! Every system is a sum of sines, linear terms and bends of linear forms, so that its text, its values and its exact Jacobian
//! come from the same few numbers. The answer comes from extrapolated implicit Euler steps (Deuflhard's EULSIM) whose
//! equations are solved with the Jacobian of the very iterate down to round-off. Steps over a bend are as short as their error asks.
//! Where two tolerances of the method differ the case is dropped.

use crate::random::Random;
use crate::{Case, Expected};
use std::fmt::Write;

/// A function of one number that bends.
#[derive(Clone, Copy, Debug)]
pub enum Bend {
    /// `max(y, 0)^e`
    Valve(i32),
    /// `abs(y)`
    Abs,
    /// `max(-w, min(w, y))`
    Limit(f64),
    /// `y - max(-w, min(w, y))`
    Dead(f64),
    /// `tanh(s*y)`
    Tanh(f64),
    /// `y/(abs(y) + w)`
    Sign(f64),
}

/// `sum of factor[i]*x[i] + constant`, bent, and added to some derivatives with factors.
#[derive(Clone, Debug)]
pub struct Part {
    pub bend: Bend,
    pub form: Vec<(usize, f64)>,
    pub constant: f64,
    pub into: Vec<(usize, f64)>,
}

/// `der(x) = a + b*sin(w*time + f) + K*x + bends`.
#[derive(Clone, Debug)]
pub struct System {
    pub start: Vec<f64>,
    pub flow: Vec<[f64; 4]>,
    pub linear: Vec<(usize, usize, f64)>,
    pub parts: Vec<Part>,
}

const METHODS: [&str; 4] = ["bdf", "esdirk", "radau", "auto"];
const STOP: f64 = 3.0;
/// Times of comparison.
pub const TIMES: [f64; 4] = [0.7, 1.5, 2.2, STOP];
/// The longest step of the oracle; what it steps over the second time, with shorter steps, tells that it is not sure.
const GLANCE: f64 = 3e-3;
const COLUMNS: usize = 6;
/// A result may be off by so many tolerances.
const BAR: f64 = 100.0;

/// Makes a case.
pub fn case(random: &mut Random) -> Option<Case> {
    let (system, tolerance) = system(random);
    let found = system.solve(tolerance)?;
    let mut expected = Vec::new();
    for (time, x) in TIMES.into_iter().zip(found) {
        for (k, value) in x.into_iter().enumerate() {
            let within = BAR * tolerance * (1.0 + value.abs());
            expected.push(Expected { variable: format!("x{k}"), time, value, within });
        }
    }
    let method = METHODS[random.below(0, METHODS.len())];
    let options = vec!["--method".into(), method.into()];
    Some(Case { text: system.text(), stop: STOP, tolerance, expected, options })
}

/// A random system and a tolerance.
pub fn system(random: &mut Random) -> (System, f64) {
    let system = match random.below(0, 5) {
        0 => tanks(random),
        1 => feedback(random),
        2 => stops(random),
        3 => friction(random),
        _ => pairs(random),
    };
    (system, 10f64.powi(-(random.below(4, 10) as i32)))
}

fn sine(random: &mut Random, size: f64) -> [f64; 4] {
    [
        random.round(-0.3, 0.3) * size,
        random.round(0.5, 1.5) * size,
        random.round(0.5, 6.0),
        random.round(0.0, 6.0),
    ]
}

fn steepness(random: &mut Random, low: usize, high: usize) -> f64 {
    10f64.powi(random.below(low, high) as i32)
}

/// Tanks in a network: check valves let flow through in one direction, from the higher level to the lower.
fn tanks(random: &mut Random) -> System {
    let n = random.below(2, 9);
    let (factor, exponent) = (steepness(random, 2, 9), random.below(1, 3) as i32);
    let mut parts = Vec::new();
    for k in 0..n {
        let other = if k + 1 < n { k + 1 } else { random.below(0, n - 1) };
        let offset = random.round(-0.3, 0.3);
        parts.push(Part {
            bend: Bend::Valve(exponent),
            form: vec![(k, 1.0), (other, -1.0)],
            constant: offset,
            into: vec![(k, -factor), (other, factor)],
        });
        if random.chance(0.4) {
            let (bend, form) = (Bend::Valve(exponent), vec![(k, 1.0)]);
            parts.push(Part { bend, form, constant: -0.5, into: vec![(k, -factor)] });
        }
    }
    System {
        start: (0..n).map(|_| random.round(-0.5, 0.5)).collect(),
        flow: (0..n).map(|_| sine(random, 1.0)).collect(),
        linear: (0..n).map(|k| (k, k, -0.1)).collect(),
        parts,
    }
}

/// Oscillators with a limiter or dead zone in their feedback.
fn feedback(random: &mut Random) -> System {
    let count = random.below(1, 4);
    let (mut linear, mut parts) = (Vec::new(), Vec::new());
    for k in 0..count {
        let (x, v) = (2 * k, 2 * k + 1);
        let stiff = random.round(1.0, 30.0);
        linear.extend([(x, v, 1.0), (v, x, -stiff), (v, v, -random.round(0.5, 2.0))]);
        let gain = steepness(random, 0, 7);
        let width = random.round(0.05, 0.5);
        let bend = if random.chance(0.5) { Bend::Limit(width) } else { Bend::Dead(width) };
        // A steep limiter of the speed damps; a dead zone of the speed, too.
        parts.push(Part { bend, form: vec![(v, 1.0)], constant: 0.0, into: vec![(v, -gain)] });
        if k > 0 {
            let bend = Bend::Abs;
            parts.push(Part { bend, form: vec![(x, 1.0)], constant: 0.0, into: vec![(v - 2, 0.5)] });
        }
    }
    System {
        start: (0..2 * count).map(|_| random.round(-0.5, 0.5)).collect(),
        flow: (0..2 * count)
            .map(|k| if k % 2 == 0 { [0.0, 0.0, 1.0, 0.0] } else { sine(random, 3.0) })
            .collect(),
        linear,
        parts,
    }
}

/// Masses that meet stiff stops with damping, one beside the other.
fn stops(random: &mut Random) -> System {
    let count = random.below(1, 4);
    let (mut linear, mut parts) = (Vec::new(), Vec::new());
    for k in 0..count {
        let (x, v) = (2 * k, 2 * k + 1);
        linear.extend([(x, v, 1.0), (v, v, -0.3)]);
        let stiff = steepness(random, 2, 7);
        for side in [1.0, -1.0] {
            // Overdamped enough to lose its speed: the damper acts through the same bend.
            let form = vec![(x, side), (v, side * 2.0 / stiff.sqrt())];
            let (bend, constant) = (Bend::Valve(1), -0.2);
            parts.push(Part { bend, form, constant, into: vec![(v, -side * stiff)] });
        }
        if k > 0 {
            // The neighbours meet at a distance.
            let form = vec![(x - 2, 1.0), (x, -1.0), (v - 2, 0.02), (v, -0.02)];
            let (bend, constant) = (Bend::Valve(1), -0.1);
            parts.push(Part { bend, form, constant, into: vec![(v - 2, -1e4), (v, 1e4)] });
        }
    }
    System {
        start: (0..2 * count).map(|k| if k % 2 == 0 { random.round(-0.1, 0.1) } else { 0.0 }).collect(),
        flow: (0..2 * count)
            .map(|k| if k % 2 == 0 { [0.0, 0.0, 1.0, 0.0] } else { sine(random, 5.0) })
            .collect(),
        linear,
        parts,
    }
}

/// Blocks on a line with springs, and friction with a steep but finite transition.
fn friction(random: &mut Random) -> System {
    let count = random.below(1, 4);
    let (mut linear, mut parts) = (Vec::new(), Vec::new());
    let steep = steepness(random, 2, 7);
    for k in 0..count {
        let (x, v) = (2 * k, 2 * k + 1);
        linear.extend([(x, v, 1.0), (v, x, -random.round(1.0, 10.0)), (v, v, -0.2)]);
        if k > 0 {
            linear.extend([(v, x - 2, 2.0), (v - 2, x, 2.0)]);
        }
        let bend = match random.below(0, 3) {
            0 => Bend::Tanh(steep),
            1 => Bend::Sign(1.0 / steep),
            _ => Bend::Limit(1.0 / steep),
        };
        let level = random.round(0.3, 2.0) * if matches!(bend, Bend::Limit(_)) { steep } else { 1.0 };
        parts.push(Part { bend, form: vec![(v, 1.0)], constant: 0.0, into: vec![(v, -level)] });
    }
    System {
        start: (0..2 * count).map(|_| random.round(-0.5, 0.5)).collect(),
        flow: (0..2 * count)
            .map(|k| if k % 2 == 0 { [0.0, 0.0, 1.0, 0.0] } else { sine(random, 2.0) })
            .collect(),
        linear,
        parts,
    }
}

/// States that follow the larger or smaller of two others, and an integral that sees them without damping.
fn pairs(random: &mut Random) -> System {
    let n = random.below(3, 8);
    let fast = steepness(random, 1, 8);
    let (mut linear, mut parts) = (Vec::new(), Vec::new());
    for k in 2..n {
        let (a, b) = (random.below(0, k), random.below(0, k - 1));
        let b = if b >= a { b + 1 } else { b };
        // max(a, b) = b + max(a - b, 0), min(a, b) = a - max(a - b, 0).
        let upper = random.chance(0.5);
        let base = if upper { b } else { a };
        linear.extend([(k, k, -fast), (k, base, fast)]);
        let factor = if upper { fast } else { -fast };
        let form = vec![(a, 1.0), (b, -1.0)];
        parts.push(Part { bend: Bend::Valve(1), form, constant: 0.0, into: vec![(k, factor)] });
    }
    // The integral of the size of the last one.
    linear.push((n, n, 0.0));
    let form = vec![(n - 1, 1.0)];
    parts.push(Part { bend: Bend::Abs, form, constant: -0.05, into: vec![(n, 1.0)] });
    let mut flow: Vec<[f64; 4]> = (0..=n).map(|_| [0.0, 0.0, 1.0, 0.0]).collect();
    flow[0] = sine(random, 2.0);
    flow[1] = sine(random, 2.0);
    System { start: (0..=n).map(|_| random.round(-0.5, 0.5)).collect(), flow, linear, parts }
}

impl Bend {
    pub fn value(self, y: f64) -> f64 {
        match self {
            Bend::Valve(e) => y.max(0.0).powi(e),
            Bend::Abs => y.abs(),
            Bend::Limit(w) => y.min(w).max(-w),
            Bend::Dead(w) => y - y.min(w).max(-w),
            Bend::Tanh(s) => (s * y).tanh(),
            Bend::Sign(w) => y / (y.abs() + w),
        }
    }

    pub fn slope(self, y: f64) -> f64 {
        let inside = |w: f64| f64::from(u8::from(y.abs() < w));
        match self {
            Bend::Valve(e) if y > 0.0 => f64::from(e) * y.powi(e - 1),
            Bend::Valve(_) => 0.0,
            Bend::Abs => y.signum(),
            Bend::Limit(w) => inside(w),
            Bend::Dead(w) => 1.0 - inside(w),
            Bend::Tanh(s) => s / (s * y).cosh().powi(2),
            Bend::Sign(w) => w / (y.abs() + w).powi(2),
        }
    }

    fn text(self, y: &str) -> String {
        match self {
            Bend::Valve(e) => format!("max({y}, 0)^{e}"),
            Bend::Abs => format!("abs({y})"),
            Bend::Limit(w) => format!("max(-{w}, min({w}, {y}))"),
            Bend::Dead(w) => {
                format!("(noEvent(if {y} > {w} then {y} - {w} else if {y} < -{w} then {y} + {w} else 0))")
            }
            Bend::Tanh(s) => format!("tanh({s}*({y}))"),
            Bend::Sign(w) => format!("({y})/(abs({y}) + {w})"),
        }
    }
}

impl System {
    pub fn dimension(&self) -> usize {
        self.start.len()
    }

    pub fn slope(&self, t: f64, x: &[f64], dx: &mut [f64]) {
        for (out, [a, b, w, f]) in dx.iter_mut().zip(&self.flow) {
            *out = a + b * (w * t + f).sin();
        }
        for &(row, column, factor) in &self.linear {
            dx[row] += factor * x[column];
        }
        for part in &self.parts {
            let value = part.bend.value(part.argument(x));
            part.into.iter().for_each(|&(row, factor)| dx[row] += factor * value);
        }
    }

    /// Calls `add` with row, column and value of every contribution to the Jacobian.
    pub fn jacobian(&self, x: &[f64], mut add: impl FnMut(usize, usize, f64)) {
        self.linear.iter().for_each(|&(row, column, factor)| add(row, column, factor));
        for part in &self.parts {
            let slope = part.bend.slope(part.argument(x));
            for &(row, factor) in &part.into {
                part.form.iter().for_each(|&(column, weight)| add(row, column, factor * slope * weight));
            }
        }
    }

    fn text(&self) -> String {
        let (mut text, mut equations) = (String::from("model M\n"), String::new());
        for (k, (start, [a, b, w, f])) in self.start.iter().zip(&self.flow).enumerate() {
            let _ = writeln!(text, "  Real x{k}(start = {start}, fixed = true);");
            let _ = write!(equations, "  der(x{k}) = {a} + {b}*sin({w}*time + {f})");
            for (_, column, factor) in self.linear.iter().filter(|l| l.0 == k) {
                let _ = write!(equations, " + ({factor})*x{column}");
            }
            for part in &self.parts {
                for (_, factor) in part.into.iter().filter(|i| i.0 == k) {
                    let sum: Vec<String> = part.form.iter().map(|(i, w)| format!("({w})*x{i}")).collect();
                    let form = format!("({} + ({}))", sum.join(" + "), part.constant);
                    let _ = write!(equations, " + ({factor})*{}", part.bend.text(&form));
                }
            }
            equations.push_str(";\n");
        }
        format!("{text}equation\n{equations}end M;\n")
    }

    /// The states at `TIMES`; `None` where the method is not sure of them beside a tolerance.
    pub fn solve(&self, tolerance: f64) -> Option<Vec<Vec<f64>>> {
        let (coarse, fine) = (self.march(1e-9, GLANCE)?, self.march(2e-11, 0.37 * GLANCE)?);
        let pairs = coarse.iter().flatten().zip(fine.iter().flatten());
        let mut sure = pairs.into_iter().map(|(a, b)| (a - b).abs() <= 10.0 * tolerance * (1.0 + b.abs()));
        sure.all(|sure| sure).then_some(fine)
    }

    fn march(&self, goal: f64, longest: f64) -> Option<Vec<Vec<f64>>> {
        let (mut t, mut x, mut h) = (0.0, self.start.clone(), 1e-8);
        let (mut found, mut count) = (Vec::new(), 0);
        for end in TIMES {
            while t < end {
                count += 1;
                if count > 40_000 {
                    return None;
                }
                let step = f64::min(h, longest).min(end - t);
                let Some((next, error)) = self.extrapolate(t, &x, step, goal) else {
                    h = 0.25 * step;
                    if h < 1e-15 {
                        return None;
                    }
                    continue;
                };
                h = step * (0.8 * error.max(1e-30).powf(-1.0 / COLUMNS as f64)).clamp(0.1, 4.0);
                if error > 1.0 && step > 1e-14 {
                    continue;
                }
                (t, x) = (if step == end - t { end } else { t + step }, next);
            }
            found.push(x.clone());
        }
        Some(found)
    }

    /// A step, and how unsure it is, in goals.
    fn extrapolate(&self, t: f64, x: &[f64], step: f64, goal: f64) -> Option<(Vec<f64>, f64)> {
        let mut row: Vec<Vec<f64>> = Vec::new();
        let mut error = f64::INFINITY;
        for j in 1..=COLUMNS {
            let mut next = vec![self.euler(t, x, step, j)?];
            for (k, before) in row.iter().enumerate() {
                let ratio = j as f64 / (j - k - 1) as f64;
                let better = next[k].iter().zip(before).map(|(a, b)| a + (a - b) / (ratio - 1.0)).collect();
                next.push(better);
            }
            if j > 1 {
                let pairs = next[j - 1].iter().zip(&next[j - 2]);
                error = pairs.map(|(a, b)| (a - b).abs() / (goal * (1.0 + a.abs()))).fold(0.0, f64::max);
            }
            row = next;
        }
        Some((row.pop()?, error))
    }

    /// So many implicit Euler steps.
    fn euler(&self, t: f64, x: &[f64], step: f64, count: usize) -> Option<Vec<f64>> {
        let h = step / count as f64;
        let n = x.len();
        let (mut x, mut f) = (x.to_vec(), vec![0.0; n]);
        for k in 1..=count {
            let (time, from) = (t + k as f64 * h, x.clone());
            let mut last = f64::INFINITY;
            let mut done = false;
            for _ in 0..40 {
                self.slope(time, &x, &mut f);
                let mut matrix = vec![vec![0.0; n + 1]; n];
                for (i, row) in matrix.iter_mut().enumerate() {
                    row[i] = 1.0;
                    row[n] = from[i] + h * f[i] - x[i];
                }
                self.jacobian(&x, |row, column, value| matrix[row][column] -= h * value);
                let correction = eliminate(matrix)?;
                x.iter_mut().zip(&correction).for_each(|(x, d)| *x += d);
                let size =
                    correction.iter().zip(&x).map(|(d, x)| d.abs() / (1.0 + x.abs())).fold(0.0, f64::max);
                // As small as round-off lets it be.
                if size <= 1e-15 || size <= 1e-13 && size >= 0.5 * last {
                    done = true;
                    break;
                }
                last = size;
            }
            if !done {
                return None;
            }
        }
        Some(x)
    }
}

impl Part {
    fn argument(&self, x: &[f64]) -> f64 {
        self.form.iter().map(|&(i, w)| w * x[i]).sum::<f64>() + self.constant
    }
}

/// Solves the system whose right-hand side is the last column.
fn eliminate(mut a: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let n = a.len();
    for c in 0..n {
        let p = (c..n).max_by(|&x, &y| a[x][c].abs().total_cmp(&a[y][c].abs()))?;
        a.swap(c, p);
        if a[c][c] == 0.0 || !a[c][c].is_finite() {
            return None;
        }
        for i in c + 1..n {
            let factor = a[i][c] / a[c][c];
            if factor != 0.0 {
                let (upper, lower) = a.split_at_mut(i);
                lower[0][c..].iter_mut().zip(&upper[c][c..]).for_each(|(x, y)| *x -= factor * y);
            }
        }
    }
    let mut x = vec![0.0; n];
    for i in (0..n).rev() {
        let sum: f64 = (i + 1..n).map(|j| a[i][j] * x[j]).sum();
        x[i] = (a[i][n] - sum) / a[i][i];
    }
    Some(x)
}
