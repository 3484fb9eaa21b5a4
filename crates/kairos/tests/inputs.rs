//! Inputs of a model against closed forms: tables, functions of time, values given on the way.

mod common;

use common::{Recorded, Text};
use kairos::results::{Signal as Column, Source, Table};
use kairos::{Engine, Goal, Inputs, Request, RunRequest, Stopped, Streams};
use kairos_expr::Value;
use kairos_sim::{Nowhere, SimOptions, Simulation};

fn compiled(text: &str, engine: Engine) -> kairos::Compilation {
    let request = Request { file: Some(Text::NAME.into()), engine, ..Request::default() };
    let compiled = kairos::compile(&Text(text.into()), &request, Goal::Machine);
    let said = kairos::render_text(&compiled.diagnostics, &compiled.sources, false);
    assert!(compiled.diagnostics.is_empty(), "{said}");
    compiled
}

fn table(times: &[f64], columns: &[(&str, &[f64])]) -> Table {
    let column = |(index, (name, _)): (usize, &(&str, &[f64]))| {
        Column::new(*name, Source::Series { index, negated: false })
    };
    Table {
        time: times.to_vec(),
        signals: columns.iter().enumerate().map(column).collect(),
        series: columns.iter().map(|(_, values)| values.to_vec()).collect(),
    }
}

/// Runs with rows and without: what evaluates events in groups must not show. Gives the last values by name.
fn end(text: &str, inputs: &Inputs, stop: f64, check: &dyn Fn(&dyn Fn(&str) -> f64)) {
    for engine in [Engine::Interpreter, Engine::Jit] {
        let compiled = compiled(text, engine);
        let wanted = RunRequest {
            stop: Some(stop),
            tolerance: Some(1e-9),
            inputs: inputs.clone(),
            ..RunRequest::default()
        };
        let mut recorded = Recorded::default();
        let mut streams = Streams { table: Some(&mut recorded), ..Streams::default() };
        let finished = kairos::run(&compiled, &wanted, &mut streams).expect("a machine");
        let said = kairos::render_text(&finished.diagnostics, &compiled.sources, false);
        assert!(finished.diagnostics.is_empty(), "{said}");
        check(&|name| recorded.value(name, stop, stop).expect("a value"));
        let machine = compiled.machine.as_deref().expect("a machine").clone_machine();
        let machine = inputs.attach(machine, 0.0, &mut Vec::new());
        let options = wanted.options(&compiled.experiment);
        let mut simulation = Simulation::start(machine, options, Box::new(Nowhere)).expect("a start");
        simulation.advance_to(stop).expect("a run");
        let machine = simulation.look().expect("values");
        let value = |name: &str| {
            let var = machine.info().vars.iter().find(|var| var.name == name).expect("a variable");
            machine.values()[var.slot as usize] * if var.negated { -1.0 } else { 1.0 }
        };
        check(&value);
    }
}

#[track_caller]
fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-7 * expected.abs().max(1.0), "{found}, expected {expected}");
}

#[test]
fn tables_move_reals_and_set_the_others() {
    let text = "model M
      input Real u; input Boolean b; input Integer n;
      Real x(start=0, fixed=true); Integer c(start=0, fixed=true);
      discrete Real crossed(start=-1, fixed=true); discrete Real late(start=-1, fixed=true);
    equation
      der(x) = -x + u + (if b then 1 else 0) + n;
      when b then c = pre(c) + 1; elsewhen change(n) then c = pre(c) + 10; end when;
      when u > 0.5 then crossed = time; end when;
      when time > 0.3*n + 0.1 then late = time; end when;
    end M;";
    let rows = table(
        &[0.0, 0.25, 0.5, 0.5, 1.0],
        &[("u", &[0., 1., 1., 3., 3.]), ("b", &[0., 0., 1., 1., 0.]), ("n", &[0., 0., 0., 2., 5.])],
    );
    let inputs = Inputs::default().table("rows", rows, false);
    end(text, &inputs, 1.2, &|value| {
        // `u` goes up to one in a line, then stays; from 0.5 on the sum of what drives `x` is 6, from 1 on 8.
        let quarter = 4.0 * (-0.75 + (-0.25_f64).exp());
        let half = 1.0 + (quarter - 1.0) * (-0.25_f64).exp();
        let one = 6.0 + (half - 6.0) * (-0.5_f64).exp();
        near(value("x"), 8.0 + (one - 8.0) * (-0.2_f64).exp());
        near(value("crossed"), 0.125);
        assert_eq!((value("c"), value("n"), value("b")), (11.0, 5.0, 0.0));
        // True from 0.1 on for n = 0; with n = 2 from 0.7 on, with n = 5 no more.
        near(value("late"), 0.7);
    });
}

#[test]
fn functions_of_time_are_read_within_steps() {
    let text = "model M input Real u; input Real w; Real x(start=0, fixed=true); Real y(start=0, fixed=true);
      equation der(x) = u; der(y) = w*y + w; end M;";
    let inputs =
        Inputs::default().function("u", |t| 30.0 * (30.0 * t).cos(), &[]).function("w", |_| 2.0, &[]);
    end(text, &inputs, 1.0, &|value| {
        near(value("x"), 30.0_f64.sin());
        near(value("y"), 2.0_f64.exp() - 1.0);
    });
    // A square wave, by its jumps.
    let text = "model M input Real u; Real x(start=0, fixed=true); discrete Real before(start=7, fixed=true);
      equation der(x) = u; when u < 0 then before = pre(u); end when; end M;";
    let square = |t: f64| if (0.4..0.7).contains(&t) { -1.0 } else { 2.0 + t };
    let inputs = Inputs::default().function("u", square, &[0.7, 0.4]);
    end(text, &inputs, 1.0, &|value| {
        near(value("x"), 0.8 + 0.08 - 0.3 + 0.6 + (1.0 - 0.49) / 2.0);
        near(value("before"), 2.4);
    });
}

#[test]
fn short_pulses_are_not_stepped_over() {
    let text = "model M input Real u; Real x(start=1, fixed=true); equation der(x) = -1e-3*x + u; end M;";
    let rows = table(&[0.0, 500.0, 500.1, 500.2, 1000.0], &[("u", &[0., 0., 10., 0., 0.])]);
    end(text, &Inputs::default().table("rows", rows, false), 1000.0, &|value| {
        // A triangle of area one, at 500.1 but for a term of second order in its width.
        near(value("x"), (-1.0_f64).exp() + (-0.4999_f64).exp() * (1.0 + 1e-6 * 0.01 / 12.0));
    });
}

#[test]
fn events_that_only_discrete_variables_see_read_inputs() {
    let text = "model M input Real u; Real x(start=1, fixed=true); discrete Real sum(start=0, fixed=true);
        Integer ticks(start=0, fixed=true);
      equation der(x) = -x; when sample(0.1, 0.1) then sum = pre(sum) + u; ticks = pre(ticks) + 1; end when; end M;";
    let inputs = Inputs::default().function("u", |t| t * t, &[]);
    end(text, &inputs, 10.05, &|value| {
        let expected: f64 = (1..=100).map(|k| (f64::from(k) * 0.1).powi(2)).sum();
        near(value("sum"), expected);
        assert_eq!(value("ticks"), 100.0);
    });
}

#[test]
fn inputs_in_systems_that_are_solved_and_in_conditions() {
    let text = "model M input Real u; Real a; Real b; Real x(start=0, fixed=true); Real n;
      equation u*a + b = 2; a - u*b = u; n + n^3 = u; der(x) = a + b + (if u > 1 then 1 else -1); end M;";
    let inputs = Inputs::default().function("u", |t| t + t * t * t, &[]);
    end(text, &inputs, 1.0, &|value| {
        near(value("a"), (2.0 * 2.0 + 2.0) / 5.0);
        near(value("b"), (2.0 - 4.0) / 5.0);
        near(value("n"), 1.0);
    });
}

#[test]
fn parts_that_change_their_structure_read_inputs() {
    // A clutch closes at one second: the shafts jump to a common speed, and go on together.
    let text =
        "model M input Real u; parameter Real J1 = 2; parameter Real J2 = 1; Real w1(start=0, fixed=true);
        Real w2(start=0, fixed=true); Real tau; Boolean closed = time >= 1;
      equation J1*der(w1) = u - tau; J2*der(w2) = tau; if closed then w1 = w2; else tau = 0; end if; end M;";
    let inputs = Inputs::default().function("u", |t| 6.0 * t, &[]);
    end(text, &inputs, 2.0, &|value| {
        // 1.5 before, a third of it is lost to the other shaft; then 6 t over three.
        near(value("w1"), 1.0 + 3.0);
        near(value("w2"), 4.0);
        near(value("tau"), 4.0);
    });
}

#[test]
fn values_given_on_the_way_are_events() {
    let text = "model M input Real u(start=1); input Boolean go(start=false);
        Real x(start=0, fixed=true); Integer n(start=0, fixed=true); output Real y = 2*x + u;
      equation der(x) = u; when {go, u > 4} then n = pre(n) + 1; end when; end M;";
    for engine in [Engine::Interpreter, Engine::Jit] {
        let compiled = compiled(text, engine);
        let machine = compiled.machine.as_deref().expect("a machine").clone_machine();
        let slot = |name: &str| {
            let var = machine.info().vars.iter().find(|var| var.name == name).expect("a variable");
            (var.slot as usize, var.given)
        };
        let [(x, _), (n, _), (y, _), (_, u), (_, go)] = ["x", "n", "y", "u", "go"].map(slot);
        let (u, go) = (u.expect("an input"), go.expect("an input"));
        let mut sim = Simulation::start(machine.clone(), SimOptions::over(0.0, 10.0), Box::new(Nowhere))
            .expect("start");
        let mut expected = 0.0;
        for (k, value) in [1.0, -2.0, 5.0, 0.5].into_iter().enumerate() {
            if k > 0 {
                sim.give(u, Value::Real(value));
                sim.give(go, Value::Bool(k % 2 == 1));
                near(sim.look().expect("values").values()[y], 2.0 * expected + value);
            }
            assert_eq!(sim.advance_to(0.5 * (k + 1) as f64).expect("a step"), Stopped::Reached);
            expected += 0.5 * value;
            near(sim.look().expect("values").values()[x], expected);
        }
        // Both conditions of the clause rise, one after the other, and the first one again.
        assert_eq!(sim.look().expect("values").values()[n], 3.0);
        assert_eq!(sim.summary().time_events, 3);
    }
}

#[test]
fn values_set_before_the_run_stand() {
    let text = "model M input Real u(start=1); input Integer n(start=3); Real x(start=0, fixed=true);
      equation der(x) = u*n; end M;";
    let settings = vec![("u".to_string(), "2".to_string()), ("n".to_string(), "5".to_string())];
    let request = Request { file: Some(Text::NAME.into()), settings, ..Request::default() };
    let compiled = kairos::compile(&Text(text.into()), &request, Goal::Machine);
    assert!(compiled.diagnostics.is_empty());
    let mut recorded = Recorded::default();
    let mut streams = Streams { table: Some(&mut recorded), ..Streams::default() };
    kairos::run(&compiled, &RunRequest::default(), &mut streams).expect("a run");
    near(recorded.value("x", 1.0, 1.0).expect("a value"), 10.0);
}

#[test]
fn what_is_wrong_with_inputs_is_told() {
    let compiled = compiled(
        "model M input Real u; Real x(start=0, fixed=true); equation der(x) = u; end M;",
        Engine::Auto,
    );
    let told = |inputs: Inputs| {
        let machine = compiled.machine.as_deref().expect("a machine").clone_machine();
        let mut diagnostics = Vec::new();
        inputs.attach(machine, 0.0, &mut diagnostics);
        diagnostics.iter().map(|d| (d.code, d.message.clone())).collect::<Vec<_>>()
    };
    let other = Inputs::default().table("t.csv", table(&[0.0, 1.0], &[("v", &[0.0, 1.0])]), false);
    assert_eq!(told(other), [("wrong-input", "no column of `t.csv` has the name of an input".to_string())]);
    let hole = Inputs::default().table("t.csv", table(&[0.0, 1.0], &[("u", &[0.0, f64::NAN])]), false);
    assert_eq!(told(hole)[0].0, "wrong-input");
    assert_eq!(told(Inputs::default().function("x", |t| t, &[]))[0].0, "wrong-input");
    assert_eq!(told(Inputs::default().function("y", |t| t, &[]))[0].0, "unknown-variable");
}

/// What a look shows is of the present time, unknowns of nonlinear systems included, and the way on does not depend on it.
#[test]
fn a_look_shows_unknowns_of_systems() {
    let text = "model M Real y(start = 1); Real z(start = 0, fixed = true);
      equation y*y + 0.5*y = 2 + time; der(z) = y - z; end M;";
    let model = kairos::Model::from_text(text).expect("a model");
    let options = kairos::Options::default().stop(1.0);
    let (mut seen, mut blind) =
        (model.start(&options).expect("a run"), model.start(&options).expect("a run"));
    for k in 1..=7 {
        let time = f64::from(k) * 0.1;
        seen.run_to(time).expect("a step");
        blind.run_to(time).expect("a step");
        let exact = -0.25 + (0.0625 + 2.0 + time).sqrt();
        assert!((seen.get("y").expect("a value") - exact).abs() < 1e-9, "at {time}");
    }
    assert_eq!(seen.get("z").expect("a value").to_bits(), blind.get("z").expect("a value").to_bits());
}
