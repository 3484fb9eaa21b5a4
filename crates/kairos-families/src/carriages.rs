//! Carriages with dry friction between walls that throw them back, driven by sampled controllers and coupled by springs.
//!
//! The answer is event-exact (`flow.rs`): each carriage slides forwards, backwards or sticks; speeds that pass zero, forces that
//! exceed what friction bears, walls and ticks of the controllers are instants.

use crate::flow::{Field, Guards, advance};
use crate::random::Random;
use crate::{Case, Expected};
use std::fmt::Write;

struct Carriage {
    mass: f64,
    friction: f64,
    start: [f64; 2],
    wall: f64,
    restitution: f64,
    /// Factors of position and speed, the largest force, and amplitude and frequency of where it should be.
    control: [f64; 3],
    aim: [f64; 2],
    /// Ticks are so many hundredths apart.
    period: usize,
}

struct Scene {
    carriages: Vec<Carriage>,
    /// Between neighbours.
    spring: f64,
}

const STOP: f64 = 3.0;
const TIMES: [f64; 4] = [0.615, 1.345, 2.275, STOP];
const OFF: f64 = 1e-8;
const MOST: usize = 3000;

pub fn case(random: &mut Random) -> Option<Case> {
    let scene = scene(random);
    let text = text(&scene, random);
    let (plain, other) = (march(&scene, 0.0)?, march(&scene, OFF)?);
    let mut expected = Vec::new();
    for (k, &time) in TIMES.iter().enumerate() {
        for n in 0..scene.carriages.len() {
            for (name, i) in [("x", 2 * n), ("v", 2 * n + 1)] {
                let growth = (plain[k][i] - other[k][i]).abs() / OFF;
                let within = 2e-5 * (1.0 + growth);
                if within > 0.02 {
                    return None;
                }
                expected.push(Expected {
                    variable: format!("{name}{}", n + 1),
                    time,
                    value: plain[k][i],
                    within,
                });
            }
        }
    }
    Some(Case { text, stop: STOP, tolerance: 1e-8, expected, options: Vec::new() })
}

fn scene(random: &mut Random) -> Scene {
    let count = random.below(1, 4);
    let carriage = |random: &mut Random| Carriage {
        mass: random.round(0.5, 2.0),
        friction: random.round(0.2, 2.0),
        start: [random.round(-0.4, 0.4), random.round(-1.0, 1.0)],
        wall: random.round(0.5, 1.5),
        restitution: random.round(0.2, 0.9),
        control: [random.round(2.0, 12.0), random.round(0.0, 2.0), random.round(2.0, 6.0)],
        aim: [random.round(0.2, 1.8), random.round(0.5, 4.0)],
        period: random.below(5, 40),
    };
    Scene {
        carriages: (0..count).map(|_| carriage(random)).collect(),
        spring: if random.chance(0.6) { random.round(1.0, 8.0) } else { 0.0 },
    }
}

/// -1, 0, 1: slides backwards, sticks, slides forwards.
type Mode = i32;

impl Scene {
    /// What acts on a carriage beside friction.
    fn force(&self, n: usize, x: &[f64], u: &[f64]) -> f64 {
        let mut force = u[n];
        if n > 0 {
            force += self.spring * (x[2 * n - 2] - x[2 * n]);
        }
        if n + 1 < self.carriages.len() {
            force += self.spring * (x[2 * n + 2] - x[2 * n]);
        }
        force
    }

    fn control(&self, n: usize, t: f64, x: &[f64]) -> f64 {
        let c = &self.carriages[n];
        let aim = c.aim[0] * (c.aim[1] * t).sin();
        let [k, d, most] = c.control;
        (k * (aim - x[2 * n]) - d * x[2 * n + 1]).clamp(-most, most)
    }

    /// The mode that a carriage without speed is in.
    fn settle(&self, n: usize, x: &[f64], u: &[f64]) -> Mode {
        let (force, bears) = (self.force(n, x, u), self.carriages[n].friction);
        if force > bears {
            1
        } else if force < -bears {
            -1
        } else {
            0
        }
    }
}

fn march(scene: &Scene, off: f64) -> Option<Vec<Vec<f64>>> {
    let count = scene.carriages.len();
    let mut x: Vec<f64> = scene.carriages.iter().flat_map(|c| [c.start[0] + off, c.start[1]]).collect();
    let mut u: Vec<f64> = (0..count).map(|n| scene.control(n, 0.0, &x)).collect();
    let mut modes: Vec<Mode> = (0..count)
        .map(|n| match x[2 * n + 1] {
            v if v > 0.0 => 1,
            v if v < 0.0 => -1,
            _ => scene.settle(n, &x, &u),
        })
        .collect();
    let (mut t, mut events, mut found) = (0.0, 0, Vec::new());
    let mut ticks = vec![1usize; count];
    let mut ends = TIMES.iter().copied().peekable();
    while let Some(&mark) = ends.peek() {
        let due = |n: usize, ticks: &[usize]| (ticks[n] * scene.carriages[n].period) as f64 / 100.0;
        let next = (0..count).map(|n| due(n, &ticks)).fold(mark, f64::min);
        let field: Field = &|_, x, slope| {
            for n in 0..count {
                let sticks = modes[n] == 0;
                let c = &scene.carriages[n];
                slope[2 * n] = if sticks { 0.0 } else { x[2 * n + 1] };
                let net = scene.force(n, x, &u) - f64::from(modes[n]) * c.friction;
                slope[2 * n + 1] = if sticks { 0.0 } else { net / c.mass };
            }
        };
        let guards: Guards = &|_, x, out| {
            out.clear();
            for n in 0..count {
                let c = &scene.carriages[n];
                let force = scene.force(n, x, &u);
                out.push(match modes[n] {
                    0 => force - c.friction,
                    mode => -f64::from(mode) * x[2 * n + 1],
                });
                out.push(if modes[n] == 0 { -force - c.friction } else { -1.0 });
                out.extend([x[2 * n] - c.wall, -c.wall - x[2 * n]]);
            }
        };
        let reached = advance(field, guards, t, &x, next);
        (t, x) = (reached.t, reached.x);
        events += 1;
        if events > MOST {
            return None;
        }
        for g in &reached.fired {
            let n = g / 4;
            let c = &scene.carriages[n];
            match g % 4 {
                0 if modes[n] == 0 => modes[n] = 1,
                1 => modes[n] = -1,
                0 => {
                    x[2 * n + 1] = 0.0;
                    modes[n] = scene.settle(n, &x, &u);
                }
                wall => {
                    let side = if wall == 2 { c.wall } else { -c.wall };
                    x[2 * n] = side;
                    let speed = -c.restitution * x[2 * n + 1];
                    if speed.abs() < 1e-3 {
                        // Pressed against the wall it would come to rest there by ever smaller bounces.
                        return None;
                    }
                    x[2 * n + 1] = speed;
                    modes[n] = if speed > 0.0 { 1 } else { -1 };
                }
            }
        }
        if t == next {
            if next == mark {
                found.push(x.clone());
                ends.next();
            }
            for n in 0..count {
                if due(n, &ticks) == next {
                    ticks[n] += 1;
                    u[n] = scene.control(n, t, &x);
                }
            }
            for n in 0..count {
                if modes[n] == 0 {
                    modes[n] = scene.settle(n, &x, &u);
                }
            }
        }
    }
    Some(found)
}

fn text(scene: &Scene, random: &mut Random) -> String {
    let (mut text, mut equations) = (String::from("model M\n"), String::new());
    let count = scene.carriages.len();
    for (n, c) in (1..).zip(&scene.carriages) {
        let [x, v] = c.start;
        let [k, d, most] = c.control;
        let [far, quick] = c.aim;
        let _ =
            writeln!(text, "  Real x{n}(start = {x}, fixed = true), v{n}(start = {v}, fixed = true), f{n};");
        let mut sum = format!("u{n} - f{n}");
        if scene.spring != 0.0 && n > 1 {
            let _ = write!(sum, " + {}*(x{} - x{n})", scene.spring, n - 1);
        }
        if scene.spring != 0.0 && n < count {
            let _ = write!(sum, " + {}*(x{} - x{n})", scene.spring, n + 1);
        }
        let _ = writeln!(equations, "  der(x{n}) = v{n};\n  {}*der(v{n}) = {sum};", c.mass);
        rub(&mut text, &mut equations, n, c.friction, random);
        control(
            &mut text,
            &mut equations,
            n,
            c.period,
            &format!("{k}*({far}*sin({quick}*time) - x{n}) - {d}*v{n}"),
            most,
            random,
        );
        walls(&mut equations, n, c.wall, c.restitution, random);
    }
    format!("{text}equation\n{equations}end M;\n")
}

/// Friction by the sign of the speed, by a path parameter, or as a constraint while it sticks.
fn rub(text: &mut String, equations: &mut String, n: usize, size: f64, random: &mut Random) {
    let _ = match random.below(0, 4) {
        0 => writeln!(equations, "  f{n} = if v{n} > 0 then {size} else -{size};"),
        1 => writeln!(equations, "  f{n} = if v{n} < 0 then -{size} elseif v{n} > 0 then {size} else 0;"),
        2 => {
            let _ = writeln!(text, "  Real s{n}(start = 0); Boolean ahead{n}, back{n};");
            writeln!(
                equations,
                "  ahead{n} = s{n} > {size};\n  back{n} = s{n} < -{size};\n  v{n} = if ahead{n} then s{n} - {size} else if back{n} then s{n} + {size} else 0;\n  f{n} = if ahead{n} then {size} else if back{n} then -{size} else s{n};"
            )
        }
        _ => {
            let _ = writeln!(text, "  Boolean ahead{n} = v{n} >= 0;");
            writeln!(equations, "  f{n} = if ahead{n} then {size} else -{size};")
        }
    };
}

fn control(
    text: &mut String,
    equations: &mut String,
    n: usize,
    period: usize,
    law: &str,
    most: f64,
    random: &mut Random,
) {
    let period = period as f64 / 100.0;
    let _ = match random.below(0, 3) {
        0 => {
            let _ = writeln!(text, "  discrete Real u{n};");
            writeln!(
                equations,
                "  when {{initial(), sample({period}, {period})}} then\n    u{n} = max(-{most}, min({most}, {law}));\n  end when;"
            )
        }
        1 => {
            let _ = writeln!(text, "  discrete Real u{n}, w{n};");
            writeln!(
                equations,
                "  when sample(0, {period}) then\n    w{n} = {law};\n    u{n} = if w{n} > {most} then {most} elseif w{n} < -{most} then -{most} else w{n};\n  end when;"
            )
        }
        _ => {
            let _ = writeln!(text, "  Real u{n}, w{n};");
            writeln!(
                equations,
                "  w{n} = sample({law}, Clock({}, 100));\n  u{n} = hold(if w{n} > {most} then {most} elseif w{n} < -{most} then -{most} else w{n});",
                (period * 100.0).round() as usize
            )
        }
    };
}

fn walls(equations: &mut String, n: usize, wall: f64, e: f64, random: &mut Random) {
    let _ = match random.below(0, 3) {
        0 => writeln!(
            equations,
            "  when x{n} >= {wall} and v{n} > 0 or x{n} <= -{wall} and v{n} < 0 then\n    reinit(v{n}, -{e}*pre(v{n}));\n  end when;"
        ),
        1 => writeln!(
            equations,
            "  when {{x{n} > {wall}, x{n} < -{wall}}} then\n    reinit(v{n}, -{e}*pre(v{n}));\n  end when;"
        ),
        _ => writeln!(
            equations,
            "  when x{n} >= {wall} then\n    reinit(x{n}, {wall});\n    reinit(v{n}, -{e}*pre(v{n}));\n  elsewhen x{n} <= -{wall} then\n    reinit(x{n}, -{wall});\n    reinit(v{n}, -{e}*pre(v{n}));\n  end when;"
        ),
    };
}
