//! Derivatives with respect to states, inputs and parameters: against closed forms, and against differences on all fixtures.

mod common;

use common::{Text, models_below, suite, within};
use kairos::{Access, Disk, Engine, Goal, Machine, Request, Trust, VarInfo, World};
use kairos_expr::Scalar;
use std::time::Duration;

fn machine(world: &dyn World, request: &Request) -> Option<Box<dyn Machine>> {
    let compiled = kairos::compile(world, request, Goal::Machine);
    let mut machine = compiled.machine?;
    machine.set_time(0.0);
    machine.initialise().ok()?;
    machine.outputs().ok()?;
    Some(machine)
}

fn slot(machine: &dyn Machine, name: &str) -> u32 {
    let found = machine.info().vars.iter().find(|var| var.name == name);
    found.unwrap_or_else(|| panic!("there is {name}")).slot
}

#[test]
fn derivatives_agree_with_closed_forms() {
    let text = "model M
        parameter Real k = 2; parameter Real k2 = k^2; parameter Real fixed = 3;
        input Real u(start = 0.5); input Real v(start = 2);
        Real x(start = 1, fixed = true); Real z(start = 0.3, fixed = true);
        Real y; Real a; Real b; output Real w; Real c = k2*fixed; Real f;
      function g input Real p; input Real q; output Real r; protected Real s = p; algorithm
        for j in 1:3 loop s := s*p + q; end for; r := sin(s); end g;
      equation
        der(x) = -k2*x + u*z;
        der(z) = y - z;
        y + y^3 = x*u;
        u*a + b = k; a - v*b = x;
        f = g(z, u);
        w = a*b + exp(-k*x) + f;
      end M;";
    for engine in [Engine::Interpreter, Engine::Jit] {
        let request = Request { file: Some(Text::NAME.into()), engine, ..Request::default() };
        let mut m = machine(&Text(text.into()), &request).expect("a model");
        let m = &mut *m;
        let knowns = ["x", "z", "u", "v", "k", "fixed"].map(|name| slot(m, name));
        let unknowns = ["der(x)", "der(z)", "w", "c"].map(|name| slot(m, name));
        let mut rows = [0.0; 24];
        assert!(m.partials(&knowns, &unknowns, &mut rows).expect("derivatives"), "they are exact");
        let (x, z, u, v, k) = (1.0_f64, 0.3_f64, 0.5_f64, 2.0_f64, 2.0_f64);
        let y = m.values()[slot(m, "y") as usize];
        let yx = u / (1.0 + 3.0 * y * y);
        let yu = x / (1.0 + 3.0 * y * y);
        // a = (k v + x) / (1 + u v), b = (k - u x) / (1 + u v).
        let d = 1.0 + u * v;
        let (a, b) = ((k * v + x) / d, (k - u * x) / d);
        let (ax, bx) = (1.0 / d, -u / d);
        let (au, bu) = (-a * v / d, (-x - b * v) / d);
        let (av, bv) = ((k - a * u) / d, -b * u / d);
        let (ak, bk) = (v / d, 1.0 / d);
        let s = ((z * z + u) * z + u) * z + u;
        let (sz, su) = (4.0 * z.powi(3) + 2.0 * u * z + u, z * z + z + 1.0);
        let e = (-k * x).exp();
        let expected = [
            [-k * k, yx, ax * b + a * bx - k * e, 0.0],
            [u, -1.0, s.cos() * sz, 0.0],
            [z, yu, au * b + a * bu + s.cos() * su, 0.0],
            [0.0, 0.0, av * b + a * bv, 0.0],
            [-2.0 * k * x, 0.0, ak * b + a * bk - x * e, 2.0 * k * 3.0],
            [0.0, 0.0, 0.0, k * k],
        ];
        for (known, row) in expected.iter().enumerate() {
            for (unknown, &expected) in row.iter().enumerate() {
                let found = rows[4 * known + unknown];
                assert!(
                    (found - expected).abs() < 1e-12,
                    "d{unknown}/d{known}: {found}, not {expected} ({engine:?})"
                );
            }
        }
        let structure = m.dependences(&knowns[..4], &unknowns).expect("a structure");
        assert_eq!(structure, [vec![0, 1, 2], vec![0, 1, 2], vec![0, 1, 2, 3], vec![]]);
        // A parameter that is set by itself follows no other any more.
        let k2 = slot(m, "k2");
        m.set(k2, kairos_machine::Given::Number(7.0));
        m.initialise().expect("a start");
        m.partials(&knowns[4..5], &unknowns, &mut rows[..4]).expect("derivatives");
        assert_eq!((rows[0], rows[3]), (0.0, 0.0));
    }
}

#[test]
fn derivatives_agree_with_differences_on_all_fixtures() {
    let (mut exact, mut compared, mut models, mut faults) = (0, 0, 0, String::new());
    for file in models_below(&suite()) {
        let text = std::fs::read_to_string(&file).expect("a fixture");
        if !text.starts_with("// run") || text.contains("//~ error") || text.contains("external=c") {
            continue;
        }
        let path = file.clone();
        let found = within(Duration::from_secs(60), move || {
            let access = Access::Run(Trust::Nobody);
            let request =
                Request { file: Some(path.to_string_lossy().into_owned()), access, ..Request::default() };
            machine(&Disk, &Request { engine: Engine::Interpreter, ..request }).map(|mut m| compare(&mut *m))
        });
        match found {
            Ok(Some((is_exact, count, wrong))) => {
                models += 1;
                exact += usize::from(is_exact);
                compared += count;
                for wrong in wrong {
                    faults.push_str(&format!("  {}: {wrong}\n", file.display()));
                }
            }
            Ok(None) => {}
            Err(fate) => faults.push_str(&format!("  {}: {fate}\n", file.display())),
        }
    }
    println!("slopes: {compared} derivatives of {models} models compared, exact in {exact}");
    assert!(models > 100 && compared > 2000 && 10 * exact > 8 * models, "{models} {compared} {exact}");
    assert!(faults.is_empty(), "derivatives that differ:\n{faults}");
}

/// States and inputs together, parameters one by one: one that is known would not follow another.
fn compare(m: &mut dyn Machine) -> (bool, usize, Vec<String>) {
    let info = m.info().clone();
    let real = |var: &&VarInfo| var.ty == Scalar::Real && !var.is_discrete;
    let mut moving: Vec<u32> = info.states.iter().take(12).copied().collect();
    moving.extend(info.vars.iter().filter(real).filter_map(|var| var.given));
    let parameters =
        info.vars.iter().filter(real).filter(|var| var.settable).take(6).map(|var| vec![var.slot]);
    let (mut exact, mut compared, mut wrong) = (true, 0, Vec::new());
    for knowns in std::iter::once(moving).chain(parameters) {
        let (is_exact, count, faults) = compare_for(m, &knowns);
        exact &= is_exact;
        compared += count;
        wrong.extend(faults);
    }
    (exact, compared, wrong)
}

/// Exact derivatives beside differences of two widths, whose own error their distance tells.
fn compare_for(m: &mut dyn Machine, knowns: &[u32]) -> (bool, usize, Vec<String>) {
    let info = m.info().clone();
    let real = |var: &&VarInfo| var.ty == Scalar::Real && !var.is_discrete;
    let shown = info.vars.iter().filter(real).filter(|var| !var.is_parameter()).take(30).map(|var| var.slot);
    let unknowns: Vec<u32> = info.derivatives.iter().take(12).copied().chain(shown).collect();
    let (n, count) = (unknowns.len(), knowns.len());
    let mut rows = vec![0.0; n * count];
    let mut wrong = Vec::new();
    let exact = match m.partials(knowns, &unknowns, &mut rows) {
        Ok(exact) => exact,
        Err(error) => return (false, 0, vec![error.fault().message.clone()]),
    };
    if !exact {
        return (false, 0, wrong);
    }
    let structure = m.dependences(knowns, &unknowns).expect("a structure");
    let mut compared = 0;
    for (k, &known) in knowns.iter().enumerate() {
        let at = |by: f64| {
            let mut probe = m.clone_machine();
            let value = probe.values()[known as usize] + by;
            match info.states.iter().position(|&slot| slot == known) {
                Some(state) => probe.set_state(state as u32, value),
                None => {
                    probe.set(known, kairos_machine::Given::Number(value));
                    probe.prepare_replay().ok()?;
                }
            }
            probe.outputs().ok()?;
            Some(unknowns.iter().map(|&slot| probe.values()[slot as usize]).collect::<Vec<f64>>())
        };
        let size = m.values()[known as usize].abs().max(1e-2);
        let slope = |h: f64| {
            let (up, down) = (at(h)?, at(-h)?);
            Some(up.iter().zip(&down).map(|(up, down)| (up - down) / (2.0 * h)).collect::<Vec<f64>>())
        };
        let (Some(wide), Some(narrow)) = (slope(1e-4 * size), slope(5e-5 * size)) else { continue };
        let (Some(here), Some(up), Some(down)) = (at(0.0), at(5e-5 * size), at(-5e-5 * size)) else {
            continue;
        };
        for j in 0..n {
            let (found, near) = (rows[n * k + j], (4.0 * narrow[j] - wide[j]) / 3.0);
            let noise = 1e-9 * (m.values()[unknowns[j] as usize].abs() / size + 1.0);
            let doubt = 3.0 * (wide[j] - narrow[j]).abs() + noise + 1e-7 * found.abs();
            let name = |slot: u32| {
                let var = info.vars.iter().find(|var| var.slot == slot);
                var.map_or(String::new(), |var| var.name.clone())
            };
            // Where a function bends, both widths tell different slopes; at a kink, both sides do.
            let kink = (up[j] + down[j] - 2.0 * here[j]).abs() / (5e-5 * size) > 1e-2 * (1.0 + found.abs());
            if doubt < 1e-3 * (1.0 + found.abs()) && !kink {
                compared += 1;
                if (found - near).abs() > doubt {
                    let (of, by) = (name(unknowns[j]), name(known));
                    wrong.push(format!("d {of} / d {by} is {found}, differences say {near}"));
                }
            }
            if found != 0.0 && !structure[j].contains(&(k as u32)) {
                wrong.push(format!("{} does not depend on {} by structure", name(unknowns[j]), name(known)));
            }
        }
    }
    (exact, compared, wrong)
}
