//! Trains of wheels whose ratios jump: by time, by a shift at a speed, or by an exchange of constraints.
//!
//! The answer comes from the constraints written as a matrix: between shifts the multipliers follow from the differentiated
//! constraints, and at a shift momentum is conserved up to impulses along the constraints after it. Steps are extrapolated
//! (`flow.rs`).

use crate::flow::{Field, Guards, advance};
use crate::random::Random;
use crate::{Case, Expected};
use std::fmt::Write;

struct Gear {
    /// Wheel `k` turns as `ratio * wheel k+1`; the ratio before and after.
    ratios: [f64; 2],
    /// Shifts at this time, or where the last wheel's speed passes this.
    at: Result<f64, f64>,
}

struct Train {
    inertia: Vec<f64>,
    damping: Vec<f64>,
    /// Amplitude, frequency and constant of the torque.
    torque: Vec<[f64; 3]>,
    /// Spring to the ground of a wheel.
    springs: Vec<f64>,
    gears: Vec<Gear>,
    start: f64,
}

const TIMES: [f64; 4] = [0.47, 1.31, 2.23, 3.0];
const OFF: f64 = 1e-7;

pub fn case(random: &mut Random) -> Option<Case> {
    let train = train(random);
    let (plain, other) = (train.march(0.0)?, train.march(OFF)?);
    let tolerance = 1e-8;
    let mut expected = Vec::new();
    for (k, &time) in TIMES.iter().enumerate() {
        for (n, (w, y)) in plain[k].iter().zip(&other[k]).enumerate() {
            let growth = (w - y).abs() / OFF;
            let within = 1e3 * tolerance * (1.0 + w.abs()) * (1.0 + growth);
            if within > 0.02 {
                return None;
            }
            expected.push(Expected { variable: format!("w{n}"), time, value: *w, within });
        }
    }
    Some(Case { text: text(&train, random), stop: 3.0, tolerance, expected, options: Vec::new() })
}

fn train(random: &mut Random) -> Train {
    let wheels = random.below(2, 6);
    let shared = random.below(2, 28) as f64 / 10.0;
    let gears = (0..wheels - 1)
        .map(|_| {
            let ratio = |random: &mut Random| {
                let size = random.round(0.4, 3.5);
                if random.chance(0.25) { -size } else { size }
            };
            let at = match random.below(0, 4) {
                // Several at one instant.
                0 => Ok(shared),
                1 | 2 => Ok(random.below(2, 28) as f64 / 10.0),
                _ => Err(random.round(-2.0, 2.0)),
            };
            Gear { ratios: [ratio(random), ratio(random)], at }
        })
        .collect();
    Train {
        inertia: (0..wheels).map(|_| random.round(0.2, 3.0)).collect(),
        damping: (0..wheels).map(|_| if random.chance(0.5) { random.round(0.1, 1.0) } else { 0.0 }).collect(),
        torque: (0..wheels)
            .map(|_| [random.round(0.0, 3.0), random.round(0.5, 6.0), random.round(-2.0, 2.0)])
            .collect(),
        springs: (0..wheels)
            .map(|_| if random.chance(0.3) { random.round(1.0, 10.0) } else { 0.0 })
            .collect(),
        gears,
        start: random.round(-2.0, 2.0),
    }
}

impl Train {
    /// How each wheel turns where the last one turns once.
    fn shape(&self, second: &[bool]) -> Vec<f64> {
        let wheels = self.inertia.len();
        let mut shape = vec![1.0; wheels];
        for k in (0..wheels - 1).rev() {
            shape[k] = self.gears[k].ratios[usize::from(second[k])] * shape[k + 1];
        }
        shape
    }

    /// Speeds of all wheels at the times of comparison, from a start that is off by this.
    fn march(&self, off: f64) -> Option<Vec<Vec<f64>>> {
        let wheels = self.inertia.len();
        let mut second: Vec<bool> = self.gears.iter().map(|g| g.at.is_ok_and(|t| t <= 0.0)).collect();
        let start = self.start + off;
        for (second, gear) in second.iter_mut().zip(&self.gears) {
            // What holds at the start is no shift.
            if gear.at.is_err_and(|speed| (start - speed).abs() < 1e-3) {
                return None;
            }
            *second = gear.at.is_err_and(|speed| start > speed);
        }
        // Angles of all wheels, then the speed of the last.
        let mut x = vec![0.0; wheels];
        x.push(start);
        let (mut t, mut found, mut shifts) = (0.0, Vec::new(), 0);
        for end in TIMES {
            while t < end {
                let shape = self.shape(&second);
                let mass: f64 = shape.iter().zip(&self.inertia).map(|(s, j)| s * s * j).sum();
                let field: Field = &|t, x, slope| {
                    let mut push = 0.0;
                    for k in 0..wheels {
                        let speed = shape[k] * x[wheels];
                        slope[k] = speed;
                        let [amplitude, frequency, constant] = self.torque[k];
                        let torque = constant + amplitude * (frequency * t).sin();
                        push += shape[k] * (torque - self.damping[k] * speed - self.springs[k] * x[k]);
                    }
                    slope[wheels] = push / mass;
                };
                let guards: Guards = &|t, x, out| {
                    out.clear();
                    for (gear, &second) in self.gears.iter().zip(&second) {
                        out.push(match gear.at {
                            Ok(at) => {
                                if second {
                                    -1.0
                                } else {
                                    t - at
                                }
                            }
                            Err(speed) => {
                                if second {
                                    speed - x[wheels]
                                } else {
                                    x[wheels] - speed
                                }
                            }
                        });
                    }
                };
                // Planned shifts end a piece, so that none is searched for.
                let planned =
                    self.gears.iter().zip(&second).filter(|(_, s)| !**s).filter_map(|(g, _)| g.at.ok());
                let until = planned.filter(|&at| at > t).fold(end, f64::min);
                let reached = advance(field, guards, t, &x, until);
                (t, x) = (reached.t, reached.x);
                let mut next = second.clone();
                for (k, gear) in self.gears.iter().enumerate() {
                    match gear.at {
                        Ok(at) => next[k] = t >= at - 1e-12,
                        Err(_) => next[k] ^= reached.fired.contains(&k),
                    }
                }
                // A shift changes the speed, which may shift again.
                let mut rounds = 0;
                while next != second {
                    (rounds, shifts) = (rounds + 1, shifts + 1);
                    if rounds > 8 || shifts > 60 {
                        return None;
                    }
                    let (before, after) = (self.shape(&second), self.shape(&next));
                    let momentum: f64 =
                        (0..wheels).map(|k| after[k] * self.inertia[k] * before[k]).sum::<f64>() * x[wheels];
                    x[wheels] =
                        momentum / after.iter().zip(&self.inertia).map(|(s, j)| s * s * j).sum::<f64>();
                    second = next.clone();
                    for (k, gear) in self.gears.iter().enumerate() {
                        if let Err(speed) = gear.at {
                            if (x[wheels] - speed).abs() < 1e-4 {
                                return None;
                            }
                            next[k] = x[wheels] > speed;
                        }
                    }
                }
            }
            let shape = self.shape(&second);
            found.push(shape.iter().map(|s| s * x[wheels]).collect());
        }
        Some(found)
    }
}

fn text(train: &Train, random: &mut Random) -> String {
    let wheels = train.inertia.len();
    let (mut text, mut equations) = (String::from("model M\n"), String::new());
    let last = wheels - 1;
    for k in 0..wheels {
        let start =
            if k == last { format!("(start = {}, fixed = true)", train.start) } else { String::new() };
        let _ = writeln!(text, "  Real w{k}{start};");
        let [amplitude, frequency, constant] = train.torque[k];
        let mut push = format!("{constant} + {amplitude}*sin({frequency}*time)");
        if train.damping[k] != 0.0 {
            let _ = write!(push, " - {}*w{k}", train.damping[k]);
        }
        if train.springs[k] != 0.0 {
            let _ = writeln!(text, "  Real p{k}(start = 0, fixed = true);");
            let _ = writeln!(equations, "  der(p{k}) = w{k};");
            let _ = write!(push, " - {}*p{k}", train.springs[k]);
        }
        if k > 0 {
            let _ = write!(push, " + b{}", k - 1);
        }
        if k < last {
            let _ = write!(push, " - a{k}");
        }
        let _ = writeln!(equations, "  {}*der(w{k}) = {push};", train.inertia[k]);
    }
    for (k, gear) in train.gears.iter().enumerate() {
        let [first, second] = gear.ratios;
        let _ = writeln!(text, "  Real a{k}, b{k};");
        let condition = match (gear.at, random.below(0, 2)) {
            (Ok(at), 0) => format!("time >= {at}"),
            (Ok(at), _) => format!("not time < {at}"),
            (Err(speed), 0) => format!("w{last} > {speed}"),
            (Err(speed), _) => format!("not w{last} <= {speed}"),
        };
        let n = k + 1;
        let _ = match random.below(0, 5) {
            0 => {
                let _ = writeln!(text, "  Real r{k} = if {condition} then {second} else {first};");
                writeln!(equations, "  w{k} = r{k}*w{n};\n  b{k} = r{k}*a{k};")
            }
            1 => {
                let _ = writeln!(text, "  Boolean high{k} = {condition};");
                let _ = writeln!(
                    equations,
                    "  0 = if high{k} then w{k} - ({second})*w{n} else w{k} - ({first})*w{n};"
                );
                writeln!(equations, "  b{k} = if high{k} then ({second})*a{k} else ({first})*a{k};")
            }
            2 => {
                let _ = writeln!(text, "  Boolean high{k} = {condition};");
                writeln!(
                    equations,
                    "  if high{k} then\n    w{k} = ({second})*w{n};\n    b{k} = ({second})*a{k};\n  else\n    w{k} = ({first})*w{n};\n    b{k} = ({first})*a{k};\n  end if;"
                )
            }
            3 => {
                let _ = writeln!(text, "  parameter Real t{k}[2] = {{{first}, {second}}};");
                let _ = writeln!(text, "  Integer g{k} = if {condition} then 2 else 1;");
                writeln!(equations, "  w{k} = t{k}[g{k}]*w{n};\n  b{k} = t{k}[g{k}]*a{k};")
            }
            _ => {
                let _ = writeln!(text, "  Real r{k};");
                let _ = writeln!(equations, "  r{k} = if {condition} then {second} else {first};");
                // The same constraint from the other side.
                writeln!(equations, "  w{n} = w{k}/r{k};\n  a{k} = b{k}/r{k};")
            }
        };
    }
    format!("{text}equation\n{equations}end M;\n")
}
