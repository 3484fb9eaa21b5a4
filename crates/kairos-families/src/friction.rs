//! Coulomb friction networks: blocks that rub on each other and on the ground, between springs, under changing forces.
//!
//! The answer comes from Moreau's implicit time stepping: impulses of friction within their cones, by projected
//! Gauss–Seidel iteration, at two step sizes; where these differ the case is dropped.

use crate::random::Random;
use crate::{Case, Expected};
use std::fmt::Write;

struct Network {
    mass: Vec<f64>,
    damping: Vec<f64>,
    /// Constant, amplitude, frequency and phase of the force on each block.
    force: Vec<[f64; 4]>,
    start: Vec<f64>,
    /// Two blocks, or one and the ground, with the force of friction.
    contacts: Vec<(usize, Option<usize>, f64)>,
    springs: Vec<(usize, Option<usize>, f64)>,
}

/// Times at which states are compared.
const TIMES: [f64; 4] = [0.7, 1.5, 2.4, 3.0];

pub fn case(random: &mut Random) -> Option<Case> {
    let network = network(random);
    let text = text(&network, random);
    let (coarse, fine) = (march(&network, 1e-4), march(&network, 5e-5));
    let mut expected = Vec::new();
    for (k, &time) in TIMES.iter().enumerate() {
        for block in 0..network.mass.len() {
            let ((xc, vc), (xf, vf)) = (coarse[k][block], fine[k][block]);
            for (name, c, f) in [("x", xc, xf), ("v", vc, vf)] {
                // First order: what is left is about the difference of both.
                let within = 1e-3 + 4.0 * (c - f).abs();
                if within > 0.02 {
                    return None;
                }
                let variable = format!("{name}[{}]", block + 1);
                expected.push(Expected { variable, time, value: 2.0 * f - c, within });
            }
        }
    }
    Some(Case { text, stop: 3.0, tolerance: 1e-8, expected, options: Vec::new() })
}

fn network(random: &mut Random) -> Network {
    let count = if random.chance(0.1) { random.below(8, 16) } else { random.below(1, 7) };
    let mut contacts = Vec::new();
    let mut springs = Vec::new();
    for block in 0..count {
        if block > 0 && random.chance(0.8) {
            let other = if random.chance(0.7) { block - 1 } else { random.below(0, block) };
            contacts.push((block, Some(other), random.round(0.3, 3.0)));
        }
        if random.chance(0.4) || block == 0 && contacts.is_empty() {
            contacts.push((block, None, random.round(0.3, 4.0)));
        }
        if random.chance(0.3) {
            let other = (block > 0 && random.chance(0.6)).then(|| random.below(0, block));
            springs.push((block, other, random.round(1.0, 20.0)));
        }
    }
    let at_rest = random.chance(0.4);
    Network {
        mass: (0..count).map(|_| random.round(0.5, 3.0)).collect(),
        damping: (0..count).map(|_| if random.chance(0.3) { random.round(0.05, 0.5) } else { 0.0 }).collect(),
        force: (0..count)
            .map(|_| {
                let constant = if random.chance(0.3) { random.round(-1.0, 1.0) } else { 0.0 };
                [constant, random.round(0.0, 5.0), random.round(0.5, 4.0), random.round(0.0, 6.0)]
            })
            .collect(),
        start: (0..count).map(|_| if at_rest { 0.0 } else { random.round(-1.0, 1.0) }).collect(),
        contacts,
        springs,
    }
}

fn text(network: &Network, random: &mut Random) -> String {
    let count = network.mass.len();
    let mut text = format!(
        "model M\n  Real x[{count}](each start = 0, each fixed = true), v[{count}](start = {{{}}}, each fixed = true);\n",
        list(&network.start)
    );
    let relative = |a: usize, b: Option<usize>, name: &str| match b {
        Some(b) => format!("{name}[{}] - {name}[{}]", a + 1, b + 1),
        None => format!("{name}[{}]", a + 1),
    };
    let mut equations = String::new();
    let mut total = vec![String::new(); count];
    for (k, &(a, b, size)) in network.contacts.iter().enumerate() {
        let speed = relative(a, b, "v");
        let force = match random.below(0, 4) {
            0 => {
                let _ = writeln!(text, "  Boolean forward{k} = {speed} > 0;");
                format!("if forward{k} then {size} else -{size}")
            }
            1 => format!("if {speed} < 0 then -{size} else {size}"),
            2 => {
                let _ = writeln!(text, "  Real s{k} = {speed};");
                format!("if s{k} >= 0 then {size} else -{size}")
            }
            _ => format!("if {speed} > 0 then {size} else -{size}"),
        };
        let _ = writeln!(text, "  Real f{k} = {force};");
        let _ = write!(total[a], " - f{k}");
        if let Some(b) = b {
            let _ = write!(total[b], " + f{k}");
        }
    }
    for (k, &(a, b, stiffness)) in network.springs.iter().enumerate() {
        let _ = writeln!(text, "  Real c{k} = {stiffness}*({});", relative(a, b, "x"));
        let _ = write!(total[a], " - c{k}");
        if let Some(b) = b {
            let _ = write!(total[b], " + c{k}");
        }
    }
    for block in 0..count {
        let [constant, amplitude, frequency, phase] = network.force[block];
        let n = block + 1;
        let _ = writeln!(equations, "  der(x[{n}]) = v[{n}];");
        let _ = writeln!(
            equations,
            "  {}*der(v[{n}]) = {constant} + {amplitude}*sin({frequency}*time + {phase}) - {}*v[{n}]{};",
            network.mass[block], network.damping[block], total[block]
        );
    }
    format!("{text}equation\n{equations}end M;\n")
}

fn list(values: &[f64]) -> String {
    values.iter().map(|v| v.to_string()).collect::<Vec<_>>().join(", ")
}

/// Positions and velocities at the times of comparison.
fn march(network: &Network, step: f64) -> Vec<Vec<(f64, f64)>> {
    let count = network.mass.len();
    let (mut x, mut v) = (vec![0.0; count], network.start.clone());
    let mut impulse = vec![0.0; network.contacts.len()];
    let mut found = Vec::new();
    let steps = (TIMES[TIMES.len() - 1] / step).round() as usize;
    let marks: Vec<usize> = TIMES.iter().map(|t| (t / step).round() as usize).collect();
    for k in 0..steps {
        let t = (k as f64 + 0.5) * step;
        let mut push = vec![0.0; count];
        for block in 0..count {
            let [constant, amplitude, frequency, phase] = network.force[block];
            push[block] =
                constant + amplitude * (frequency * t + phase).sin() - network.damping[block] * v[block];
        }
        for &(a, b, stiffness) in &network.springs {
            let far = |block: usize| x[block] + 0.5 * step * v[block];
            let force = stiffness * (far(a) - b.map_or(0.0, far));
            push[a] -= force;
            if let Some(b) = b {
                push[b] += force;
            }
        }
        let before = v.clone();
        for block in 0..count {
            v[block] += step * push[block] / network.mass[block];
        }
        rub(network, step, &mut v, &mut impulse);
        for block in 0..count {
            x[block] += 0.5 * step * (before[block] + v[block]);
        }
        if marks.contains(&(k + 1)) {
            found.push(x.iter().copied().zip(v.iter().copied()).collect());
        }
    }
    found
}

/// Applies the impulses of friction: as large as needed to stop, no larger than the cones allow.
fn rub(network: &Network, step: f64, v: &mut [f64], impulse: &mut [f64]) {
    let inverse = |block: usize| 1.0 / network.mass[block];
    for (&(a, b, _), impulse) in network.contacts.iter().zip(&*impulse) {
        v[a] -= impulse * inverse(a);
        if let Some(b) = b {
            v[b] += impulse * inverse(b);
        }
    }
    for _ in 0..4000 {
        let mut change = 0.0f64;
        for (&(a, b, size), impulse) in network.contacts.iter().zip(impulse.iter_mut()) {
            let relative = v[a] - b.map_or(0.0, |b| v[b]);
            let weight = inverse(a) + b.map_or(0.0, inverse);
            let new = (*impulse + relative / weight).clamp(-step * size, step * size);
            let by = new - *impulse;
            *impulse = new;
            v[a] -= by * inverse(a);
            if let Some(b) = b {
                v[b] += by * inverse(b);
            }
            change = change.max(by.abs());
        }
        if change < 1e-13 {
            return;
        }
    }
}
