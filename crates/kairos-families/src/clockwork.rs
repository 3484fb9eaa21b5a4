//! Automata that run beside each other with exact coincidences: counters with dyadic rates, thresholds and jumps.
//!
//! All numbers are multiples of 1/64, so that the answer is exact in floating point: events of several automata fall on the same
//! instant, and all guards are decided with the locations before it, round by round.

use crate::random::Random;
use crate::{Case, Expected};
use std::fmt::Write;

struct Edge {
    from: usize,
    to: usize,
    /// The own counter at least or at most this; `None` is a clock that is at least `threshold`.
    upwards: Option<bool>,
    threshold: f64,
    /// Another automaton has to be in this location.
    needs: Option<(usize, usize)>,
    /// The counter becomes this, or is moved by it.
    reset: Option<(bool, f64)>,
}

struct Counter {
    rates: Vec<f64>,
    edges: Vec<Edge>,
    start: f64,
}

/// Just past the last comparison: what happens later is nobody's business.
const STOP: f64 = 5.993;
const MOST: usize = 400;

pub fn case(random: &mut Random) -> Option<Case> {
    let count = random.below(1, 4);
    let locations: Vec<usize> = (0..count).map(|_| random.below(2, 4)).collect();
    let counters: Vec<Counter> = (0..count).map(|k| counter(random, k, &locations)).collect();
    let times = [0.9921875, 2.5078125, 4.2578125, 5.9921875];
    let found = march(&counters, &times)?;
    let mut expected = Vec::new();
    for (row, time) in found.iter().zip(times) {
        for (k, &(q, x)) in row.iter().enumerate() {
            expected.push(Expected { variable: format!("q{k}"), time, value: (q + 1) as f64, within: 1e-9 });
            expected.push(Expected { variable: format!("x{k}"), time, value: x, within: 1e-5 });
        }
    }
    Some(Case { text: text(&counters, random), stop: STOP, tolerance: 1e-8, expected, options: Vec::new() })
}

fn counter(random: &mut Random, own: usize, locations: &[usize]) -> Counter {
    let rate = |random: &mut Random| [-2.0, -1.0, -0.5, -0.25, 0.25, 0.5, 1.0, 2.0][random.below(0, 8)];
    let grid = |random: &mut Random, low: i64, high: i64| {
        (low + random.below(0, (high - low) as usize) as i64) as f64 / 8.0
    };
    let mut rates: Vec<f64> = (0..locations[own]).map(|_| rate(random)).collect();
    let start = grid(random, -8, 8);
    let mut edges = Vec::new();
    for from in 0..locations[own] {
        for _ in 0..random.below(1, 3) {
            let upwards = rates[from] > 0.0;
            let needs = (locations.len() > 1 && random.chance(0.4)).then(|| {
                let other = (own + random.below(1, locations.len())) % locations.len();
                (other, random.below(0, locations[other]))
            });
            let clock = random.chance(0.25);
            edges.push(Edge {
                from,
                to: (from + random.below(1, locations[own])) % locations[own],
                upwards: (!clock).then_some(upwards),
                threshold: if clock { grid(random, 2, 40) } else { grid(random, -8, 9) },
                needs,
                reset: random.chance(0.5).then(|| (random.chance(0.5), grid(random, -8, 9))),
            });
        }
    }
    if random.chance(0.2) {
        rates[0] = 0.0;
    }
    Counter { rates, edges, start }
}

/// Does an edge's guard hold at this instant, given the locations before it?
fn holds(edge: &Edge, own: usize, t: f64, q: &[usize], x: &[f64]) -> bool {
    let passed = match edge.upwards {
        None => t >= edge.threshold,
        Some(true) => x[own] >= edge.threshold,
        Some(false) => x[own] <= edge.threshold,
    };
    q[own] == edge.from && passed && edge.needs.is_none_or(|(other, there)| q[other] == there)
}

fn march(counters: &[Counter], times: &[f64]) -> Option<Vec<Vec<(usize, f64)>>> {
    let mut q = vec![0; counters.len()];
    let mut x: Vec<f64> = counters.iter().map(|c| c.start).collect();
    let mut held: Vec<Vec<bool>> = Vec::new();
    for (own, counter) in counters.iter().enumerate() {
        held.push(counter.edges.iter().map(|e| holds(e, own, 0.0, &q, &x)).collect());
    }
    // What holds at the start has no edge, and does not act.
    let mut found = Vec::new();
    let mut t = 0.0;
    let mut rounds = 0;
    for &time in times {
        while t < time {
            // The next instant at which a threshold is met.
            let mut next = time;
            for (own, counter) in counters.iter().enumerate() {
                let rate = counter.rates[q[own]];
                for edge in &counter.edges {
                    let at = match edge.upwards {
                        None => edge.threshold,
                        Some(_) if rate != 0.0 => t + (edge.threshold - x[own]) / rate,
                        Some(_) => continue,
                    };
                    if at > t && at < next {
                        next = at;
                    }
                }
            }
            for (own, counter) in counters.iter().enumerate() {
                x[own] += counter.rates[q[own]] * (next - t);
            }
            t = next;
            // A relation that holds up to this very instant holds or not in it, as round-off has it.
            let leaving = counters.iter().enumerate().any(|(own, counter)| {
                let rate = counter.rates[q[own]];
                counter.edges.iter().any(|edge| {
                    edge.upwards
                        .is_some_and(|up| x[own] == edge.threshold && (rate > 0.0) != up && rate != 0.0)
                })
            });
            loop {
                rounds += 1;
                if rounds > MOST {
                    return None;
                }
                let (before, places) = (q.clone(), x.clone());
                let mut acted = false;
                for (own, counter) in counters.iter().enumerate() {
                    let now: Vec<bool> =
                        counter.edges.iter().map(|e| holds(e, own, t, &before, &places)).collect();
                    let edge = (0..now.len()).find(|&k| now[k] && !held[own][k]);
                    if let Some(k) = edge {
                        if leaving {
                            return None;
                        }
                        let edge = &counter.edges[k];
                        q[own] = edge.to;
                        match edge.reset {
                            Some((true, value)) => x[own] = value,
                            Some((false, by)) => {
                                x[own] = places[own] + by;
                                // A sum meets a threshold only up to round-off, which decides otherwise.
                                let meets = |e: &Edge| e.upwards.is_some() && e.threshold == x[own];
                                if counter.edges.iter().any(meets) {
                                    return None;
                                }
                            }
                            None => {}
                        }
                        acted = true;
                    }
                    if now != held[own] {
                        held[own] = now;
                        acted = true;
                    }
                }
                if !acted {
                    break;
                }
            }
            if !dull(counters, &q, &x) {
                return None;
            }
        }
        found.push(q.iter().copied().zip(x.iter().copied()).collect());
    }
    Some(found)
}

/// On the grid, and no threshold is just touched: a relation that is true at one instant only depends on how it is written.
fn dull(counters: &[Counter], q: &[usize], x: &[f64]) -> bool {
    counters.iter().enumerate().all(|(own, counter)| {
        let rate = counter.rates[q[own]];
        (x[own] * 4096.0).fract() == 0.0
            && counter.edges.iter().all(|edge| match edge.upwards {
                Some(true) => x[own] != edge.threshold || rate > 0.0 || edge.from != q[own],
                Some(false) => x[own] != edge.threshold || rate < 0.0 || edge.from != q[own],
                None => true,
            })
    })
}

fn text(counters: &[Counter], random: &mut Random) -> String {
    let (mut text, mut equations, mut statements) = (String::from("model M\n"), String::new(), String::new());
    for (k, counter) in counters.iter().enumerate() {
        let _ = writeln!(text, "  Real x{k}(start = {}, fixed = true);", counter.start);
        let _ = writeln!(text, "  Integer q{k}(start = 1, fixed = true);");
        let rates: Vec<String> = counter.rates.iter().map(|r| r.to_string()).collect();
        match random.below(0, 3) {
            0 => {
                let _ = writeln!(text, "  parameter Real r{k}[:] = {{{}}};", rates.join(", "));
                let _ = writeln!(equations, "  der(x{k}) = r{k}[q{k}];");
            }
            1 => {
                let _ = write!(equations, "  der(x{k}) =");
                for (q, rate) in rates.iter().enumerate() {
                    let _ = match q + 1 == rates.len() {
                        true => writeln!(equations, " {rate};"),
                        false => write!(equations, " if q{k} == {} then {rate} else", q + 1),
                    };
                }
            }
            _ => {
                for (q, rate) in rates.iter().enumerate() {
                    let head = match q {
                        0 => format!("if q{k} <= 1 then"),
                        q if q + 1 == rates.len() => "else".into(),
                        q => format!("elseif q{k} == {} then", q + 1),
                    };
                    let _ = writeln!(equations, "  {head}\n    der(x{k}) = {rate};");
                }
                equations.push_str("  end if;\n");
            }
        }
        let guards: Vec<String> = counter.edges.iter().map(|e| guard(e, k, random)).collect();
        let jump = |edge: &Edge| match edge.reset {
            Some((true, value)) => format!("    reinit(x{k}, {value});\n"),
            Some((false, by)) => format!("    reinit(x{k}, pre(x{k}) + ({by}));\n"),
            None => String::new(),
        };
        if random.chance(0.5) {
            for (n, edge) in counter.edges.iter().enumerate() {
                let word = if n == 0 { "when" } else { "elsewhen" };
                let _ = write!(
                    equations,
                    "  {word} {} then\n    q{k} = {};\n{}",
                    guards[n],
                    edge.to + 1,
                    jump(edge)
                );
            }
            equations.push_str("  end when;\n");
        } else {
            let mut word = "when";
            for (n, guard) in guards.iter().enumerate() {
                let _ = writeln!(text, "  Boolean g{k}_{n};");
                let _ = writeln!(equations, "  g{k}_{n} = {guard};");
            }
            for (n, edge) in counter.edges.iter().enumerate() {
                // Every condition stands in the chain, so that the first one wins here as there.
                let body = jump(edge);
                let _ = write!(equations, "  {word} g{k}_{n} then\n    d{k} = pre(d{k}) + 1;\n{body}");
                let _ = write!(statements, "  {word} g{k}_{n} then\n    q{k} := {};\n", edge.to + 1);
                word = "elsewhen";
            }
            let _ = writeln!(text, "  Integer d{k}(start = 0, fixed = true);");
            equations.push_str("  end when;\n");
            statements.push_str("  end when;\n");
        }
    }
    if !statements.is_empty() {
        statements = format!("algorithm\n{statements}");
    }
    format!("{text}equation\n{equations}{statements}end M;\n")
}

fn guard(edge: &Edge, own: usize, random: &mut Random) -> String {
    let d = edge.threshold;
    let passed = match (edge.upwards, random.below(0, 3)) {
        (None, 0) => format!("time >= {d}"),
        (None, 1) => format!("not time < {d}"),
        (None, _) => format!("{d} <= time"),
        (Some(true), 0) => format!("x{own} >= {d}"),
        (Some(true), 1) => format!("not x{own} < {d}"),
        (Some(true), _) => format!("{d} - x{own} <= 0"),
        (Some(false), 0) => format!("x{own} <= {d}"),
        (Some(false), 1) => format!("not x{own} > {d}"),
        (Some(false), _) => format!("0 <= {d} - x{own}"),
    };
    let mut text = format!("pre(q{own}) == {} and {passed}", edge.from + 1);
    if let Some((other, there)) = edge.needs {
        let _ = write!(text, " and pre(q{other}) == {}", there + 1);
    }
    text
}
