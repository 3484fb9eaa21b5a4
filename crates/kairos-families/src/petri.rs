//! Petri nets with priorities and delays, fed by periodic sources.
//!
//! The answer is a token game: at every instant tokens are taken in the order of priority, round by round, until nothing
//! can happen any more. Times are multiples of 1/16, so that arrivals and ends of delays coincide.

use crate::random::Random;
use crate::{Case, Expected};
use std::fmt::Write;

struct Transition {
    /// Places and how many tokens.
    takes: Vec<(usize, i64)>,
    gives: Vec<(usize, i64)>,
    /// Tokens come out after so much time, one lot at a time.
    delay: Option<f64>,
    /// No token may lie there.
    inhibited: Option<usize>,
}

struct Net {
    marking: Vec<i64>,
    transitions: Vec<Transition>,
    /// Place, first time, period.
    sources: Vec<(usize, f64, f64)>,
}

const STOP: f64 = 8.0;
const TIMES: [f64; 4] = [1.03, 2.97, 5.53, 7.97];

pub fn case(random: &mut Random) -> Option<Case> {
    let net = net(random);
    let found = play(&net)?;
    let mut expected = Vec::new();
    for ((marking, sums), time) in found.into_iter().zip(TIMES) {
        for (p, tokens) in marking.into_iter().enumerate() {
            expected.push(Expected { variable: format!("m{p}"), time, value: tokens as f64, within: 1e-9 });
        }
        expected.push(Expected { variable: "load".into(), time, value: sums, within: 1e-6 });
    }
    Some(Case { text: text(&net, random), stop: STOP, tolerance: 1e-8, expected, options: Vec::new() })
}

fn net(random: &mut Random) -> Net {
    let places = random.below(3, 9);
    // Sources fill the first places, resources lie in the last one; transitions lead onwards, or give resources back.
    let sources = (0..random.below(1, 3))
        .map(|k| (k, random.below(1, 12) as f64 / 16.0, random.below(4, 24) as f64 / 16.0))
        .collect::<Vec<_>>();
    let mut marking = vec![0; places];
    marking[places - 1] = random.below(1, 4) as i64;
    let mut transitions = Vec::new();
    for _ in 0..random.below(2, 9) {
        let from = random.below(0, places - 1);
        let mut takes = vec![(from, random.below(1, 3) as i64)];
        let resource = random.chance(0.3);
        if resource {
            takes.push((places - 1, 1));
        }
        let mut gives = Vec::new();
        if from + 1 < places - 1 {
            gives.push((random.below(from + 1, places - 1), random.below(1, 3) as i64));
        }
        if resource {
            gives.push((places - 1, 1));
        }
        let inhibited = random
            .chance(0.15)
            .then(|| random.below(0, places))
            .filter(|p| takes.iter().all(|(q, _)| q != p));
        let delay = (resource || random.chance(0.4)).then(|| random.below(1, 20) as f64 / 16.0);
        transitions.push(Transition { takes, gives, delay, inhibited });
    }
    Net { marking, transitions, sources }
}

/// Markings at the times of comparison, and the integral of all tokens in places.
fn play(net: &Net) -> Option<Vec<(Vec<i64>, f64)>> {
    let mut marking = net.marking.clone();
    let mut due: Vec<Option<f64>> = vec![None; net.transitions.len()];
    let mut ticks: Vec<f64> = net.sources.iter().map(|s| s.1).collect();
    let (mut found, mut sum, mut t) = (Vec::new(), 0.0, 0.0);
    for time in TIMES {
        loop {
            let next =
                ticks.iter().copied().chain(due.iter().flatten().copied()).fold(f64::INFINITY, f64::min);
            let until = f64::min(next, time);
            sum += (until - t) * marking.iter().sum::<i64>() as f64;
            t = until;
            if next > time {
                break;
            }
            let mut rounds = 0;
            loop {
                rounds += 1;
                if rounds > 60 {
                    return None;
                }
                let (before, busy) = (marking.clone(), due.clone());
                // Arrivals happen in the first round of an instant.
                for (tick, &(place, _, period)) in ticks.iter_mut().zip(&net.sources) {
                    if *tick <= t {
                        marking[place] += 1;
                        *tick += period;
                    }
                }
                let mut left = before.clone();
                for (k, transition) in net.transitions.iter().enumerate() {
                    if busy[k].is_some_and(|due| due <= t) {
                        due[k] = None;
                        transition.gives.iter().for_each(|&(p, n)| marking[p] += n);
                    }
                    let free = busy[k].is_none()
                        && transition.inhibited.is_none_or(|p| before[p] == 0)
                        && transition.takes.iter().all(|&(p, n)| left[p] >= n);
                    if !free {
                        continue;
                    }
                    for &(p, n) in &transition.takes {
                        left[p] -= n;
                        marking[p] -= n;
                    }
                    match transition.delay {
                        Some(delay) => due[k] = Some(t + delay),
                        None => transition.gives.iter().for_each(|&(p, n)| marking[p] += n),
                    }
                }
                if marking == before && due == busy {
                    break;
                }
            }
        }
        found.push((marking.clone(), sum));
    }
    Some(found)
}

fn text(net: &Net, random: &mut Random) -> String {
    let (mut text, mut equations) = (String::from("model M\n"), String::new());
    let places = net.marking.len();
    let mut changes: Vec<String> = vec![String::new(); places];
    for (p, tokens) in net.marking.iter().enumerate() {
        let _ = writeln!(text, "  Integer m{p}(start = {tokens}, fixed = true);");
    }
    for (k, &(place, first, period)) in net.sources.iter().enumerate() {
        let _ = writeln!(text, "  Boolean a{k} = sample({first}, {period});");
        let _ = write!(changes[place], " + (if a{k} then 1 else 0)");
    }
    let mut taken: Vec<String> = vec![String::new(); places];
    for (k, transition) in net.transitions.iter().enumerate() {
        let _ = writeln!(text, "  Boolean f{k}(start = false, fixed = true);");
        let mut enabled: Vec<String> =
            transition.takes.iter().map(|&(p, n)| format!("pre(m{p}){} >= {n}", taken[p])).collect();
        if let Some(p) = transition.inhibited {
            enabled.push(if random.chance(0.5) {
                format!("pre(m{p}) == 0")
            } else {
                format!("not pre(m{p}) > 0")
            });
        }
        let out = match transition.delay {
            None => format!("f{k}"),
            Some(delay) => {
                let _ = writeln!(
                    text,
                    "  Boolean b{k}(start = false, fixed = true), e{k}(start = false, fixed = true);\n  discrete Real d{k}(start = 0, fixed = true);"
                );
                enabled.push(format!("not pre(b{k})"));
                let _ = writeln!(equations, "  e{k} = pre(b{k}) and time >= pre(d{k});");
                let _ = writeln!(equations, "  b{k} = f{k} or pre(b{k}) and not e{k};");
                let _ = writeln!(equations, "  when f{k} then\n    d{k} = time + {delay};\n  end when;");
                format!("e{k}")
            }
        };
        let _ = writeln!(equations, "  f{k} = {};", enabled.join(" and "));
        for &(p, n) in &transition.takes {
            let _ = write!(taken[p], " - (if f{k} then {n} else 0)");
            let _ = write!(changes[p], " - (if f{k} then {n} else 0)");
        }
        for &(p, n) in &transition.gives {
            let _ = write!(changes[p], " + (if {out} then {n} else 0)");
        }
    }
    for (p, change) in changes.iter().enumerate() {
        let _ = writeln!(equations, "  m{p} = pre(m{p}){change};");
    }
    let all: Vec<String> = (0..places).map(|p| format!("m{p}")).collect();
    let _ = writeln!(text, "  Real load(start = 0, fixed = true);");
    let _ = writeln!(equations, "  der(load) = {};", all.join(" + "));
    format!("{text}equation\n{equations}end M;\n")
}
