//! Bodies in a row that meet without bouncing, stay together while they are pressed, and part when they are pulled.
//!
//! The answer comes from Moreau's time stepping: where a gap is closed, impulses that are not negative keep the bodies from
//! moving into each other, by projected Gauss–Seidel iteration, at two step sizes; where these differ the case is dropped.

use crate::random::Random;
use crate::{Case, Expected};
use std::fmt::Write;

pub(crate) struct Row {
    pub mass: Vec<f64>,
    /// Constant, amplitude, frequency and phase of the force on each body.
    pub force: Vec<[f64; 4]>,
    pub damping: Vec<f64>,
    pub x: Vec<f64>,
    pub v: Vec<f64>,
    /// Springs from a body to the ground: body, stiffness, rest position.
    pub springs: Vec<(usize, f64, f64)>,
}

const TIMES: [f64; 4] = [0.7, 1.5, 2.4, 3.0];

pub fn case(random: &mut Random) -> Option<Case> {
    let row = row(random);
    let text = text(&row, random);
    answered(&row, text, |name, body| format!("{name}{body}"))
}

/// A case with the motion of a row as its answer; `name` tells what position (`x`) and velocity (`v`) of a body are called in it.
pub(crate) fn answered(row: &Row, text: String, name: impl Fn(&str, usize) -> String) -> Option<Case> {
    let (coarse, fine) = (march(row, 4e-5)?, march(row, 2e-5)?);
    let mut expected = Vec::new();
    for (k, &time) in TIMES.iter().enumerate() {
        for body in 0..row.mass.len() {
            let ((xc, vc), (xf, vf)) = (coarse[k][body], fine[k][body]);
            for (what, c, f) in [("x", xc, xf), ("v", vc, vf)] {
                let within = 2e-3 + 6.0 * (c - f).abs();
                if within > 0.02 {
                    return None;
                }
                let variable = name(what, body);
                expected.push(Expected { variable, time, value: 2.0 * f - c, within });
            }
        }
    }
    Some(Case { text, stop: 3.0, tolerance: 1e-8, expected, options: Vec::new() })
}

pub(crate) fn row(random: &mut Random) -> Row {
    let count = random.below(2, 6);
    let mut x = Vec::new();
    let mut at = 0.0;
    for _ in 0..count {
        x.push(at);
        at += random.round(0.05, 0.6);
    }
    let springs = (0..count).filter(|_| random.chance(0.3)).collect::<Vec<_>>();
    Row {
        mass: (0..count).map(|_| random.round(0.5, 3.0)).collect(),
        force: (0..count)
            .map(|body| {
                // Mostly towards each other.
                let inward = 1.0 - 2.0 * body as f64 / (count - 1) as f64;
                let constant = (inward * random.round(0.0, 1.0) * 1000.0).round() / 1000.0;
                [constant, random.round(0.0, 3.0), random.round(0.5, 4.0), random.round(0.0, 6.0)]
            })
            .collect(),
        damping: (0..count).map(|_| if random.chance(0.4) { random.round(0.05, 0.5) } else { 0.0 }).collect(),
        v: (0..count).map(|_| random.round(-1.0, 1.0)).collect(),
        springs: springs.into_iter().map(|b| (b, random.round(1.0, 10.0), x[b])).collect(),
        x,
    }
}

fn text(row: &Row, random: &mut Random) -> String {
    let count = row.mass.len();
    let mut text = String::from("model M\n");
    let mut equations = String::new();
    let mut clauses = String::new();
    for body in 0..count {
        let (x, v) = (row.x[body], row.v[body]);
        let _ =
            writeln!(text, "  Real x{body}(start = {x}, fixed = true), v{body}(start = {v}, fixed = true);");
        let [constant, amplitude, frequency, phase] = row.force[body];
        let _ = write!(
            equations,
            "  der(x{body}) = v{body};\n  {}*der(v{body}) = {constant} + {amplitude}*sin({frequency}*time + {phase}) - {}*v{body}",
            row.mass[body], row.damping[body]
        );
        for (_, stiffness, rest) in row.springs.iter().filter(|(b, ..)| *b == body) {
            let _ = write!(equations, " - {stiffness}*(x{body} - {rest})");
        }
        if body > 0 {
            let _ = write!(equations, " + F{body}");
        }
        if body + 1 < count {
            let _ = write!(equations, " - F{}", body + 1);
        }
        equations.push_str(";\n");
    }
    let as_statements = random.chance(0.5);
    for k in 1..count {
        let before = k - 1;
        let _ = writeln!(text, "  Real F{k}; Boolean c{k}(start = false, fixed = true);");
        let _ = writeln!(equations, "  0 = if c{k} then v{k} - v{before} else F{k};");
        let sign = if as_statements { ":=" } else { "=" };
        let _ = writeln!(
            clauses,
            "  when x{k} - x{before} <= 0 and v{k} - v{before} < 0 then\n    c{k} {sign} true;\n  elsewhen F{k} < 0 then\n    c{k} {sign} false;\n  end when;"
        );
    }
    let section = if as_statements { "algorithm\n" } else { "" };
    format!("{text}equation\n{equations}{section}{clauses}end M;\n")
}

/// Positions and velocities at the times of comparison; `None` where it does not converge.
fn march(row: &Row, step: f64) -> Option<Vec<Vec<(f64, f64)>>> {
    let count = row.mass.len();
    let (mut x, mut v) = (row.x.clone(), row.v.clone());
    let mut found = Vec::new();
    let steps = (TIMES[TIMES.len() - 1] / step).round() as usize;
    let marks: Vec<usize> = TIMES.iter().map(|t| (t / step).round() as usize).collect();
    for k in 0..steps {
        let t = (k as f64 + 0.5) * step;
        let before = v.clone();
        for body in 0..count {
            let [constant, amplitude, frequency, phase] = row.force[body];
            let mut push = constant + amplitude * (frequency * t + phase).sin() - row.damping[body] * v[body];
            for (_, stiffness, rest) in row.springs.iter().filter(|(b, ..)| *b == body) {
                push -= stiffness * (x[body] + 0.5 * step * v[body] - rest);
            }
            v[body] += step * push / row.mass[body];
        }
        let closed: Vec<usize> = (1..count).filter(|&k| x[k] - x[k - 1] <= 0.0).collect();
        if !press(row, &closed, &mut v) {
            return None;
        }
        for body in 0..count {
            let free = 0.5 * (before[body] + v[body]);
            // Over an impact the velocity after it counts: bodies in contact stay together.
            let touched = closed.iter().any(|&k| k == body || k == body + 1);
            x[body] += step * if touched { v[body] } else { free };
        }
        if marks.contains(&(k + 1)) {
            found.push(x.iter().copied().zip(v.iter().copied()).collect());
        }
    }
    Some(found)
}

/// Impulses in closed gaps, as large as needed, none of them pulling.
fn press(row: &Row, closed: &[usize], v: &mut [f64]) -> bool {
    let mut impulse = vec![0.0; closed.len()];
    for _ in 0..20000 {
        let mut change = 0.0f64;
        for (&k, impulse) in closed.iter().zip(&mut impulse) {
            let weight = 1.0 / row.mass[k] + 1.0 / row.mass[k - 1];
            let new = (*impulse - (v[k] - v[k - 1]) / weight).max(0.0);
            let by: f64 = new - *impulse;
            *impulse = new;
            v[k] += by / row.mass[k];
            v[k - 1] -= by / row.mass[k - 1];
            change = change.max(by.abs());
        }
        if change < 1e-13 {
            return true;
        }
    }
    false
}
