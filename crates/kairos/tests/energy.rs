//! Energy is conserved: in random circuits and drive trains made of the library's parts, what the sources supply is
//! stored or lost.

mod common;

use common::run;
use kairos::{Request, RunRequest};
use std::fmt::Write;

/// A small generator of random numbers, so that every run tests the same models.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.below(1 << 20) as f64 / (1u64 << 20) as f64
    }
}

/// Declarations, equations and the terms of the balance, gathered part by part.
#[derive(Default)]
struct Model {
    declarations: String,
    equations: String,
    supplied: Vec<String>,
    lost: Vec<String>,
    stored: Vec<String>,
}

impl Model {
    fn part(&mut self, class: &str, name: &str, modifiers: &str) {
        let _ = writeln!(self.declarations, "  Kairos.{class} {name}({modifiers});");
    }

    fn connect(&mut self, a: &str, b: &str) {
        let _ = writeln!(self.equations, "  connect({a}, {b});");
    }

    fn text(&self, name: &str) -> String {
        let sum = |terms: &[String]| if terms.is_empty() { "0".to_string() } else { terms.join(" + ") };
        format!(
            "model {name}\n{}  Real supplied(start = 0, fixed = true), lost(start = 0, fixed = true), stored, at0, error;\n\
             initial equation\n  at0 = stored;\nequation\n  der(at0) = 0;\n{}  der(supplied) = {};\n  der(lost) = {};\n  stored = {};\n\
             \x20 error = supplied - lost - (stored - at0);\nend {name};\n",
            self.declarations,
            self.equations,
            sum(&self.supplied),
            sum(&self.lost),
            sum(&self.stored)
        )
    }
}

/// A tree of resistors keeps every node defined; capacitors go from different nodes to ground.
fn circuit(dice: &mut Dice) -> Model {
    let mut model = Model::default();
    let count = 3 + dice.below(4);
    model.part("Electrical.Basic.Ground", "ground", "");
    let mut places = vec!["ground.p".to_string()];
    for k in 1..=count {
        let (name, r) = (format!("r{k}"), dice.between(1.0, 20.0));
        model.part("Electrical.Basic.Resistor", &name, &format!("R = {r}"));
        let before = places[dice.below(places.len() as u64) as usize].clone();
        model.connect(&format!("{name}.n"), &before);
        model.lost.push(format!("{name}.lossPower"));
        places.push(format!("{name}.p"));
        if dice.below(2) == 0 {
            let (c, u) = (dice.between(0.01, 0.1), dice.between(-5.0, 5.0));
            model.part("Electrical.Basic.Capacitor", &format!("c{k}"), &format!("C = {c}, u(start = {u})"));
            model.connect(&format!("c{k}.p"), &format!("{name}.p"));
            model.connect(&format!("c{k}.n"), "ground.p");
            model.stored.push(format!("c{k}.C*c{k}.u^2/2"));
        }
    }
    for k in 0..1 + dice.below(4) {
        let a = places[dice.below(places.len() as u64) as usize].clone();
        let b = places[dice.below(places.len() as u64) as usize].clone();
        let name = format!("x{k}");
        match dice.below(5) {
            0 => {
                let (l, i) = (dice.between(0.05, 0.5), dice.between(-1.0, 1.0));
                model.part("Electrical.Basic.Inductor", &name, &format!("L = {l}, i(start = {i})"));
                model.stored.push(format!("{name}.L*{name}.i^2/2"));
            }
            1 => {
                let (i, f) = (dice.between(0.1, 2.0), dice.between(0.2, 2.0));
                model.part("Electrical.Sources.SineCurrent", &name, &format!("I = {i}, f = {f}"));
                model.supplied.push(format!("(-{name}.u*{name}.i)"));
            }
            2 => {
                let (v, f, r) = (dice.between(1.0, 10.0), dice.between(0.2, 2.0), dice.between(1.0, 5.0));
                model.part("Electrical.Sources.SineVoltage", &name, &format!("V = {v}, f = {f}"));
                model.part("Electrical.Basic.Resistor", &format!("{name}r"), &format!("R = {r}"));
                model.connect(&format!("{name}.n"), &format!("{name}r.p"));
                model.connect(&format!("{name}r.n"), &b);
                model.connect(&format!("{name}.p"), &a);
                model.supplied.push(format!("(-{name}.u*{name}.i)"));
                model.lost.push(format!("{name}r.lossPower"));
                continue;
            }
            3 => {
                let (knee, r) = (dice.between(0.0, 0.7), dice.between(0.1, 1.0));
                let modifiers = format!("Vknee = {knee}, Ron = {r}, Goff = 1e-4");
                model.part("Electrical.Ideal.Diode", &name, &modifiers);
                model.lost.push(format!("{name}.lossPower"));
            }
            _ => {
                let (n, r) = (dice.between(0.5, 4.0), dice.between(1.0, 9.0));
                model.part("Electrical.Basic.IdealTransformer", &name, &format!("n = {n}"));
                model.part("Electrical.Basic.Resistor", &format!("{name}r"), &format!("R = {r}"));
                model.connect(&format!("{name}.p1"), &a);
                model.connect(&format!("{name}.n1"), &b);
                model.connect(&format!("{name}.p2"), &format!("{name}r.p"));
                model.connect(&format!("{name}.n2"), "ground.p");
                model.connect(&format!("{name}r.n"), "ground.p");
                model.lost.push(format!("{name}r.lossPower"));
                continue;
            }
        }
        model.connect(&format!("{name}.p"), &a);
        model.connect(&format!("{name}.n"), &b);
    }
    model
}

/// A motor drives a chain of random links, each followed by an inertia.
fn drive_train(dice: &mut Dice) -> Model {
    let mut model = Model::default();
    let (tau, w) = (dice.between(5.0, 20.0), dice.between(0.5, 3.0));
    model.part("Mechanics.Rotational.Sources.Torque", "motor", &format!("tau = {tau}*sin({w}*time)"));
    model.supplied.push("motor.tau*der(motor.flange.phi)".into());
    let mut end = "motor.flange".to_string();
    let wheel = |model: &mut Model, dice: &mut Dice, k: u64, from: &str, free: bool| {
        let j = dice.between(0.1, 2.0);
        let start = if free { String::new() } else { ", phi(fixed = false), w(fixed = false)".to_string() };
        model.part("Mechanics.Rotational.Parts.Inertia", &format!("j{k}"), &format!("J = {j}{start}"));
        model.connect(from, &format!("j{k}.flange_a"));
        model.stored.push(format!("j{k}.J*j{k}.w^2/2"));
        format!("j{k}.flange_b")
    };
    end = wheel(&mut model, dice, 0, &end, true);
    for k in 1..=1 + dice.below(4) {
        let name = format!("x{k}");
        let parts = "Mechanics.Rotational.Parts";
        let (c, d) = (dice.between(5.0, 200.0), dice.between(0.1, 3.0));
        let ratio = dice.between(0.3, 4.0);
        let mut free = true;
        match dice.below(8) {
            0 => {
                model.part(&format!("{parts}.SpringDamper"), &name, &format!("c = {c}, d = {d}"));
                model.lost.push(format!("{name}.lossPower"));
                model.stored.push(format!("{name}.c*{name}.phi_rel^2/2"));
            }
            1 => {
                model.part(&format!("{parts}.Damper"), &name, &format!("d = {d}"));
                model.lost.push(format!("{name}.lossPower"));
            }
            2 => {
                model.part(&format!("{parts}.IdealGear"), &name, &format!("ratio = {ratio}"));
                free = false;
            }
            3 => {
                model.part(&format!("{parts}.LossyGear"), &name, &format!("ratio = {ratio}, eta = 0.9"));
                model.lost.push(format!("{name}.lossPower"));
                free = false;
            }
            4 => {
                let slip = dice.between(2.0, 10.0);
                model.part(&format!("{parts}.Clutch"), &name, &format!("tauMax = {slip}, u = 1, peak = 1.2"));
                model.lost.push(format!("{name}.lossPower"));
            }
            5 => {
                model.part(&format!("{parts}.Bearing"), &name, &format!("tau0 = {d}, peak = 1.1"));
                model.lost.push(format!("{name}.lossPower"));
                free = false;
            }
            6 => {
                model.part(&format!("{parts}.Belt"), &name, &format!("ra = 0.1, rb = {}", 0.1 * ratio));
                free = false;
            }
            _ => {
                let force = dice.between(20.0, 100.0);
                let modifiers = format!("ra = 0.1, rb = {}, c = 1e3, d = 50, fMax = {force}", 0.1 * ratio);
                model.part(&format!("{parts}.ElasticBelt"), &name, &modifiers);
                model.lost.push(format!("{name}.lossPower"));
                model.stored.push(format!("{name}.c*{name}.stretch^2/2"));
            }
        }
        model.connect(&end, &format!("{name}.flange_a"));
        end = wheel(&mut model, dice, k, &format!("{name}.flange_b"), free);
    }
    model
}

fn balance(kind: &str, make: fn(&mut Dice) -> Model, count: u64) {
    let folder = std::env::temp_dir().join(format!("kairos-energy-{kind}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("folder for models");
    let mut faults = String::new();
    for seed in 0..count {
        let name = format!("{kind}{seed}");
        let text = make(&mut Dice(seed * 7919 + 17)).text(&name);
        let file = folder.join(format!("{name}.mo"));
        std::fs::write(&file, &text).expect("model");
        let request = Request { file: Some(file.to_string_lossy().into_owned()), ..Request::default() };
        let wanted = RunRequest { stop: Some(5.0), tolerance: Some(1e-8), ..RunRequest::default() };
        let ran = run(&request, &wanted);
        if ran.failed() {
            let _ = writeln!(faults, "{name} failed: {}\n{text}", ran.said().trim());
            continue;
        }
        let greatest = |name: &str| {
            let column = ran.recorded.column(name).expect("column");
            column.iter().fold(0.0, |most: f64, (_, value)| most.max(value.abs()))
        };
        let scale = 1.0 + greatest("supplied") + greatest("stored") + greatest("lost");
        let error = greatest("error");
        if error.is_nan() || error > 1e-5 * scale {
            let _ = writeln!(faults, "{name}: energy differs by {error:e} of {scale}\n{text}");
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    assert!(faults.is_empty(), "{faults}");
}

#[test]
fn circuits_balance() {
    balance("circuit", circuit, 60);
}

#[test]
fn drive_trains_balance() {
    balance("train", drive_train, 60);
}
