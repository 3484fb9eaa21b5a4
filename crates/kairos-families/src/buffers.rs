//! Chains of bodies between walls with elastic contacts that push and never pull, springs and dry friction.
//!
//! Contacts are written in three ways, as libraries do: with a condition for the gap and `min` and `max` for the damping, with `max` for
//! the gap and conditions for the damping, and with `noEvent`; linear or with a power, friction with one or two conditions. The
//! answer comes from time stepping with friction projected in each step, at two step sizes.

use crate::random::Random;
use crate::{Case, Expected};
use std::fmt::Write;

struct Body {
    mass: f64,
    place: f64,
    speed: f64,
    /// Constant, amplitude and frequency of the force on it.
    force: [f64; 3],
    friction: f64,
    /// Stiffness and damping of a spring to where it starts.
    spring: Option<[f64; 2]>,
}

struct Buffer {
    /// Bodies, or walls at zero.
    left: Option<usize>,
    right: Option<usize>,
    stiffness: f64,
    damping: f64,
    /// The distance from left to right below which it pushes.
    length: f64,
}

struct Chain {
    bodies: Vec<Body>,
    buffers: Vec<Buffer>,
    power: f64,
}

const TIMES: [f64; 4] = [0.4, 0.9, 1.5, 2.0];

pub fn case(random: &mut Random) -> Option<Case> {
    let chain = chain(random);
    let text = text(&chain, random);
    let (coarse, fine) = (march(&chain, 1e-4), march(&chain, 5e-5));
    let mut expected = Vec::new();
    for (k, &time) in TIMES.iter().enumerate() {
        for n in 0..chain.bodies.len() {
            let (c, f) = (coarse[k][n], fine[k][n]);
            let within = 3e-4 + 5.0 * (c - f).abs();
            if within > 5e-3 {
                return None;
            }
            expected.push(Expected { variable: format!("x[{}]", n + 1), time, value: 2.0 * f - c, within });
        }
    }
    let tolerance = [1e-6, 1e-7, 1e-8][random.below(0, 3)];
    let method = ["auto", "auto", "esdirk", "bdf", "radau"][random.below(0, 5)];
    let options = vec!["--method".to_string(), method.to_string()];
    Some(Case { text, stop: 2.0, tolerance, expected, options })
}

fn chain(random: &mut Random) -> Chain {
    let count = random.below(1, 4);
    let bodies: Vec<Body> = (0..count)
        .map(|n| Body {
            mass: random.round(0.3, 2.0),
            place: (n as f64) * 0.3,
            speed: random.round(-1.5, 1.5),
            force: [random.round(-1.0, 1.0), random.round(0.0, 4.0), random.round(1.0, 7.0)],
            friction: if random.chance(0.5) { random.round(0.2, 1.5) } else { 0.0 },
            spring: random.chance(0.3).then(|| [random.round(2.0, 30.0), random.round(0.0, 1.0)]),
        })
        .collect();
    let mut buffers = Vec::new();
    let mut add = |random: &mut Random, left, right, length| {
        let (stiffness, damping) = (random.round(50.0, 3000.0), random.round(0.0, 30.0));
        buffers.push(Buffer { left, right, stiffness, damping, length });
    };
    for n in 1..count {
        if random.chance(0.8) {
            let length = random.round(0.05, 0.25);
            add(random, Some(n - 1), Some(n), length);
        }
    }
    let (near, far) = (random.round(-0.5, -0.1), random.round(0.1, 0.5));
    add(random, None, Some(0), near);
    let far = ((bodies[count - 1].place + far) * 1000.0).round() / 1000.0;
    add(random, Some(count - 1), None, -far);
    Chain { bodies, buffers, power: if random.chance(0.7) { 1.0 } else { 1.5 } }
}

/// Places at the times of comparison.
fn march(chain: &Chain, step: f64) -> Vec<Vec<f64>> {
    let count = chain.bodies.len();
    let mut x: Vec<f64> = chain.bodies.iter().map(|b| b.place).collect();
    let mut v: Vec<f64> = chain.bodies.iter().map(|b| b.speed).collect();
    let mut found = Vec::new();
    let steps = (TIMES[TIMES.len() - 1] / step).round() as usize;
    let marks: Vec<usize> = TIMES.iter().map(|t| (t / step).round() as usize).collect();
    for k in 0..steps {
        let t = (k as f64 + 0.5) * step;
        let middle: Vec<f64> = x.iter().zip(&v).map(|(x, v)| x + 0.5 * step * v).collect();
        let mut force: Vec<f64> =
            chain.bodies.iter().map(|b| b.force[0] + b.force[1] * (b.force[2] * t).sin()).collect();
        for b in &chain.buffers {
            let difference = |of: &[f64]| b.right.map_or(0.0, |n| of[n]) - b.left.map_or(0.0, |n| of[n]);
            let gap = b.length - difference(&middle);
            if gap > 0.0 {
                let elastic = -b.stiffness * gap.powf(chain.power);
                let pull = elastic + (b.damping * difference(&v)).max(elastic).min(-elastic);
                b.left.into_iter().for_each(|n| force[n] += pull);
                b.right.into_iter().for_each(|n| force[n] -= pull);
            }
        }
        for (n, body) in chain.bodies.iter().enumerate() {
            if let Some([c, d]) = body.spring {
                force[n] -= c * (middle[n] - body.place) + d * v[n];
            }
            let free = v[n] + step * force[n] / body.mass;
            let most = step * body.friction / body.mass;
            let next = if free.abs() <= most { 0.0 } else { free - most.copysign(free) };
            x[n] += 0.5 * step * (v[n] + next);
            v[n] = next;
        }
        if marks.contains(&(k + 1)) {
            found.push(x.clone());
        }
    }
    debug_assert_eq!(count, x.len());
    found
}

fn text(chain: &Chain, random: &mut Random) -> String {
    let count = chain.bodies.len();
    let list = |of: &dyn Fn(&Body) -> f64| {
        let numbers: Vec<String> = chain.bodies.iter().map(|b| of(b).to_string()).collect();
        numbers.join(", ")
    };
    let mut text = format!(
        "model M\n  Real x[{count}](start = {{{}}}, each fixed = true), v[{count}](start = {{{}}}, each fixed = true);\n  \
         Real pull[{n}], elastic[{n}], damping[{n}];\nequation\n",
        list(&|b| b.place),
        list(&|b| b.speed),
        n = chain.buffers.len()
    );
    let style = random.below(0, 3);
    let power = if chain.power == 1.0 { String::new() } else { format!("^{}", chain.power) };
    let mut sums = vec![String::new(); count];
    for (k, b) in chain.buffers.iter().enumerate() {
        let n = k + 1;
        let difference = |name: &str| match (b.left, b.right) {
            (Some(l), Some(r)) => format!("({name}[{}] - {name}[{}])", r + 1, l + 1),
            (Some(l), None) => format!("(-{name}[{}])", l + 1),
            (_, r) => format!("({name}[{}])", r.unwrap_or_default() + 1),
        };
        let (x, v, c, length) = (difference("x"), difference("v"), b.stiffness, b.length);
        let _ = match style {
            0 => writeln!(
                text,
                "  elastic[{n}] = if {x} < {length} then -{c}*(({length}) - {x}){power} else 0;\n  \
                 pull[{n}] = if {x} < {length} then elastic[{n}] + min(max(damping[{n}], elastic[{n}]), -elastic[{n}]) else 0;"
            ),
            1 => writeln!(
                text,
                "  elastic[{n}] = -{c}*max(({length}) - {x}, 0){power};\n  \
                 pull[{n}] = elastic[{n}] + (if damping[{n}] < elastic[{n}] then elastic[{n}] elseif damping[{n}] > -elastic[{n}] then -elastic[{n}] else damping[{n}]);"
            ),
            _ => writeln!(
                text,
                "  elastic[{n}] = smooth(0, noEvent(if {x} < {length} then -{c}*abs(({length}) - {x}){power} else 0));\n  \
                 pull[{n}] = elastic[{n}] + smooth(0, noEvent(if {x} < {length} then min(max(damping[{n}], elastic[{n}]), -elastic[{n}]) else 0));"
            ),
        };
        let _ = writeln!(text, "  damping[{n}] = {}*{v};", b.damping);
        b.left.into_iter().for_each(|l| sums[l] += &format!(" + pull[{n}]"));
        b.right.into_iter().for_each(|r| sums[r] += &format!(" - pull[{n}]"));
    }
    for (k, body) in chain.bodies.iter().enumerate() {
        let (n, [a, b, f]) = (k + 1, body.force);
        let spring = body.spring.map_or(String::new(), |[c, d]| {
            format!(" - {c}*(x[{n}] - ({place})) - {d}*v[{n}]", place = body.place)
        });
        let friction = match (body.friction == 0.0, style) {
            (true, _) => String::new(),
            (_, 0) => format!(" - {}*(if v[{n}] > 0 then 1 elseif v[{n}] < 0 then -1 else 0)", body.friction),
            _ => format!(" - (if v[{n}] >= 0 then {0} else -{0})", body.friction),
        };
        let _ = writeln!(
            text,
            "  der(x[{n}]) = v[{n}];\n  {}*der(v[{n}]) = ({a}) + {b}*sin({f}*time){}{spring}{friction};",
            body.mass, sums[k]
        );
    }
    text.push_str("end M;\n");
    text
}
