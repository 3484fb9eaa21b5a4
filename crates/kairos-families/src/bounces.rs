//! Balls that bounce on a table, come to rest on it by ever smaller bounces, and are thrown off again; and balls that meet.
//!
//! The answer is event-exact (`flow.rs`): impacts by halving; bounces that have become tiny are an accumulation, after which the
//! ball moves with the table until the table falls away faster than the ball does.

use crate::flow::{Field, Guards, advance};
use crate::random::Random;
use crate::{Case, Expected};
use std::fmt::Write;

struct Ball {
    start: [f64; 2],
    restitution: f64,
    /// Constant, amplitude, frequency and phase of the acceleration.
    push: [f64; 4],
    drag: f64,
}

struct Scene {
    balls: Vec<Ball>,
    /// Amplitude and frequency of the table.
    table: [f64; 2],
}

const STOP: f64 = 4.0;
const TIMES: [f64; 4] = [0.83, 1.91, 2.87, STOP];
/// Slower impacts are the tail of an accumulation.
const SLOW: f64 = 1e-9;
const OFF: f64 = 1e-8;

pub fn case(random: &mut Random) -> Option<Case> {
    let scene = scene(random);
    let text = text(&scene, random);
    let mut expected = Vec::new();
    for (n, ball) in scene.balls.iter().enumerate() {
        let (plain, other) = (march(ball, scene.table, 0.0)?, march(ball, scene.table, OFF)?);
        for (k, &time) in TIMES.iter().enumerate() {
            for (name, i) in [("h", 0), ("v", 1)] {
                let growth = (plain[k][i] - other[k][i]).abs() / OFF;
                let within = 2e-5 * (1.0 + growth);
                if within > 0.02 {
                    return None;
                }
                expected.push(Expected { variable: format!("{name}{n}"), time, value: plain[k][i], within });
            }
        }
    }
    Some(Case { text, stop: STOP, tolerance: 1e-8, expected, options: Vec::new() })
}

fn scene(random: &mut Random) -> Scene {
    let table =
        if random.chance(0.4) { [random.round(0.02, 0.3), random.round(1.0, 7.0)] } else { [0.0, 1.0] };
    let ball = |random: &mut Random| Ball {
        start: [random.round(0.05, 1.0), random.round(-1.0, 1.0)],
        restitution: random.round(0.1, 0.85),
        push: [
            -random.round(3.0, 12.0),
            if random.chance(0.6) { random.round(1.0, 16.0) } else { 0.0 },
            random.round(0.5, 5.0),
            random.round(0.0, 6.0),
        ],
        drag: if random.chance(0.3) { random.round(0.05, 0.5) } else { 0.0 },
    };
    let balls = (0..random.below(1, 4)).map(|_| ball(random)).collect();
    Scene { balls, table }
}

/// Height and velocity at the times of comparison, from a height that is off by this.
fn march(ball: &Ball, [size, w]: [f64; 2], off: f64) -> Option<Vec<[f64; 2]>> {
    let acceleration = |t: f64, v: f64| {
        let [constant, amplitude, frequency, phase] = ball.push;
        constant + amplitude * (frequency * t + phase).sin() - ball.drag * v
    };
    let table = |t: f64| [size * (w * t).sin(), size * w * (w * t).cos(), -size * w * w * (w * t).sin()];
    // How the table falls away from a ball that it carries.
    let lift = |t: f64| {
        let [_, speed, change] = table(t);
        acceleration(t, speed) - change
    };
    let mut x = vec![ball.start[0] + off, ball.start[1]];
    let (mut t, mut held, mut impacts) = (0.0, false, 0);
    let mut found = Vec::new();
    for end in TIMES {
        while t < end {
            if held {
                let field: Field = &|_, _, slope| slope.fill(0.0);
                let guards: Guards = &|t, _, out| {
                    out.clear();
                    out.push(lift(t));
                };
                let reached = advance(field, guards, t, &[0.0], end);
                t = reached.t;
                held = reached.fired.is_empty();
                let [h, v, _] = table(t);
                x = vec![h, v];
                if !held {
                    // It begins with nothing but a jerk: the guard below begins at zero.
                    let jerk = (lift(t + 1e-6) - lift(t)) / 1e-6;
                    if jerk < 1e-2 {
                        return None;
                    }
                    let field: Field = &|t, x, slope| {
                        slope[0] = x[1];
                        slope[1] = acceleration(t, x[1]);
                    };
                    let further = f64::min(1e-4, end - t);
                    x = crate::flow::step(field, t, &x, further);
                    t += further;
                }
                continue;
            }
            let field: Field = &|t, x, slope| {
                slope[0] = x[1];
                slope[1] = acceleration(t, x[1]);
            };
            let guards: Guards = &|t, x, out| {
                out.clear();
                out.push(table(t)[0] - x[0]);
            };
            let reached = advance(field, guards, t, &x, end);
            (t, x) = (reached.t, reached.x);
            if reached.fired.is_empty() {
                continue;
            }
            impacts += 1;
            if impacts > 2000 {
                return None;
            }
            let [h, speed, _] = table(t);
            let rebound = -ball.restitution * (x[1] - speed);
            x = vec![h, speed + rebound];
            if rebound.abs() < SLOW * 10.0 {
                if lift(t) > -0.05 {
                    return None;
                }
                held = true;
            } else if rebound < 2e-2 {
                // Small bounces are sums of a series: the limit is reached where gravity goes on as it is.
                let down = -lift(t);
                if down < 0.2 {
                    return None;
                }
                let rest = 2.0 * rebound / down / (1.0 - ball.restitution);
                // To the accuracy of the comparison nothing happens meanwhile but a little time.
                if rest > 2e-5 {
                    continue;
                }
                t += rest;
                held = true;
                if t > end {
                    return None;
                }
            }
        }
        found.push(match held {
            true => [table(t)[0], table(t)[1]],
            false => [x[0], x[1]],
        });
    }
    Some(found)
}

fn text(scene: &Scene, random: &mut Random) -> String {
    let (mut text, mut equations) = (String::from("model M\n"), String::new());
    let [size, w] = scene.table;
    let moving = size != 0.0;
    if moving {
        let _ = writeln!(text, "  Real y = {size}*sin({w}*time), vy = {size}*{w}*cos({w}*time);");
    }
    for (n, ball) in scene.balls.iter().enumerate() {
        let [h, v] = ball.start;
        let _ = writeln!(text, "  Real h{n}(start = {h}, fixed = true), v{n}(start = {v}, fixed = true);");
        let [constant, amplitude, frequency, phase] = ball.push;
        let mut push = format!("{constant}");
        if amplitude != 0.0 {
            let _ = write!(push, " + {amplitude}*sin({frequency}*time + {phase})");
        }
        if ball.drag != 0.0 {
            let _ = write!(push, " - {}*v{n}", ball.drag);
        }
        let _ = writeln!(equations, "  der(h{n}) = v{n};\n  der(v{n}) = {push};");
        let gap = if moving { format!("h{n} - y") } else { format!("h{n}") };
        let speed = if moving { format!("v{n} - vy") } else { format!("v{n}") };
        let e = ball.restitution;
        let after = match moving {
            true => format!("vy - {e}*(pre(v{n}) - vy)"),
            false => format!("-{e}*pre(v{n})"),
        };
        let _ = match random.below(0, 4) {
            0 => writeln!(equations, "  when {gap} <= 0 then\n    reinit(v{n}, {after});\n  end when;"),
            1 => writeln!(
                equations,
                "  when {gap} < 0 and {speed} < 0 then\n    reinit(v{n}, {after});\n  end when;"
            ),
            2 => {
                let _ = writeln!(text, "  Boolean hit{n} = {gap} <= 0 and {speed} <= 0;");
                writeln!(equations, "  when hit{n} then\n    reinit(v{n}, {after});\n  end when;")
            }
            _ => {
                let _ = writeln!(text, "  Integer count{n}(start = 0, fixed = true);");
                let height = if moving { "y" } else { "0" };
                writeln!(
                    equations,
                    "  when {gap} <= 0 then\n    count{n} = pre(count{n}) + 1;\n    reinit(v{n}, {after});\n    reinit(h{n}, {height});\n  end when;"
                )
            }
        };
    }
    format!("{text}equation\n{equations}end M;\n")
}
