//! Sampled controllers beside plants: several rates, cascades within one tick, saturations, references that step at ticks.
//!
//! The answer comes from extrapolated steps of the plant between the instants (`flow.rs`), which are multiples of 1/64 and known
//! beforehand; the difference equations are carried out at each of them in the order in which they depend on each other.

use crate::flow::step;
use crate::random::Random;
use crate::{Case, Expected};
use std::fmt::Write;

struct Loop {
    /// Plant: two states, `x' = v`, `v' = -a x - b v + c u + wave`, or one, `x' = -a x + c u + wave`.
    second_order: bool,
    plant: [f64; 3],
    wave: [f64; 2],
    start: f64,
    /// First tick and period.
    first: f64,
    period: f64,
    /// Proportional and integral gains.
    gains: [f64; 2],
    /// Bounds of the output.
    limit: Option<f64>,
    /// The reference is this from then on, or the output of the loop before.
    height: f64,
    at: f64,
    cascade: bool,
    /// The integral is acted on before or after it is brought up to date.
    late: bool,
}

const STOP: f64 = 5.0;
const TIMES: [f64; 4] = [0.71, 1.83, 3.29, 4.97];

pub fn case(random: &mut Random) -> Option<Case> {
    let count = random.below(1, 4);
    let clocked = random.chance(0.3);
    let loops: Vec<Loop> = (0..count).map(|k| controlled(random, k, clocked)).collect();
    let tolerance = [1e-6, 1e-8][random.below(0, 2)];
    let found = march(&loops, clocked);
    let mut expected = Vec::new();
    for (row, time) in found.iter().zip(TIMES) {
        for (k, &[x, i, u]) in row.iter().enumerate() {
            if !(x.abs() < 50.0 && i.abs() < 50.0) {
                return None;
            }
            let within = 1e3 * tolerance * (1.0 + x.abs());
            for (name, value) in [("x", x), ("i", i), ("u", u)] {
                expected.push(Expected { variable: format!("{name}{k}"), time, value, within });
            }
        }
    }
    Some(Case { text: text(&loops, clocked, random), stop: STOP, tolerance, expected, options: Vec::new() })
}

fn controlled(random: &mut Random, k: usize, clocked: bool) -> Loop {
    Loop {
        second_order: random.chance(0.5),
        plant: [random.round(0.2, 3.0), random.round(0.3, 3.0), random.round(0.5, 2.0)],
        wave: [if random.chance(0.4) { random.round(0.1, 1.0) } else { 0.0 }, random.round(1.0, 8.0)],
        start: random.round(-1.0, 1.0),
        first: if clocked { 0.0 } else { random.below(1, 17) as f64 / 64.0 },
        period: [2.0, 4.0, 5.0, 8.0, 12.0, 16.0][random.below(0, 6)] / 64.0,
        gains: [random.round(0.1, 2.5), random.round(0.0, 1.5)],
        limit: random.chance(0.5).then(|| random.round(0.2, 1.5)),
        height: random.round(-1.5, 1.5),
        at: random.below(8, 200) as f64 / 64.0,
        cascade: k > 0 && random.chance(0.6),
        late: random.chance(0.4),
    }
}

/// State, integral and output of every loop at the times of comparison. Clocks sample left limits (MLS 16.5.1), when-clauses see
/// the values of the instant.
fn march(loops: &[Loop], clocked: bool) -> Vec<Vec<[f64; 3]>> {
    let mut x: Vec<f64> = loops.iter().flat_map(|l| [l.start, 0.0]).collect();
    let (mut integral, mut out) = (vec![0.0; loops.len()], vec![0.0; loops.len()]);
    let mut found = Vec::new();
    let mut t = 0.0;
    // Ticks are counted in 64ths.
    let mut tick = 0i64;
    for time in TIMES {
        loop {
            let due = tick as f64 / 64.0;
            if due > time {
                go(loops, &out, &mut t, &mut x, time);
                break;
            }
            go(loops, &out, &mut t, &mut x, due);
            let before = out.clone();
            for (k, l) in loops.iter().enumerate() {
                let since = due - l.first;
                if since < 0.0 || (since / l.period).fract() != 0.0 {
                    continue;
                }
                let stepped = if clocked { due > l.at } else { due >= l.at };
                let step = if stepped { l.height } else { 0.0 };
                let above = if clocked { &before } else { &out };
                let reference = if l.cascade { above[k - 1] } else { step };
                let error = reference - x[2 * k];
                let old = integral[k];
                integral[k] += l.period * error;
                let u = l.gains[0] * error + l.gains[1] * if l.late { old } else { integral[k] };
                out[k] = l.limit.map_or(u, |limit| u.clamp(-limit, limit));
            }
            tick += 1;
        }
        found.push((0..loops.len()).map(|k| [x[2 * k], integral[k], out[k]]).collect());
    }
    found
}

fn go(loops: &[Loop], out: &[f64], t: &mut f64, x: &mut Vec<f64>, end: f64) {
    if end <= *t {
        return;
    }
    let field = |t: f64, x: &[f64], slope: &mut [f64]| {
        for (k, l) in loops.iter().enumerate() {
            let [a, b, c] = l.plant;
            let push = c * out[k] + l.wave[0] * (l.wave[1] * t).sin();
            if l.second_order {
                slope[2 * k] = x[2 * k + 1];
                slope[2 * k + 1] = -a * x[2 * k] - b * x[2 * k + 1] + push;
            } else {
                slope[2 * k] = -a * x[2 * k] + push;
                slope[2 * k + 1] = 0.0;
            }
        }
    };
    let parts = ((end - *t) / 4e-3).ceil().max(1.0);
    let h = (end - *t) / parts;
    for part in 0..parts as usize {
        *x = step(&field, *t + part as f64 * h, x, h);
    }
    *t = end;
}

fn text(loops: &[Loop], clocked: bool, random: &mut Random) -> String {
    let (mut text, mut equations, mut statements) = (String::from("model M\n"), String::new(), String::new());
    for (k, l) in loops.iter().enumerate() {
        let _ = writeln!(
            text,
            "  Real x{k}(start = {}, fixed = true), u{k}(start = 0), i{k}(start = 0);",
            l.start
        );
        let [a, b, c] = l.plant;
        let mut push = format!("{c}*u{k}");
        if l.wave[0] != 0.0 {
            let _ = write!(push, " + {}*sin({}*time)", l.wave[0], l.wave[1]);
        }
        if l.second_order {
            let _ = writeln!(text, "  Real v{k}(start = 0, fixed = true);");
            let _ = writeln!(equations, "  der(x{k}) = v{k};\n  der(v{k}) = -{a}*x{k} - {b}*v{k} + {push};");
        } else {
            let _ = writeln!(equations, "  der(x{k}) = -{a}*x{k} + {push};");
        }
        let reference = match l.cascade {
            true => format!("u{}", k - 1),
            false => match random.below(0, 3) {
                0 => format!("(if time >= {} then {} else 0)", l.at, l.height),
                1 => format!("(if time < {} then 0 else {})", l.at, l.height),
                _ => {
                    let _ = writeln!(text, "  Real r{k} = if time >= {} then {} else 0;", l.at, l.height);
                    format!("r{k}")
                }
            },
        };
        let clamp = |u: &str, form: usize| match (l.limit, form) {
            (None, _) => u.to_string(),
            (Some(m), 0) => format!("max(-{m}, min({m}, {u}))"),
            (Some(m), 1) => format!("if {u} > {m} then {m} else if {u} < -{m} then -{m} else {u}"),
            (Some(m), _) => format!("if {u} >= {m} then {m} elseif {u} <= -{m} then -{m} else {u}"),
        };
        let form = random.below(0, 3);
        let [p, i] = l.gains;
        if clocked {
            let _ = writeln!(text, "  Real e{k}, j{k}(start = 0), w{k}, y{k};");
            let ticks = (l.period * 64.0) as i64;
            let _ = writeln!(equations, "  e{k} = sample({reference}, Clock({ticks}, 64)) - sample(x{k});");
            let _ = writeln!(equations, "  j{k} = previous(j{k}) + {}*e{k};", l.period);
            let integral = if l.late { format!("previous(j{k})") } else { format!("j{k}") };
            let _ = writeln!(equations, "  w{k} = {p}*e{k} + {i}*{integral};");
            let _ = writeln!(equations, "  y{k} = {};", clamp(&format!("w{k}"), form));
            let _ = writeln!(equations, "  u{k} = hold(y{k});\n  i{k} = hold(j{k});");
            continue;
        }
        let integral = if l.late { format!("pre(i{k})") } else { format!("i{k}") };
        let _ = writeln!(text, "  discrete Real e{k}(start = 0), w{k}(start = 0);");
        let condition = match random.below(0, 3) {
            0 => format!("sample({}, {})", l.first, l.period),
            1 => {
                let _ = writeln!(text, "  Boolean tick{k} = sample({}, {});", l.first, l.period);
                format!("tick{k}")
            }
            _ => {
                let _ = writeln!(text, "  discrete Real next{k}(start = {}, fixed = true);", l.first);
                format!("time >= pre(next{k})")
            }
        };
        let as_statements = random.chance(0.4) && !loops.iter().any(|l| l.cascade);
        let sign = if as_statements { ":=" } else { "=" };
        let mut clause = format!("  when {condition} then\n    e{k} {sign} {reference} - x{k};\n");
        let _ = writeln!(clause, "    i{k} {sign} pre(i{k}) + {}*e{k};", l.period);
        let _ = writeln!(clause, "    w{k} {sign} {p}*e{k} + {i}*{integral};");
        let _ = writeln!(clause, "    u{k} {sign} {};", clamp(&format!("w{k}"), form));
        if condition.contains("next") {
            let _ = writeln!(clause, "    next{k} {sign} pre(next{k}) + {};", l.period);
        }
        clause.push_str("  end when;\n");
        if as_statements { statements.push_str(&clause) } else { equations.push_str(&clause) }
    }
    if !statements.is_empty() {
        statements = format!("algorithm\n{statements}");
    }
    format!("{text}equation\n{equations}{statements}end M;\n")
}
