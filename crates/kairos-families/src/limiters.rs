//! Limiters and relays in feedback: saturated controllers, integrators that stop at their limits, hysteresis, ideal relays
//! that slide; also starts on a limit and equilibria that lie on it.
//!
//! The answer is event-exact (`flow.rs`): each loop has a mode of its own, and what holds a limit is held exactly.
//! Loops stand in a cascade, so that each mode is decided by formula.

use crate::flow::{Field, Guards, advance};
use crate::random::Random;
use crate::{Case, Expected};
use std::fmt::Write;

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// `u = clamp(p*e + i)`, `i' = k*e`, `x' = -a*x + c*u`; the integral may stop where the output is saturated.
    Saturated { gain: f64, integral: f64, limit: f64, stops: bool },
    /// `x' = k*e`, except outwards at a limit.
    Bounded { gain: f64, limit: f64 },
    /// A lag towards the input, whose output is limited.
    Lag { rate: f64, limit: f64 },
    /// `x' = -a*x ± c`, switched at `r ± width`.
    Hysteresis { width: f64, push: f64 },
    /// `x' = -a*x - c*sign(x - level)`.
    Relay { level: f64, push: f64 },
}

struct Loop {
    kind: Kind,
    decay: f64,
    start: f64,
    /// Disturbance: constant, amplitude, frequency.
    wave: [f64; 3],
    /// The reference is the state of the loop before, or a constant.
    cascade: bool,
    reference: f64,
}

const TIMES: [f64; 4] = [0.77, 1.93, 3.41, 5.0];
const OFF: f64 = 1e-7;
const MOST: usize = 300;

pub fn case(random: &mut Random) -> Option<Case> {
    let count = random.below(1, 5);
    let loops: Vec<Loop> = (0..count).map(|k| feedback(random, k)).collect();
    let tolerance = [1e-6, 1e-8, 1e-8][random.below(0, 3)];
    let plain = march(&loops, 0.0)?;
    let other = march(&loops, OFF)?;
    let mut expected = Vec::new();
    for (k, &time) in TIMES.iter().enumerate() {
        for n in 0..count {
            let growth = (plain[k][2 * n] - other[k][2 * n]).abs() / OFF;
            let within = tolerance * 2000.0 * (1.0 + plain[k][2 * n].abs()) * (1.0 + growth) + 1e-6;
            if within > 0.01 {
                return None;
            }
            expected.push(Expected { variable: format!("x{n}"), time, value: plain[k][2 * n], within });
        }
    }
    Some(Case { text: text(&loops, random), stop: 5.0, tolerance, expected, options: Vec::new() })
}

fn feedback(random: &mut Random, k: usize) -> Loop {
    let limit = [0.5, 1.0, 0.75][random.below(0, 3)];
    let kind = match random.below(0, 6) {
        0 | 1 => Kind::Saturated {
            gain: random.round(0.5, 5.0),
            integral: random.round(0.2, 4.0),
            limit,
            stops: random.chance(0.5),
        },
        2 => Kind::Bounded { gain: random.round(0.5, 4.0), limit },
        3 => Kind::Lag { rate: random.round(0.5, 5.0), limit },
        4 => Kind::Hysteresis { width: random.round(0.05, 0.3), push: random.round(2.0, 4.0) },
        _ => Kind::Relay { level: random.round(-0.5, 0.5), push: random.round(0.5, 3.0) },
    };
    let quiet = random.chance(0.4);
    let wave = match quiet {
        true => [0.0, 0.0, 1.0],
        false => [random.round(-0.5, 0.5), random.round(0.1, 1.5), random.round(0.5, 6.0)],
    };
    let start = match (kind, random.below(0, 3)) {
        // On the limit, or on the surface.
        (Kind::Bounded { limit, .. } | Kind::Lag { limit, .. }, 0) => limit,
        (Kind::Relay { level, .. }, 0) => level,
        _ => random.round(-0.45, 0.45),
    };
    let reference = match (kind, random.below(0, 3)) {
        // An equilibrium that lies on the limit.
        (Kind::Lag { limit, .. }, 0) => limit,
        _ => random.round(-1.5, 1.5),
    };
    Loop { kind, decay: random.round(0.3, 2.0), start, wave, cascade: k > 0 && random.chance(0.6), reference }
}

/// What a loop is in: a branch of its nonlinearity.
type Mode = i32;

impl Loop {
    fn wave(&self, t: f64) -> f64 {
        self.wave[0] + self.wave[1] * (self.wave[2] * t).sin()
    }

    /// The rates of state and integral in a mode; `slide` is the rate of what a relay's surface would need.
    fn rates(&self, mode: Mode, t: f64, x: f64, i: f64, r: f64) -> [f64; 2] {
        let wave = self.wave(t);
        match self.kind {
            Kind::Saturated { gain, integral, limit, stops } => {
                let error = r - x;
                let u = gain * error + i;
                let u = match mode.rem_euclid(10) {
                    0 => u,
                    1 => limit,
                    _ => -limit,
                };
                let grows = !stops || mode.rem_euclid(10) == 0;
                [-self.decay * x + 2.0 * u + wave, if grows { integral * error } else { 0.0 }]
            }
            Kind::Bounded { gain, .. } => [if mode == 0 { gain * (r - x) + wave } else { 0.0 }, 0.0],
            Kind::Lag { rate, .. } => [rate * (r - x), 0.0],
            Kind::Hysteresis { push, .. } => [-self.decay * x + push * f64::from(mode) + wave, 0.0],
            Kind::Relay { push, .. } => match mode {
                0 => [0.0, 0.0],
                mode => [-self.decay * x - push * f64::from(mode) + wave, 0.0],
            },
        }
    }

    /// The modes to which a mode can change, each with the function that is positive where it does.
    fn exits(&self, mode: Mode, t: f64, x: f64, i: f64, r: f64) -> Vec<(Mode, f64)> {
        let wave = self.wave(t);
        match self.kind {
            Kind::Saturated { gain, limit, .. } => {
                let u = gain * (r - x) + i;
                match mode {
                    0 => vec![(1, u - limit), (2, -limit - u)],
                    1 => vec![(0, limit - u)],
                    _ => vec![(0, u + limit)],
                }
            }
            Kind::Bounded { gain, limit } => {
                let push = gain * (r - x) + wave;
                match mode {
                    0 => vec![(1, x - limit), (2, -limit - x)],
                    1 => vec![(0, -push)],
                    _ => vec![(0, push)],
                }
            }
            Kind::Lag { .. } => Vec::new(),
            Kind::Hysteresis { width, .. } => match mode {
                1 => vec![(-1, x - r - width)],
                _ => vec![(1, r - width - x)],
            },
            Kind::Relay { level, push } => {
                // The control that would hold the surface.
                let needed = (wave - self.decay * level) / push;
                match mode {
                    0 => vec![(1, needed - 1.0), (-1, -1.0 - needed)],
                    1 => vec![(0, level - x)],
                    _ => vec![(0, x - level)],
                }
            }
        }
    }

    /// The mode a loop begins with.
    fn begin(&self, x: f64, r: f64) -> Option<Mode> {
        let wave = self.wave(0.0);
        Some(match self.kind {
            Kind::Saturated { gain, limit, .. } => match gain * (r - x) {
                u if u > limit => 1,
                u if u < -limit => 2,
                _ => 0,
            },
            Kind::Bounded { gain, limit } if x == limit && gain * (r - x) + wave > 0.0 => 1,
            Kind::Bounded { .. } | Kind::Lag { .. } => 0,
            // A relay with memory begins switched on.
            Kind::Hysteresis { width, .. } => {
                if x - r > width {
                    return None;
                } else {
                    1
                }
            }
            Kind::Relay { level, push } => match x - level {
                0.0 => {
                    let needed = (wave - self.decay * level) / push;
                    if needed > 1.0 {
                        1
                    } else if needed < -1.0 {
                        -1
                    } else {
                        0
                    }
                }
                over => {
                    if over > 0.0 {
                        1
                    } else {
                        -1
                    }
                }
            },
        })
    }
}

fn march(loops: &[Loop], off: f64) -> Option<Vec<Vec<f64>>> {
    // What starts on a limit starts there in both answers.
    let offset = |l: &Loop| match l.kind {
        Kind::Bounded { limit, .. } | Kind::Lag { limit, .. } if l.start == limit => 0.0,
        Kind::Relay { level, .. } if l.start == level => 0.0,
        _ => off,
    };
    let mut x: Vec<f64> = loops.iter().flat_map(|l| [l.start + offset(l), 0.0]).collect();
    let reference = |k: usize, x: &[f64]| match loops[k].cascade {
        true => match loops[k - 1].kind {
            Kind::Lag { limit, .. } => x[2 * k - 2].clamp(-limit, limit),
            _ => x[2 * k - 2],
        },
        false => loops[k].reference,
    };
    let mut modes = Vec::new();
    for (k, l) in loops.iter().enumerate() {
        modes.push(l.begin(x[2 * k], reference(k, &x))?);
    }
    let (mut t, mut changes, mut found) = (0.0, 0, Vec::new());
    for end in TIMES {
        while t < end {
            let field: Field = &|t, x, slope| {
                for (k, l) in loops.iter().enumerate() {
                    [slope[2 * k], slope[2 * k + 1]] =
                        l.rates(modes[k], t, x[2 * k], x[2 * k + 1], reference(k, x));
                }
            };
            let guards: Guards = &|t, x, out| {
                out.clear();
                for (k, l) in loops.iter().enumerate() {
                    let exits = l.exits(modes[k], t, x[2 * k], x[2 * k + 1], reference(k, x));
                    out.extend(exits.iter().map(|e| e.1));
                    if let Kind::Lag { limit, .. } = l.kind {
                        // Its kinks end steps, too: whoever reads it sees them.
                        out.extend([x[2 * k] - limit, limit - x[2 * k], x[2 * k] + limit, -limit - x[2 * k]]);
                    }
                }
            };
            let reached = advance(field, guards, t, &x, end);
            (t, x) = (reached.t, reached.x);
            if reached.fired.is_empty() {
                continue;
            }
            changes += 1;
            if changes > MOST {
                return None;
            }
            let mut n = 0;
            for (k, l) in loops.iter().enumerate() {
                let exits = l.exits(modes[k], t, x[2 * k], x[2 * k + 1], reference(k, &x));
                for (to, _) in &exits {
                    if reached.fired.contains(&n) {
                        let r = reference(k, &x);
                        modes[k] = l.arrive(*to, modes[k], t, &mut x[2 * k], r);
                    }
                    n += 1;
                }
                n += if matches!(l.kind, Kind::Lag { .. }) { 4 } else { 0 };
            }
        }
        found.push(x.clone());
    }
    Some(found)
}

impl Loop {
    /// A limit or surface is reached exactly; a relay that cannot stay passes through.
    fn arrive(&self, to: Mode, from: Mode, t: f64, x: &mut f64, r: f64) -> Mode {
        match self.kind {
            // Round-off at a start on the limit is no arrival.
            Kind::Bounded { .. } if to != 0 && (self.rates(0, t, *x, 0.0, r)[0] > 0.0) != (to == 1) => {
                return from;
            }
            Kind::Bounded { limit, .. } if to != 0 => *x = if to == 1 { limit } else { -limit },
            Kind::Relay { level, push } if to == 0 => {
                *x = level;
                let needed = (self.wave(t) - self.decay * level) / push;
                if needed.abs() > 1.0 {
                    return -from;
                }
            }
            _ => {}
        }
        to
    }
}

fn text(loops: &[Loop], random: &mut Random) -> String {
    let (mut text, mut equations) = (String::from("model M\n"), String::new());
    for (k, l) in loops.iter().enumerate() {
        let _ = writeln!(text, "  Real x{k}(start = {}, fixed = true);", l.start);
        let r = match l.cascade {
            true if matches!(loops[k - 1].kind, Kind::Lag { .. }) => format!("y{}", k - 1),
            true => format!("x{}", k - 1),
            false => format!("({})", l.reference),
        };
        let mut wave = String::new();
        if l.wave != [0.0, 0.0, 1.0] {
            let [constant, amplitude, frequency] = l.wave;
            let _ = write!(wave, " + ({constant}) + {amplitude}*sin({frequency}*time)");
        }
        match l.kind {
            Kind::Saturated { gain, integral, limit, stops } => {
                let _ = writeln!(text, "  Real i{k}(start = 0, fixed = true), v{k}, u{k};");
                let _ = writeln!(equations, "  v{k} = {gain}*({r} - x{k}) + i{k};");
                clamp(&mut equations, &format!("u{k}"), &format!("v{k}"), limit, random);
                let _ = writeln!(equations, "  der(x{k}) = -{}*x{k} + 2*u{k}{wave};", l.decay);
                let rate = format!("{integral}*({r} - x{k})");
                let _ = match (stops, random.below(0, 2)) {
                    (false, _) => writeln!(equations, "  der(i{k}) = {rate};"),
                    (true, 0) => {
                        writeln!(
                            equations,
                            "  der(i{k}) = if v{k} > {limit} or v{k} < -{limit} then 0 else {rate};"
                        )
                    }
                    (true, _) => writeln!(
                        equations,
                        "  if v{k} >= {limit} then\n    der(i{k}) = 0;\n  elseif v{k} <= -{limit} then\n    der(i{k}) = 0;\n  else\n    der(i{k}) = {rate};\n  end if;"
                    ),
                };
            }
            Kind::Bounded { gain, limit } => {
                let _ = writeln!(text, "  Real p{k} = {gain}*({r} - x{k}){wave};");
                let _ = match random.below(0, 3) {
                    0 => writeln!(
                        equations,
                        "  der(x{k}) = if x{k} >= {limit} and p{k} > 0 or x{k} <= -{limit} and p{k} < 0 then 0 else p{k};"
                    ),
                    1 => writeln!(
                        equations,
                        "  der(x{k}) = if x{k} > {limit} and p{k} > 0 then 0 else if x{k} < -{limit} and p{k} < 0 then 0 else p{k};"
                    ),
                    _ => {
                        let _ =
                            writeln!(text, "  Boolean up{k} = x{k} >= {limit}, down{k} = x{k} <= -{limit};");
                        writeln!(
                            equations,
                            "  if up{k} and p{k} > 0 then\n    der(x{k}) = 0;\n  elseif down{k} and p{k} < 0 then\n    der(x{k}) = 0;\n  else\n    der(x{k}) = p{k};\n  end if;"
                        )
                    }
                };
            }
            Kind::Lag { rate, limit } => {
                let _ = writeln!(text, "  Real y{k};");
                let _ = writeln!(equations, "  der(x{k}) = {rate}*({r} - x{k});");
                clamp(&mut equations, &format!("y{k}"), &format!("x{k}"), limit, random);
            }
            Kind::Hysteresis { width, push } => {
                let _ = writeln!(text, "  Boolean on{k}(start = true, fixed = true);");
                let _ = match random.below(0, 3) {
                    0 => writeln!(
                        equations,
                        "  on{k} = if pre(on{k}) then x{k} - {r} < {width} else x{k} - {r} <= -{width};"
                    ),
                    1 => writeln!(
                        equations,
                        "  when x{k} - {r} > {width} then\n    on{k} = false;\n  elsewhen x{k} - {r} < -{width} then\n    on{k} = true;\n  end when;"
                    ),
                    _ => writeln!(
                        equations,
                        "  on{k} = not x{k} > {r} + {width} and (pre(on{k}) or x{k} < {r} - {width});"
                    ),
                };
                let _ = writeln!(
                    equations,
                    "  der(x{k}) = -{}*x{k} + (if on{k} then {push} else -{push}){wave};",
                    l.decay
                );
            }
            Kind::Relay { level, push } => {
                let sign = match random.below(0, 4) {
                    0 => format!("(if x{k} > {level} then {push} else -{push})"),
                    1 => format!("(if x{k} < {level} then -{push} else {push})"),
                    2 => format!("{push}*(if x{k} - ({level}) >= 0 then 1 else -1)"),
                    _ => {
                        let _ = writeln!(text, "  Boolean over{k} = x{k} > {level};");
                        format!("(if over{k} then {push} else -{push})")
                    }
                };
                let _ = writeln!(equations, "  der(x{k}) = -{}*x{k} - {sign}{wave};", l.decay);
            }
        }
    }
    format!("{text}equation\n{equations}end M;\n")
}

/// `out` is `value` between the limits, written in one of many ways.
fn clamp(equations: &mut String, out: &str, value: &str, limit: f64, random: &mut Random) {
    let (v, m) = (value, limit);
    let _ = match random.below(0, 7) {
        0 => writeln!(equations, "  {out} = if {v} > {m} then {m} else if {v} < -{m} then -{m} else {v};"),
        1 => writeln!(equations, "  {out} = if {v} >= {m} then {m} elseif {v} <= -{m} then -{m} else {v};"),
        2 => writeln!(equations, "  {out} = max(-{m}, min({m}, {v}));"),
        3 => writeln!(
            equations,
            "  {out} = smooth(0, if {v} > {m} then {m} else if {v} < -{m} then -{m} else {v});"
        ),
        4 => writeln!(
            equations,
            "  {out} = noEvent(if {v} > {m} then {m} else if {v} < -{m} then -{m} else {v});"
        ),
        5 => writeln!(
            equations,
            "  if {v} > {m} then\n    {out} = {m};\n  elseif {v} < -{m} then\n    {out} = -{m};\n  else\n    {out} = {v};\n  end if;"
        ),
        _ => writeln!(equations, "  {out} = 0.5*(abs({v} + {m}) - abs({v} - {m}));"),
    };
}
