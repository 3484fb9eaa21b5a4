//! Hybrid automata: locations with motions of their own, guards, and resets that are jumps of the state.
//!
//! The answer comes from extrapolated steps with halving for the instants (`flow.rs`), and once more from a start that is off by
//! little: where that matters much (a guard that is only touched, two guards at once) the case is dropped.

use crate::flow::{Field, Guards, advance};
use crate::random::Random;
use crate::{Case, Expected};
use std::fmt::Write;

/// What happens where a state passes a threshold upwards or downwards.
struct Edge {
    from: usize,
    to: usize,
    state: usize,
    upwards: bool,
    threshold: f64,
    /// State, factor and summand.
    resets: Vec<(usize, f64, f64)>,
}

struct Automaton {
    states: usize,
    /// By location and state: rate towards a goal, goal, coupling to the next state, wave amplitude, frequency.
    motion: Vec<Vec<[f64; 5]>>,
    edges: Vec<Edge>,
    start: Vec<f64>,
}

const TIMES: [f64; 4] = [0.93, 2.11, 3.37, 5.0];
/// More transitions than this are an accumulation or chatter.
const MOST: usize = 150;
/// How much the start of the second answer is off.
const OFF: f64 = 1e-7;

pub fn case(random: &mut Random) -> Option<Case> {
    let automaton = automaton(random);
    let tolerance = [1e-6, 1e-8, 1e-9][random.below(0, 3)];
    let text = text(&automaton, random);
    let plain = automaton.march(&automaton.start)?;
    let other: Vec<f64> = automaton.start.iter().map(|x| x + OFF).collect();
    let other = automaton.march(&other)?;
    let mut expected = Vec::new();
    for (k, &time) in TIMES.iter().enumerate() {
        if plain[k].0 != other[k].0 {
            return None;
        }
        expected.push(Expected { variable: "q".into(), time, value: (plain[k].0 + 1) as f64, within: 1e-9 });
        for (n, (x, y)) in plain[k].1.iter().zip(&other[k].1).enumerate() {
            let growth = (x - y).abs() / OFF;
            let within = tolerance * 200.0 * (1.0 + x.abs()) * (1.0 + growth);
            if within > 0.02 {
                return None;
            }
            expected.push(Expected { variable: format!("x{n}"), time, value: *x, within });
        }
    }
    Some(Case { text, stop: 5.0, tolerance, expected, options: Vec::new() })
}

fn automaton(random: &mut Random) -> Automaton {
    let states = random.below(1, 4);
    let locations = random.below(2, 5);
    let mut edges = Vec::new();
    let mut motion = Vec::new();
    for from in 0..locations {
        let mut rows: Vec<[f64; 5]> = (0..states)
            .map(|_| {
                let wave = if random.chance(0.3) { random.round(0.1, 1.0) } else { 0.0 };
                let coupling = if random.chance(0.5) { random.round(-0.3, 0.3) } else { 0.0 };
                [random.round(0.3, 4.0), random.round(-2.0, 2.0), coupling, wave, random.round(1.0, 6.0)]
            })
            .collect();
        let mut taken = Vec::new();
        for _ in 0..random.below(1, 3) {
            let state = random.below(0, states);
            if taken.contains(&state) {
                continue;
            }
            taken.push(state);
            let upwards = random.chance(0.5);
            let threshold = random.round(-0.8, 0.8);
            // Beyond the threshold lies the goal.
            let beyond = random.round(0.3, 2.0);
            rows[state][1] = ((threshold + if upwards { beyond } else { -beyond }) * 1e3).round() / 1e3;
            let to = if random.chance(0.15) { from } else { (from + random.below(1, locations)) % locations };
            let mut resets = Vec::new();
            for n in 0..states {
                if n == state && to == from {
                    // Back to the side from which it came.
                    let back = random.round(0.2, 1.0);
                    resets.push((
                        n,
                        0.0,
                        ((threshold + if upwards { -back } else { back }) * 1e3).round() / 1e3,
                    ));
                } else if random.chance(0.4) {
                    let factor = [0.0, 1.0, -1.0, 0.5, -0.5][random.below(0, 5)];
                    resets.push((n, factor, random.round(-0.7, 0.7)));
                }
            }
            edges.push(Edge { from, to, state, upwards, threshold, resets });
        }
        motion.push(rows);
    }
    // No guard of the first location holds at the start.
    let mut start: Vec<f64> = (0..states).map(|_| random.round(-1.0, 1.0)).collect();
    for edge in edges.iter().filter(|e| e.from == 0) {
        let away = random.round(0.1, 1.0);
        start[edge.state] = ((edge.threshold + if edge.upwards { -away } else { away }) * 1e3).round() / 1e3;
    }
    Automaton { states, motion, edges, start }
}

impl Edge {
    fn guard(&self, x: &[f64]) -> f64 {
        let over = x[self.state] - self.threshold;
        if self.upwards { over } else { -over }
    }
}

impl Automaton {
    fn field(&self, location: usize, t: f64, x: &[f64], slope: &mut [f64]) {
        for n in 0..self.states {
            let [rate, goal, coupling, wave, frequency] = self.motion[location][n];
            slope[n] =
                rate * (goal - x[n]) + coupling * x[(n + 1) % self.states] + wave * (frequency * t).sin();
        }
    }

    /// Location and states at the times of comparison.
    fn march(&self, start: &[f64]) -> Option<Vec<(usize, Vec<f64>)>> {
        let (mut t, mut x, mut q) = (0.0, start.to_vec(), 0);
        let mut found = Vec::new();
        let mut transitions = 0;
        for end in TIMES {
            while t < end {
                let field: Field = &|t, x, slope| self.field(q, t, x, slope);
                let here: Vec<&Edge> = self.edges.iter().filter(|e| e.from == q).collect();
                let guards: Guards = &|_, x, out| {
                    out.clear();
                    out.extend(here.iter().map(|e| e.guard(x)));
                };
                let reached = advance(field, guards, t, &x, end);
                (t, x) = (reached.t, reached.x);
                let Some(&first) = reached.fired.first() else { continue };
                if reached.fired.len() > 1 {
                    return None;
                }
                let mut edge = here[first];
                // A guard that holds when its location is entered acts at once.
                loop {
                    transitions += 1;
                    if transitions > MOST {
                        return None;
                    }
                    let before = x.clone();
                    for &(n, factor, summand) in &edge.resets {
                        x[n] = factor * before[n] + summand;
                    }
                    let stayed = edge.to == q;
                    q = edge.to;
                    let mut ready = self.edges.iter().filter(|e| e.from == q && e.guard(&x) > 0.0);
                    match ready.next() {
                        // What holds on without an edge of its condition does not act.
                        Some(_) if stayed => return None,
                        // Which of several acts depends on how the model is written.
                        Some(_) if ready.next().is_some() => return None,
                        Some(next) => edge = next,
                        None => break,
                    }
                }
            }
            found.push((q, x.clone()));
        }
        Some(found)
    }
}

fn text(automaton: &Automaton, random: &mut Random) -> String {
    let mut text = String::from("model M\n");
    for (n, start) in automaton.start.iter().enumerate() {
        let _ = writeln!(text, "  Real x{n}(start = {start}, fixed = true);");
    }
    let _ = writeln!(text, "  Integer q(start = 1, fixed = true);");
    let mut equations = String::new();
    motions(automaton, random, &mut equations);
    let guards: Vec<String> = automaton.edges.iter().map(|e| guard(e, random)).collect();
    let reset = |(n, factor, summand): &(usize, f64, f64)| match factor {
        0.0 => (format!("x{n}"), format!("{summand}")),
        factor => (format!("x{n}"), format!("{factor}*pre(x{n}) + ({summand})")),
    };
    match random.below(0, 4) {
        // One chain of clauses.
        0 => {
            for (k, edge) in automaton.edges.iter().enumerate() {
                let word = if k == 0 { "when" } else { "elsewhen" };
                let _ = writeln!(equations, "  {word} {} then\n    q = {};", guards[k], edge.to + 1);
                for r in &edge.resets {
                    let (name, value) = reset(r);
                    let _ = writeln!(equations, "    reinit({name}, {value});");
                }
            }
            equations.push_str("  end when;\n");
        }
        // Conditions have names, jumps are chosen by `if` within one clause.
        1 => {
            let names: Vec<String> = (0..guards.len()).map(|k| format!("g{k}")).collect();
            for (name, guard) in names.iter().zip(&guards) {
                let _ = writeln!(text, "  Boolean {name}(start = false) = {guard};");
            }
            let _ = writeln!(equations, "  when {{{}}} then", names.join(", "));
            for (k, edge) in automaton.edges.iter().enumerate() {
                let word = if k == 0 { "q = if" } else { "else if" };
                let _ = writeln!(equations, "    {word} {} then {}", names[k], edge.to + 1);
            }
            equations.push_str("    else pre(q);\n");
            for (k, edge) in automaton.edges.iter().enumerate() {
                let word = if k == 0 { "if" } else { "elseif" };
                let _ = writeln!(equations, "    {word} {} then", names[k]);
                for r in &edge.resets {
                    let (name, value) = reset(r);
                    let _ = writeln!(equations, "      reinit({name}, {value});");
                }
            }
            equations.push_str("    end if;\n  end when;\n");
        }
        // The location by an algorithm; jumps where it is entered or conditions act.
        2 => {
            let names: Vec<String> = (0..guards.len()).map(|k| format!("g{k}")).collect();
            for (name, guard) in names.iter().zip(&guards) {
                let _ = writeln!(text, "  Boolean {name}(start = false) = {guard};");
            }
            let mut word = "when";
            for (k, edge) in automaton.edges.iter().enumerate().filter(|(_, e)| !e.resets.is_empty()) {
                let _ = writeln!(equations, "  {word} {} then", names[k]);
                for r in &edge.resets {
                    let (name, value) = reset(r);
                    let _ = writeln!(equations, "    reinit({name}, {value});");
                }
                word = "elsewhen";
            }
            if word == "elsewhen" {
                equations.push_str("  end when;\n");
            }
            equations.push_str("algorithm\n");
            for (k, edge) in automaton.edges.iter().enumerate() {
                let _ =
                    writeln!(equations, "  when {} then\n    q := {};\n  end when;", names[k], edge.to + 1);
            }
        }
        // The location is an equation of its own; a clause for each state.
        _ => {
            let names: Vec<String> = (0..guards.len()).map(|k| format!("g{k}")).collect();
            for (name, guard) in names.iter().zip(&guards) {
                let _ = writeln!(text, "  Boolean {name}(start = false);");
                let _ = writeln!(equations, "  {name} = {guard};");
            }
            equations.push_str("  q = ");
            for (k, edge) in automaton.edges.iter().enumerate() {
                let _ = write!(equations, "if edge({}) then {} else ", names[k], edge.to + 1);
            }
            equations.push_str("pre(q);\n");
            for n in 0..automaton.states {
                let mut word = "when";
                for (k, edge) in automaton.edges.iter().enumerate() {
                    for r in edge.resets.iter().filter(|r| r.0 == n) {
                        let (name, value) = reset(r);
                        let _ =
                            writeln!(equations, "  {word} {} then\n    reinit({name}, {value});", names[k]);
                        word = "elsewhen";
                    }
                }
                if word == "elsewhen" {
                    equations.push_str("  end when;\n");
                }
            }
        }
    }
    format!("{text}equation\n{equations}end M;\n")
}

fn guard(edge: &Edge, random: &mut Random) -> String {
    let (x, d) = (format!("x{}", edge.state), edge.threshold);
    let relation = match (edge.upwards, random.below(0, 4)) {
        (true, 0) => format!("{x} > {d}"),
        (true, 1) => format!("{x} >= {d}"),
        (true, 2) => format!("not {x} < {d}"),
        (true, _) => format!("{d} - {x} <= 0"),
        (false, 0) => format!("{x} < {d}"),
        (false, 1) => format!("{x} <= {d}"),
        (false, 2) => format!("not {x} >= {d}"),
        (false, _) => format!("{x} - ({d}) < 0"),
    };
    format!("pre(q) == {} and {relation}", edge.from + 1)
}

fn motions(automaton: &Automaton, random: &mut Random, equations: &mut String) {
    let right = |location: usize, n: usize| {
        let [rate, goal, coupling, wave, frequency] = automaton.motion[location][n];
        let mut text = format!("{rate}*({goal} - x{n})");
        if coupling != 0.0 {
            let _ = write!(text, " + ({coupling})*x{}", (n + 1) % automaton.states);
        }
        if wave != 0.0 {
            let _ = write!(text, " + {wave}*sin({frequency}*time)");
        }
        text
    };
    let locations = automaton.motion.len();
    let as_equations = random.chance(0.4);
    if as_equations {
        for q in 0..locations {
            let head = match q {
                0 => "if q == 1 then".to_string(),
                q if q + 1 == locations => "else".to_string(),
                q => format!("elseif q == {} then", q + 1),
            };
            let _ = writeln!(equations, "  {head}");
            for n in 0..automaton.states {
                let _ = writeln!(equations, "    der(x{n}) = {};", right(q, n));
            }
        }
        equations.push_str("  end if;\n");
        return;
    }
    for n in 0..automaton.states {
        let _ = write!(equations, "  der(x{n}) =");
        for q in 0..locations {
            let _ = match q + 1 == locations {
                true => write!(equations, " {}", right(q, n)),
                false => write!(equations, " if q == {} then {} else", q + 1, right(q, n)),
            };
        }
        equations.push_str(";\n");
    }
}
