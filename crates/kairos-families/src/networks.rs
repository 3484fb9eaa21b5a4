//! Wider circuits: current sources, inductor cutsets, capacitor loops, thyristors, transformers, coupled coils, and start
//! values that contradict the constraints.
//!
//! The answer is a tableau of node potentials and branch currents with implicit Euler steps at two sizes. What conducts is a
//! very small resistor and what blocks a very large one, so every mode has a solution; the first diode that contradicts
//! itself is changed until none does (Murty). Steps conserve charge and flux across switching and at the start, whatever jumps.

use crate::dense::inverse;
use crate::random::Random;
use crate::{Case, Expected};
use std::fmt::Write;

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Resistor(f64),
    Capacitor(f64),
    Inductor(f64),
    Voltage(Wave),
    Current(Wave),
    Diode,
    /// Fired from one time to another.
    Thyristor(f64, f64),
    /// Closed at first, and the time at which that ends.
    Switch(bool, f64),
    /// One winding of an ideal transformer, or of coupled coils, and the branch of the other: `u = ratio*u'`.
    Winding(f64, usize),
    Coil {
        own: f64,
        mutual: f64,
        other: usize,
    },
}

/// An amplitude that is there from a time on, and a frequency; zero: constant.
#[derive(Clone, Copy, PartialEq)]
struct Wave {
    amplitude: f64,
    frequency: f64,
    from: f64,
}

struct Branch {
    kind: Kind,
    from: usize,
    to: usize,
    /// Voltage of a capacitor, current of an inductor, just before the start.
    start: f64,
}

struct Circuit {
    nodes: usize,
    branches: Vec<Branch>,
}

/// Conductances of what conducts and of what blocks.
const ON: f64 = 1e7;
const OFF: f64 = 1e-9;
/// No current and no voltage is as large, but for pulses.
const SHORT: f64 = 1e3;
const OPEN: f64 = 1e4;
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
                Kind::Inductor(_) | Kind::Coil { .. } => "i",
                _ => continue,
            };
            let (c, f) = (coarse[k][b], fine[k][b]);
            let within = 2e-3 + 4.0 * (c - f).abs();
            if within > 0.02 {
                return None;
            }
            let variable = format!("{name}[{}]", b + 1);
            expected.push(Expected { variable, time, value: 2.0 * f - c, within });
        }
    }
    let options = ["--init", "projection"].map(String::from).to_vec();
    (!expected.is_empty()).then_some(Case { text, stop: 2.0, tolerance: 1e-8, expected, options })
}

fn circuit(random: &mut Random) -> Circuit {
    let nodes = random.below(2, 7);
    let charged = random.chance(0.4);
    let mut branches: Vec<Branch> = Vec::new();
    let start = |random: &mut Random| if charged { random.round(-3.0, 3.0) } else { 0.0 };
    // A tree of resistors, capacitors and now and then inductors reaches every node.
    for node in 1..nodes {
        let to = random.below(0, node);
        let kind = match random.below(0, 20) {
            0..=10 => Kind::Resistor(random.round(0.5, 5.0)),
            11..=16 => Kind::Capacitor(random.round(0.05, 0.5)),
            _ => Kind::Inductor(random.round(0.05, 0.5)),
        };
        branches.push(Branch { kind, from: node, to, start: start(random) });
    }
    let more = random.below(2, 8);
    for k in 0..more {
        let pair = |random: &mut Random| {
            let from = random.below(0, nodes);
            (from, (from + random.below(1, nodes)) % nodes)
        };
        let (from, to) = pair(random);
        let start = start(random);
        let on = random.below(0, 18) as f64 / 10.0;
        let frequency = if random.chance(0.6) { random.round(2.0, 12.0) } else { 0.0 };
        let rigid = |k: Kind| matches!(k, Kind::Voltage(_) | Kind::Switch(..) | Kind::Winding(..));
        let shorted = closes(&branches, nodes, from, to, rigid);
        let kind = match if k == 0 { random.below(0, 4) } else { random.below(0, 24) } {
            0 | 1 if !shorted => {
                Kind::Voltage(Wave { amplitude: random.round(2.0, 10.0), frequency, from: on })
            }
            2 | 3 => Kind::Current(Wave { amplitude: random.round(0.5, 3.0), frequency, from: on }),
            4..=7 => Kind::Diode,
            8 | 9 => Kind::Thyristor(on + 0.033, on + 0.033 + random.round(0.1, 0.8)),
            10 | 11 => Kind::Capacitor(random.round(0.05, 0.5)),
            12 | 13 => Kind::Inductor(random.round(0.05, 0.5)),
            14 | 15 if nodes > 2 && !shorted => {
                Kind::Switch(random.chance(0.5), random.below(1, 18) as f64 / 10.0)
            }
            16 | 17 if nodes > 2 && !shorted => {
                let b = branches.len();
                let ratio = random.round(0.5, 3.0);
                branches.push(Branch { kind: Kind::Winding(ratio, b + 1), from, to, start: 0.0 });
                let (from, to) = pair(random);
                branches.push(Branch { kind: Kind::Winding(0.0, b), from, to, start: 0.0 });
                continue;
            }
            18 | 19 => {
                let b = branches.len();
                let (one, two) = (random.round(0.1, 0.5), random.round(0.1, 0.5));
                let mutual = (random.real(0.2, 0.9) * (one * two).sqrt() * 1e3).round() / 1e3;
                branches.push(Branch {
                    kind: Kind::Coil { own: one, mutual, other: b + 1 },
                    from,
                    to,
                    start,
                });
                let (from, to) = pair(random);
                branches.push(Branch {
                    kind: Kind::Coil { own: two, mutual, other: b },
                    from,
                    to,
                    start: 0.0,
                });
                continue;
            }
            _ => Kind::Resistor(random.round(0.5, 10.0)),
        };
        branches.push(Branch { kind, from, to, start });
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

impl Wave {
    fn text(&self) -> String {
        let Wave { amplitude, frequency, from } = *self;
        let shape = match frequency {
            0.0 => format!("{amplitude}"),
            w => format!("{amplitude}*sin({w}*time)"),
        };
        if from == 0.0 { shape } else { format!("if time < {from} then 0 else {shape}") }
    }

    /// The value at an instant is the one before it.
    fn at(&self, t: f64, step: f64) -> f64 {
        let there = self.from == 0.0 || t > self.from + 0.5 * step;
        match self.frequency {
            _ if !there => 0.0,
            0.0 => self.amplitude,
            w => self.amplitude * (w * t).sin(),
        }
    }
}

fn text(circuit: &Circuit) -> String {
    let (count, nodes) = (circuit.branches.len(), circuit.nodes);
    let given = |of: &dyn Fn(Kind) -> bool| {
        let starts: Vec<String> =
            circuit.branches.iter().map(|b| if of(b.kind) { b.start } else { 0.0 }.to_string()).collect();
        let fixed: Vec<String> = circuit.branches.iter().map(|b| of(b.kind).to_string()).collect();
        format!("start = {{{}}}, fixed = {{{}}}", starts.join(", "), fixed.join(", "))
    };
    let u = given(&|k| matches!(k, Kind::Capacitor(_)));
    let i = given(&|k| matches!(k, Kind::Inductor(_) | Kind::Coil { .. }));
    let mut text = format!("model M\n  Real v[{nodes}];\n  Real i[{count}]({i});\n  Real u[{count}]({u});\n");
    let mut equations = String::from("  v[1] = 0;\n");
    let mut sums = vec![String::new(); nodes];
    for (b, Branch { kind, from, to, .. }) in circuit.branches.iter().enumerate() {
        let n = b + 1;
        let _ = writeln!(equations, "  u[{n}] = v[{}] - v[{}];", from + 1, to + 1);
        let _ = write!(sums[*from], " + i[{n}]");
        let _ = write!(sums[*to], " - i[{n}]");
        let _ = match *kind {
            Kind::Resistor(r) => writeln!(equations, "  u[{n}] = {r}*i[{n}];"),
            Kind::Capacitor(c) => writeln!(equations, "  i[{n}] = {c}*der(u[{n}]);"),
            Kind::Inductor(l) => writeln!(equations, "  {l}*der(i[{n}]) = u[{n}];"),
            Kind::Voltage(wave) => writeln!(equations, "  u[{n}] = {};", wave.text()),
            Kind::Current(wave) => writeln!(equations, "  i[{n}] = {};", wave.text()),
            Kind::Diode | Kind::Thyristor(..) => {
                let _ = writeln!(
                    text,
                    "  Real s{n}(start = 0); Boolean off{n}(start = {});",
                    *kind != Kind::Diode
                );
                let _ = match *kind {
                    Kind::Thyristor(from, to) => writeln!(
                        equations,
                        "  off{n} = s{n} < 0 or pre(off{n}) and not (time >= {from} and time < {to});"
                    ),
                    _ => writeln!(equations, "  off{n} = s{n} < 0;"),
                };
                let _ = writeln!(equations, "  u[{n}] = if off{n} then s{n} else 0;");
                writeln!(equations, "  i[{n}] = if off{n} then 0 else s{n};")
            }
            Kind::Switch(closed, t) => {
                let (first, second) = if closed { ("u", "i") } else { ("i", "u") };
                writeln!(equations, "  0 = if time < {t} then {first}[{n}] else {second}[{n}];")
            }
            Kind::Winding(ratio, other) if other > b => {
                let o = other + 1;
                writeln!(equations, "  u[{n}] = {ratio}*u[{o}];\n  {ratio}*i[{n}] + i[{o}] = 0;")
            }
            Kind::Winding(..) => Ok(()),
            Kind::Coil { own, mutual, other } => {
                writeln!(equations, "  u[{n}] = {own}*der(i[{n}]) + {mutual}*der(i[{}]);", other + 1)
            }
        };
    }
    for (node, sum) in sums.iter().enumerate().skip(1) {
        let _ = writeln!(equations, "  0 ={sum}; // node {}", node + 1);
    }
    format!("{text}equation\n{equations}end M;\n")
}

/// Voltages of capacitors and currents of inductors, by branch, at the times of comparison.
fn march(circuit: &Circuit, step: f64) -> Option<Vec<Vec<f64>>> {
    let (count, potentials) = (circuit.branches.len(), circuit.nodes - 1);
    let mut memory: Vec<f64> = circuit.branches.iter().map(|b| b.start).collect();
    let mut on = vec![false; count];
    let mut found = Vec::new();
    let steps = (TIMES[TIMES.len() - 1] / step).round() as usize;
    let marks: Vec<usize> = TIMES.iter().map(|t| (t / step).round() as usize).collect();
    let mut known: Vec<(Vec<bool>, Vec<Vec<f64>>)> = Vec::new();
    let mut impossible = 0;
    // The solution before thyristors are fired.
    let mut last = vec![0.0; potentials + count];
    for k in 1..=steps {
        let t = k as f64 * step;
        let after = |instant: f64| t > instant + 0.5 * step;
        let mut may: Vec<bool> = Vec::with_capacity(count);
        for (b, branch) in circuit.branches.iter().enumerate() {
            may.push(match branch.kind {
                Kind::Diode => true,
                Kind::Thyristor(from, to) => on[b] || after(from) && !after(to),
                Kind::Switch(closed, instant) => {
                    on[b] = closed != after(instant);
                    false
                }
                _ => false,
            });
        }
        let rhs = right_side(circuit, &memory, step, t);
        let mut solved = None;
        for _ in 0..400 {
            let place = match known.iter().position(|(modes, _)| *modes == on) {
                Some(place) => place,
                None => {
                    known.push((on.clone(), inverse(matrix(circuit, &on, step))?));
                    known.len() - 1
                }
            };
            let x: Vec<f64> =
                known[place].1.iter().map(|row| row.iter().zip(&rhs).map(|(a, b)| a * b).sum()).collect();
            let wrong = circuit
                .branches
                .iter()
                .enumerate()
                .position(|(b, branch)| may[b] && (across(&x, branch) > 0.0) != on[b]);
            match wrong {
                Some(b) => on[b] = !on[b],
                None => {
                    solved = Some(x);
                    break;
                }
            }
        }
        let x = solved?;
        // A thyristor that is fired at zero, at rest or beside a closed switch, conducts or not by the last bit.
        let undecided = circuit.branches.iter().any(|branch| {
            let fired = |from| after(from) && t < from + 2.5 * step;
            matches!(branch.kind, Kind::Thyristor(from, _) if fired(from) && across(&last, branch).abs() < 1e-5)
        });
        if undecided && k > 2 {
            return None;
        }
        // Pulses last a step; what is huge for longer has no solution with ideal parts.
        let huge = circuit
            .branches
            .iter()
            .enumerate()
            .any(|(b, branch)| x[potentials + b].abs() > SHORT || across(&x, branch).abs() > OPEN);
        impossible = if huge { impossible + 1 } else { 0 };
        if impossible > 4 {
            return None;
        }
        for (b, branch) in circuit.branches.iter().enumerate() {
            match branch.kind {
                Kind::Capacitor(_) => memory[b] = across(&x, branch),
                Kind::Inductor(_) | Kind::Coil { .. } => memory[b] = x[potentials + b],
                _ => {}
            }
        }
        if marks.contains(&k) {
            found.push(memory.clone());
        }
        if !circuit
            .branches
            .iter()
            .any(|b| matches!(b.kind, Kind::Thyristor(from, _) if after(from) && t < from + 2.5 * step))
        {
            last = x;
        }
    }
    Some(found)
}

fn across(x: &[f64], branch: &Branch) -> f64 {
    let potential = |node: usize| if node == 0 { 0.0 } else { x[node - 1] };
    potential(branch.from) - potential(branch.to)
}

/// Rows: balances of the nodes without the ground, then an equation for each branch. Columns: potentials, currents.
fn matrix(circuit: &Circuit, on: &[bool], step: f64) -> Vec<Vec<f64>> {
    let potentials = circuit.nodes - 1;
    let size = potentials + circuit.branches.len();
    let mut a = vec![vec![0.0; size]; size];
    for (b, branch) in circuit.branches.iter().enumerate() {
        let row = potentials + b;
        for (node, sign) in [(branch.from, 1.0), (branch.to, -1.0)] {
            if node > 0 {
                a[node - 1][row] += sign;
            }
        }
        let voltage = |a: &mut Vec<Vec<f64>>, of: &Branch, factor: f64| {
            for (node, sign) in [(of.from, factor), (of.to, -factor)] {
                if node > 0 {
                    a[row][node - 1] += sign;
                }
            }
        };
        match branch.kind {
            Kind::Resistor(r) => {
                voltage(&mut a, branch, 1.0);
                a[row][row] -= r;
            }
            Kind::Capacitor(c) => {
                voltage(&mut a, branch, 1.0);
                a[row][row] -= step / c;
            }
            Kind::Inductor(l) => {
                voltage(&mut a, branch, -step / l);
                a[row][row] += 1.0;
            }
            Kind::Coil { own, mutual, other } => {
                voltage(&mut a, branch, -step);
                a[row][row] += own;
                a[row][potentials + other] += mutual;
            }
            Kind::Voltage(_) => voltage(&mut a, branch, 1.0),
            Kind::Current(_) => a[row][row] += 1.0,
            Kind::Diode | Kind::Thyristor(..) | Kind::Switch(..) if on[b] => {
                voltage(&mut a, branch, 1.0);
                a[row][row] -= 1.0 / ON;
            }
            Kind::Diode | Kind::Thyristor(..) | Kind::Switch(..) => {
                voltage(&mut a, branch, -OFF);
                a[row][row] += 1.0;
            }
            Kind::Winding(ratio, other) if other > b => {
                voltage(&mut a, branch, 1.0);
                voltage(&mut a, &circuit.branches[other], -ratio);
                a[potentials + other][row] += ratio;
                a[potentials + other][potentials + other] += 1.0;
            }
            Kind::Winding(..) => {}
        }
    }
    a
}

fn right_side(circuit: &Circuit, memory: &[f64], step: f64, t: f64) -> Vec<f64> {
    let mut rhs = vec![0.0; circuit.nodes - 1];
    for (b, branch) in circuit.branches.iter().enumerate() {
        rhs.push(match branch.kind {
            Kind::Capacitor(_) | Kind::Inductor(_) => memory[b],
            Kind::Coil { own, mutual, other } => own * memory[b] + mutual * memory[other],
            Kind::Voltage(wave) | Kind::Current(wave) => wave.at(t, step),
            _ => 0.0,
        });
    }
    rhs
}
