//! Drive trains of components: inertias, springs, clutches and brakes that are pressed by a schedule, joined by connectors.
//!
//! Friction is written in four ways: by the sign of the speed, by a path parameter, by a machine of modes with `pre`, and as a
//! constraint that is there while the element is locked. The answer comes from implicit time stepping: impulses of friction are found
//! within their cones by projected Gauss–Seidel iteration, at two step sizes; where these differ the case is dropped.

use crate::random::Random;
use crate::{Case, Expected};
use std::fmt::Write;

struct Train {
    inertia: Vec<f64>,
    /// Constant, amplitude, frequency and phase of the torque on each inertia.
    torque: Vec<[f64; 4]>,
    start: Vec<f64>,
    frictions: Vec<Friction>,
    springs: Vec<Spring>,
}

struct Friction {
    a: usize,
    /// Another inertia, or the housing.
    b: Option<usize>,
    press: Press,
}

struct Spring {
    a: usize,
    b: Option<usize>,
    stiffness: f64,
    damping: f64,
}

/// What friction can bear, over time.
#[derive(Clone, Copy)]
enum Press {
    Always(f64),
    /// One value up to a time, and another one from then on.
    Step(f64, f64, f64),
    /// Around a mean, with a part of it and a frequency.
    Wave(f64, f64, f64),
}

impl Press {
    fn at(self, t: f64) -> f64 {
        match self {
            Press::Always(size) => size,
            Press::Step(before, time, after) => {
                if t < time {
                    before
                } else {
                    after
                }
            }
            Press::Wave(mean, part, frequency) => mean * (1.0 + part * (frequency * t).sin()),
        }
    }

    fn text(self) -> String {
        match self {
            Press::Always(size) => format!("{size}"),
            Press::Step(before, time, after) => format!("if time < {time} then {before} else {after}"),
            Press::Wave(mean, part, frequency) => format!("{mean}*(1 + {part}*sin({frequency}*time))"),
        }
    }
}

const TIMES: [f64; 4] = [0.65, 1.45, 2.35, 3.0];

pub fn case(random: &mut Random) -> Option<Case> {
    let train = train(random);
    let text = text(&train, random);
    let (coarse, fine) = (march(&train, 1e-4), march(&train, 5e-5));
    let mut expected = Vec::new();
    for (k, &time) in TIMES.iter().enumerate() {
        for n in 0..train.inertia.len() {
            let (c, f) = (coarse[k][n], fine[k][n]);
            let within = 1e-3 + 4.0 * (c - f).abs();
            if within > 0.02 {
                return None;
            }
            let variable = format!("j{}.w", n + 1);
            expected.push(Expected { variable, time, value: 2.0 * f - c, within });
        }
    }
    Some(Case { text, stop: 3.0, tolerance: 1e-8, expected, options: Vec::new() })
}

fn train(random: &mut Random) -> Train {
    let count = random.below(1, 6);
    let press = |random: &mut Random| match random.below(0, 4) {
        0 | 1 => Press::Always(random.round(0.3, 3.0)),
        2 => {
            let time = random.below(2, 28) as f64 / 10.0 + 0.05;
            Press::Step(random.round(0.05, 2.0), (time * 100.0).round() / 100.0, random.round(0.05, 4.0))
        }
        _ => Press::Wave(random.round(0.5, 2.5), random.round(0.1, 0.9), random.round(1.0, 6.0)),
    };
    let (mut frictions, mut springs) = (Vec::new(), Vec::new());
    for n in 0..count {
        if n > 0 {
            match random.below(0, 4) {
                0 | 1 => frictions.push(Friction { a: n, b: Some(n - 1), press: press(random) }),
                2 => springs.push(Spring {
                    a: n,
                    b: Some(n - 1),
                    stiffness: random.round(2.0, 30.0),
                    damping: if random.chance(0.5) { random.round(0.02, 0.5) } else { 0.0 },
                }),
                _ => {}
            }
        }
        if random.chance(0.35) || n == 0 && count == 1 {
            frictions.push(Friction { a: n, b: None, press: press(random) });
        }
        if random.chance(0.2) {
            springs.push(Spring {
                a: n,
                b: None,
                stiffness: random.round(2.0, 30.0),
                damping: if random.chance(0.5) { random.round(0.02, 0.5) } else { 0.0 },
            });
        }
    }
    let at_rest = random.chance(0.3);
    Train {
        inertia: (0..count).map(|_| random.round(0.3, 2.0)).collect(),
        torque: (0..count)
            .map(|_| {
                let constant = if random.chance(0.3) { random.round(-1.0, 1.0) } else { 0.0 };
                [constant, random.round(0.0, 4.0), random.round(0.5, 5.0), random.round(0.0, 6.0)]
            })
            .collect(),
        start: (0..count).map(|_| if at_rest { 0.0 } else { random.round(-2.0, 2.0) }).collect(),
        frictions,
        springs,
    }
}

/// Speeds at the times of comparison.
fn march(train: &Train, step: f64) -> Vec<Vec<f64>> {
    let count = train.inertia.len();
    let (mut x, mut v) = (vec![0.0; count], train.start.clone());
    let mut impulse = vec![0.0; train.frictions.len()];
    let mut found = Vec::new();
    let steps = (TIMES[TIMES.len() - 1] / step).round() as usize;
    let marks: Vec<usize> = TIMES.iter().map(|t| (t / step).round() as usize).collect();
    for k in 0..steps {
        let t = (k as f64 + 0.5) * step;
        let mut push: Vec<f64> = train.torque.iter().map(|&[c, a, w, p]| c + a * (w * t + p).sin()).collect();
        for spring in &train.springs {
            let far = |n: usize| x[n] + 0.5 * step * v[n];
            let torque = spring.stiffness * (far(spring.a) - spring.b.map_or(0.0, far))
                + spring.damping * (v[spring.a] - spring.b.map_or(0.0, |b| v[b]));
            push[spring.a] -= torque;
            if let Some(b) = spring.b {
                push[b] += torque;
            }
        }
        let before = v.clone();
        for n in 0..count {
            v[n] += step * push[n] / train.inertia[n];
        }
        rub(train, t, step, &mut v, &mut impulse);
        for n in 0..count {
            x[n] += 0.5 * step * (before[n] + v[n]);
        }
        if marks.contains(&(k + 1)) {
            found.push(v.clone());
        }
    }
    found
}

/// Applies the impulses of friction: as large as needed to stop, no larger than it bears.
fn rub(train: &Train, t: f64, step: f64, v: &mut [f64], impulse: &mut [f64]) {
    let inverse = |n: usize| 1.0 / train.inertia[n];
    impulse.fill(0.0);
    for _ in 0..4000 {
        let mut change = 0.0f64;
        for (Friction { a, b, press }, impulse) in train.frictions.iter().zip(impulse.iter_mut()) {
            let most = step * press.at(t);
            let relative = v[*a] - b.map_or(0.0, |b| v[b]);
            let weight = inverse(*a) + b.map_or(0.0, inverse);
            let new = (*impulse + relative / weight).clamp(-most, most);
            let by = new - *impulse;
            *impulse = new;
            v[*a] -= by * inverse(*a);
            if let Some(b) = *b {
                v[b] += by * inverse(b);
            }
            change = change.max(by.abs());
        }
        if change < 1e-13 {
            return;
        }
    }
}

/// Whether the flanges of a model carry angles or speeds.
#[derive(Clone, Copy, PartialEq)]
enum Flange {
    Angle,
    Speed,
}

fn text(train: &Train, random: &mut Random) -> String {
    let flange = if random.chance(0.5) { Flange::Angle } else { Flange::Speed };
    let one_style = random.chance(0.5).then(|| random.below(0, 4));
    let mut text = library(flange);
    text.push_str("model M\n");
    let mut joints = String::new();
    for (n, inertia) in train.inertia.iter().enumerate() {
        let [c, a, w, p] = train.torque[n];
        let _ = writeln!(
            text,
            "  Inertia j{}(J = {inertia}, w(start = {}, fixed = true), phi(start = 0, fixed = true));",
            n + 1,
            train.start[n]
        );
        if a != 0.0 || c != 0.0 {
            let _ = writeln!(text, "  Torque m{}(c = {c}, a = {a}, f = {w}, p = {p});", n + 1);
            let _ = writeln!(joints, "  connect(m{}.f1, j{}.f1);", n + 1, n + 1);
        }
    }
    if train.frictions.iter().any(|f| f.b.is_none()) || train.springs.iter().any(|s| s.b.is_none()) {
        text.push_str("  Housing ground;\n");
    }
    let other = |b: Option<usize>| b.map_or("ground.f1".to_string(), |b| format!("j{}.f1", b + 1));
    for (k, Friction { a, b, press }) in train.frictions.iter().enumerate() {
        let speed = train.start[*a] - b.map_or(0.0, |b| train.start[b]);
        // What is locked at the start may have to bear too much, which no clause would see.
        let style = match one_style.unwrap_or_else(|| random.below(0, 4)) {
            3 if speed == 0.0 => 1,
            style => style,
        };
        let (class, more) = match style {
            0 => ("BySign", String::new()),
            1 => ("ByPath", String::new()),
            2 => {
                let mode = if speed > 0.0 {
                    1
                } else if speed < 0.0 {
                    -1
                } else {
                    0
                };
                ("ByModes", format!(", mode(start = {mode}, fixed = true)"))
            }
            _ => {
                let direction = if speed > 0.0 { 1 } else { -1 };
                (
                    "ByLock",
                    format!(
                        ", direction(start = {direction}, fixed = true), locked(start = false, fixed = true)"
                    ),
                )
            }
        };
        let _ = writeln!(text, "  {class} b{}(most = {}{more});", k + 1, press.text());
        let _ = writeln!(
            joints,
            "  connect(b{}.f1, j{}.f1);\n  connect(b{}.f2, {});",
            k + 1,
            a + 1,
            k + 1,
            other(*b)
        );
    }
    for (k, Spring { a, b, stiffness, damping }) in train.springs.iter().enumerate() {
        let _ = writeln!(text, "  Spring s{}(c = {stiffness}, d = {damping});", k + 1);
        let _ = writeln!(
            joints,
            "  connect(s{}.f1, j{}.f1);\n  connect(s{}.f2, {});",
            k + 1,
            a + 1,
            k + 1,
            other(*b)
        );
    }
    format!("{text}equation\n{joints}end M;\n")
}

/// The components. Torque flows into a component; friction and springs take it from the first flange and give it to the second.
fn library(flange: Flange) -> String {
    let (connector, own, ground, relative) = match flange {
        Flange::Angle => {
            ("Real phi;", "f1.phi = phi;", "f1.phi = 0;", "phi = f1.phi - f2.phi;\n  w = der(phi);")
        }
        Flange::Speed => ("Real w;", "f1.w = w;", "f1.w = 0;", "w = f1.w - f2.w;\n  der(phi) = w;"),
    };
    let angle = match flange {
        Flange::Angle => "Real phi, w;",
        Flange::Speed => "Real phi(start = 0, fixed = true), w;",
    };
    // Where flanges are speeds only springs need an angle.
    let (plain, straight) = match flange {
        Flange::Angle => ("Real phi, w;", relative),
        Flange::Speed => ("Real w;", "w = f1.w - f2.w;"),
    };
    format!(
        "connector Flange
  {connector}
  flow Real tau;
end Flange;
model Inertia
  Flange f1;
  parameter Real J;
  Real phi, w;
equation
  {own}
  w = der(phi);
  J*der(w) = f1.tau;
end Inertia;
model Torque
  Flange f1;
  parameter Real c, a, f, p;
equation
  -f1.tau = c + a*sin(f*time + p);
end Torque;
model Housing
  Flange f1;
equation
  {ground}
end Housing;
model Spring
  Flange f1, f2;
  parameter Real c, d;
  {angle}
equation
  {relative}
  f1.tau = c*phi + d*w;
  f2.tau = -f1.tau;
end Spring;
partial model Rubbing
  Flange f1, f2;
  input Real most;
  {plain}
  Real tau;
equation
  {straight}
  f1.tau = tau;
  f2.tau = -tau;
end Rubbing;
model BySign
  extends Rubbing;
equation
  tau = if w > 0 then most else -most;
end BySign;
model ByPath
  extends Rubbing;
  Real s(start = 0);
  Boolean forward, backward;
equation
  forward = s > 1;
  backward = s < -1;
  w = if forward then s - 1 else if backward then s + 1 else 0;
  tau = most*(if forward then 1 else if backward then -1 else s);
end ByPath;
model ByModes
  extends Rubbing;
  Integer mode(min = -1, max = 1);
  Boolean ahead, back, locked;
  Real s, acceleration;
equation
  acceleration = der(w);
  ahead = pre(mode) == 0 and s > most;
  back = pre(mode) == 0 and s < -most;
  locked = not (pre(mode) == 1 or ahead or pre(mode) == -1 or back);
  acceleration = if locked then 0 else if ahead then s - most else if back then s + most else if pre(mode) == 1 then s - most else s + most;
  tau = if locked then s else if ahead then most else if back then -most else if pre(mode) == 1 then most else -most;
  mode = if (pre(mode) == 1 or ahead) and w > 0 then 1 else if (pre(mode) == -1 or back) and w < 0 then -1 else 0;
end ByModes;
model ByLock
  extends Rubbing;
  Boolean locked;
  Integer direction;
equation
  0 = if locked then w else tau - direction*most;
  when {{pre(direction)*w < 0, tau > most, tau < -most}} then
    locked = not (tau > most or tau < -most);
    direction = if tau > most then 1 elseif tau < -most then -1 else pre(direction);
  end when;
end ByLock;
"
    )
}
