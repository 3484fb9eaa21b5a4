//! Circuits of resistors, capacitors, inductors, sources, ideal switches and ideal diodes, from rest.
//!
//! The answer comes from nodal analysis with implicit Euler steps at two sizes. A diode or switch is a resistor that is
//! very small or very large, so every mode has a solution, and single changes of the first diode that contradicts itself
//! end in the only mode that does not (Murty). Steps conserve charge and flux across switching, whatever jumps: a loop of
//! capacitors that is closed shares its charge within one step.

use crate::dense::inverse;
use crate::random::Random;
use crate::{Case, Expected};
use std::fmt::Write;

#[derive(Clone, Copy)]
enum Kind {
    Resistor(f64),
    Capacitor(f64),
    Inductor(f64),
    /// Amplitude, frequency, and the time from which on it is there.
    Source(f64, f64, f64),
    /// A step of this height at this time.
    Step(f64, f64),
    Diode,
    /// Closed at first, and the time at which that ends.
    Switch(bool, f64),
}

/// From one node to another; node 0 is the ground.
struct Branch {
    kind: Kind,
    from: usize,
    to: usize,
}

struct Circuit {
    nodes: usize,
    branches: Vec<Branch>,
}

/// Conductances of what conducts and of what blocks.
const ON: f64 = 1e7;
const OFF: f64 = 1e-9;
/// No current is as large without a short circuit, but for pulses.
const SHORT: f64 = 1e3;
const TIMES: [f64; 4] = [0.35, 0.85, 1.45, 2.0];

pub fn case(random: &mut Random) -> Option<Case> {
    let circuit = circuit(random);
    let text = text(&circuit);
    let (coarse, fine) = (march(&circuit, 1e-4)?, march(&circuit, 5e-5)?);
    let mut expected = Vec::new();
    for (k, &time) in TIMES.iter().enumerate() {
        for (b, branch) in circuit.branches.iter().enumerate() {
            let name = match branch.kind {
                Kind::Capacitor(_) => "u",
                Kind::Inductor(_) => "i",
                _ => continue,
            };
            let (c, f) = (coarse[k][b], fine[k][b]);
            let within = 1e-3 + 4.0 * (c - f).abs();
            if within > 0.02 {
                return None;
            }
            let variable = format!("{name}[{}]", b + 1);
            expected.push(Expected { variable, time, value: 2.0 * f - c, within });
        }
    }
    (!expected.is_empty()).then_some(Case { text, stop: 2.0, tolerance: 1e-8, expected, options: Vec::new() })
}

fn circuit(random: &mut Random) -> Circuit {
    let nodes = random.below(2, 6);
    let mut branches = Vec::new();
    // A tree of resistors and capacitors reaches every node: nothing floats, and no cut consists of inductors.
    for node in 1..nodes {
        let to = random.below(0, node);
        let kind = match random.chance(0.6) {
            true => Kind::Resistor(random.round(0.5, 5.0)),
            false => Kind::Capacitor(random.round(0.05, 0.5)),
        };
        branches.push(Branch { kind, from: node, to });
    }
    let more = random.below(2, 7);
    for k in 0..more {
        let from = random.below(0, nodes);
        let to = (from + random.below(1, nodes)) % nodes;
        let kind = match if k == 0 { 0 } else { random.below(0, 10) } {
            0 | 1
                if !closes(&branches, nodes, from, to, |k| {
                    matches!(k, Kind::Source(..) | Kind::Step(..))
                }) =>
            {
                let from_on = if random.chance(0.3) { random.below(1, 12) as f64 / 10.0 } else { 0.0 };
                match random.chance(0.6) {
                    true => Kind::Source(random.round(2.0, 10.0), random.round(2.0, 12.0), from_on),
                    false => Kind::Step(random.round(-8.0, 8.0), random.below(1, 18) as f64 / 10.0),
                }
            }
            2..=4 => Kind::Diode,
            5 => Kind::Capacitor(random.round(0.05, 0.5)),
            6 => Kind::Inductor(random.round(0.05, 0.5)),
            7 | 8 if nodes > 2 => {
                // A switch that shorts a source has no solution.
                let rigid = |k: Kind| matches!(k, Kind::Source(..) | Kind::Step(..) | Kind::Switch(..));
                match closes(&branches, nodes, from, to, rigid) {
                    true => Kind::Resistor(random.round(0.5, 5.0)),
                    false => Kind::Switch(random.chance(0.5), random.below(1, 18) as f64 / 10.0),
                }
            }
            _ => Kind::Resistor(random.round(0.5, 10.0)),
        };
        branches.push(Branch { kind, from, to });
    }
    Circuit { nodes, branches }
}

/// Do branches of some kinds already connect two nodes?
fn closes(branches: &[Branch], nodes: usize, from: usize, to: usize, of: impl Fn(Kind) -> bool) -> bool {
    let mut reached = vec![false; nodes];
    reached[from] = true;
    for _ in 0..nodes {
        for b in branches.iter().filter(|b| of(b.kind)) {
            if reached[b.from] || reached[b.to] {
                (reached[b.from], reached[b.to]) = (true, true);
            }
        }
    }
    reached[to]
}

fn text(circuit: &Circuit) -> String {
    let (count, nodes) = (circuit.branches.len(), circuit.nodes);
    let mut text = format!("model M\n  Real v[{nodes}], i[{count}], u[{count}];\n");
    let mut equations = String::from("  v[1] = 0;\n");
    let mut sums = vec![String::new(); nodes];
    for (b, Branch { kind, from, to }) in circuit.branches.iter().enumerate() {
        let n = b + 1;
        let _ = writeln!(equations, "  u[{n}] = v[{}] - v[{}];", from + 1, to + 1);
        let _ = write!(sums[*from], " + i[{n}]");
        let _ = write!(sums[*to], " - i[{n}]");
        let _ = match kind {
            Kind::Resistor(r) => writeln!(equations, "  u[{n}] = {r}*i[{n}];"),
            Kind::Capacitor(c) => writeln!(equations, "  i[{n}] = {c}*der(u[{n}]);"),
            Kind::Inductor(l) => writeln!(equations, "  {l}*der(i[{n}]) = u[{n}];"),
            Kind::Source(a, w, 0.0) => writeln!(equations, "  u[{n}] = {a}*sin({w}*time);"),
            Kind::Source(a, w, t) => {
                writeln!(equations, "  u[{n}] = if time < {t} then 0 else {a}*sin({w}*time);")
            }
            Kind::Step(height, t) => writeln!(equations, "  u[{n}] = if time < {t} then 0 else {height};"),
            Kind::Diode => {
                let _ = writeln!(text, "  Real s{n}(start = 0); Boolean off{n}(start = false);");
                let _ = writeln!(equations, "  off{n} = s{n} < 0;");
                let _ = writeln!(equations, "  u[{n}] = if off{n} then s{n} else 0;");
                writeln!(equations, "  i[{n}] = if off{n} then 0 else s{n};")
            }
            Kind::Switch(closed, t) => {
                let (first, second) = if *closed { ("u", "i") } else { ("i", "u") };
                writeln!(equations, "  0 = if time < {t} then {first}[{n}] else {second}[{n}];")
            }
        };
    }
    for (node, sum) in sums.iter().enumerate().skip(1) {
        let _ = writeln!(equations, "  0 ={sum}; // node {}", node + 1);
    }
    let start = starts(circuit);
    format!("{text}initial equation\n{start}equation\n{equations}end M;\n")
}

/// Initial equations for the capacitors and inductors that are independent: those of a tree, and those outside.
fn starts(circuit: &Circuit) -> String {
    let mut text = String::new();
    let mut rigid: Vec<Branch> = Vec::new();
    let mut take = |branch: &Branch| {
        let closed = closes(&rigid, circuit.nodes, branch.from, branch.to, |_| true);
        rigid.push(Branch { kind: branch.kind, from: branch.from, to: branch.to });
        closed
    };
    for branch in &circuit.branches {
        if matches!(branch.kind, Kind::Source(..) | Kind::Step(..) | Kind::Switch(true, _)) {
            take(branch);
        }
    }
    for (b, branch) in circuit.branches.iter().enumerate() {
        match branch.kind {
            Kind::Capacitor(_) if !take(branch) => {
                let _ = writeln!(text, "  u[{}] = 0;", b + 1);
            }
            Kind::Inductor(_) => {
                let _ = writeln!(text, "  i[{}] = 0;", b + 1);
            }
            _ => {}
        }
    }
    text
}

/// Voltages of capacitors and currents of inductors, by branch, at the times of comparison.
fn march(circuit: &Circuit, step: f64) -> Option<Vec<Vec<f64>>> {
    let count = circuit.branches.len();
    let mut memory = vec![0.0; count];
    let mut on = vec![false; count];
    let mut found = Vec::new();
    let steps = (TIMES[TIMES.len() - 1] / step).round() as usize;
    let marks: Vec<usize> = TIMES.iter().map(|t| (t / step).round() as usize).collect();
    let mut known: Option<(Vec<bool>, Vec<Vec<f64>>)> = None;
    let mut shorted = 0;
    for k in 1..=steps {
        let t = k as f64 * step;
        // The value at an instant is the one before it.
        let after = |instant: f64| t > instant + 0.5 * step;
        for (b, branch) in circuit.branches.iter().enumerate() {
            if let Kind::Switch(closed, instant) = branch.kind {
                on[b] = closed != after(instant);
            }
        }
        let mut solved = None;
        for _ in 0..400 {
            if known.as_ref().is_none_or(|(modes, _)| *modes != on) {
                known = Some((on.clone(), inverse(matrix(circuit, &on, step))?));
            }
            let (_, inverse) = known.as_ref()?;
            let rhs = right_side(circuit, &memory, step, t, after);
            let x: Vec<f64> =
                inverse.iter().map(|row| row.iter().zip(&rhs).map(|(a, b)| a * b).sum()).collect();
            let across = |b: &Branch| potential(&x, b.from) - potential(&x, b.to);
            let wrong = circuit.branches.iter().enumerate().position(|(b, branch)| {
                matches!(branch.kind, Kind::Diode) && (across(branch) > 0.0) != on[b]
            });
            match wrong {
                Some(b) => on[b] = !on[b],
                None => {
                    solved = Some(x);
                    break;
                }
            }
        }
        let x = solved?;
        // Pulses last a step; a current that stays is a source in a loop of ideal parts, which has no solution.
        let current = |b: &Branch| ON * (potential(&x, b.from) - potential(&x, b.to)).abs();
        let huge = circuit.branches.iter().enumerate().any(|(b, branch)| on[b] && current(branch) > SHORT);
        shorted = if huge { shorted + 1 } else { 0 };
        if shorted > 4 {
            return None;
        }
        for (b, branch) in circuit.branches.iter().enumerate() {
            let u = potential(&x, branch.from) - potential(&x, branch.to);
            match branch.kind {
                Kind::Capacitor(_) => memory[b] = u,
                Kind::Inductor(l) => memory[b] += step / l * u,
                _ => {}
            }
        }
        if marks.contains(&k) {
            found.push(memory.clone());
        }
    }
    Some(found)
}

fn potential(x: &[f64], node: usize) -> f64 {
    if node == 0 { 0.0 } else { x[node - 1] }
}

/// Nodal analysis: potentials without the ground's, then the currents of the sources.
fn matrix(circuit: &Circuit, on: &[bool], step: f64) -> Vec<Vec<f64>> {
    let sources =
        circuit.branches.iter().filter(|b| matches!(b.kind, Kind::Source(..) | Kind::Step(..))).count();
    let size = circuit.nodes - 1 + sources;
    let mut a = vec![vec![0.0; size]; size];
    let mut source = circuit.nodes - 1;
    for (b, &Branch { kind, from, to }) in circuit.branches.iter().enumerate() {
        let conductance = match kind {
            Kind::Resistor(r) => 1.0 / r,
            Kind::Capacitor(c) => c / step,
            Kind::Inductor(l) => step / l,
            Kind::Diode | Kind::Switch(..) => [OFF, ON][usize::from(on[b])],
            Kind::Source(..) | Kind::Step(..) => {
                for (node, sign) in [(from, 1.0), (to, -1.0)] {
                    if node > 0 {
                        a[source][node - 1] += sign;
                        a[node - 1][source] += sign;
                    }
                }
                source += 1;
                continue;
            }
        };
        for (node, other) in [(from, to), (to, from)] {
            if node > 0 {
                a[node - 1][node - 1] += conductance;
                if other > 0 {
                    a[node - 1][other - 1] -= conductance;
                }
            }
        }
    }
    a
}

fn right_side(circuit: &Circuit, memory: &[f64], step: f64, t: f64, after: impl Fn(f64) -> bool) -> Vec<f64> {
    let mut rhs = vec![0.0; circuit.nodes - 1];
    for (b, &Branch { kind, from, to }) in circuit.branches.iter().enumerate() {
        let current = match kind {
            Kind::Capacitor(c) => -c / step * memory[b],
            Kind::Inductor(_) => memory[b],
            Kind::Source(a, w, instant) => {
                let there = instant == 0.0 || after(instant);
                rhs.push(if there { a * (w * t).sin() } else { 0.0 });
                continue;
            }
            Kind::Step(height, instant) => {
                rhs.push(if after(instant) { height } else { 0.0 });
                continue;
            }
            _ => continue,
        };
        for (node, sign) in [(from, -1.0), (to, 1.0)] {
            if node > 0 {
                rhs[node - 1] += sign * current;
            }
        }
    }
    rhs
}
