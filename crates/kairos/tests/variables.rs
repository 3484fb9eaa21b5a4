//! What a compiled model says about its variables, as they are declared.

mod common;

use common::Text;
use kairos::{Attribute, Causality, Engine, Goal, Request, VarInfo, Variability};

const MODEL: &str = "model M
  block Gain
    input Real u;
    output Real y;
    parameter Real k(min = 0) = 2;
  equation
    y = k*u;
  end Gain;
  constant Integer n = 3;
  parameter Real limit(unit = \"m\") = 5 \"the most\";
  input Real u(min = -1, max = 1, start = 0.5);
  output Real y(max = limit, nominal = 10);
  Real x(start = 2*limit, fixed = true, unit = \"m\", displayUnit = \"mm\");
  Integer count(start = 7, fixed = true);
  Gain gain;
equation
  gain.u = u;
  der(x) = gain.y - x;
  y = x;
  when x < 1 then
    count = pre(count) + n;
  end when;
end M;
";

fn variables() -> Vec<VarInfo> {
    let request =
        Request { file: Some(Text::NAME.into()), engine: Engine::Interpreter, ..Request::default() };
    let compiled = kairos::compile(&Text(MODEL.into()), &request, Goal::Machine);
    assert!(!compiled.has_errors(), "{:?}", compiled.diagnostics);
    let machine = compiled.machine.expect("a machine");
    for var in &machine.info().vars {
        let line = MODEL[..var.span.start as usize].lines().count();
        let text = MODEL.lines().nth(line - 1).expect("a line");
        let last = var.name.trim_start_matches("der(").trim_end_matches(')').rsplit('.').next();
        assert!(text.contains(last.expect("a name")), "`{}` is declared in `{text}`", var.name);
    }
    machine.info().vars.clone()
}

#[test]
fn variables_say_what_was_declared() {
    let vars = variables();
    let var = |name: &str| vars.iter().find(|var| var.name == name).expect("a variable");
    let causalities: Vec<Causality> =
        ["u", "y", "x", "gain.u", "gain.y"].iter().map(|name| var(name).causality).collect();
    let expected =
        [Causality::Input, Causality::Output, Causality::Local, Causality::Local, Causality::Local];
    assert_eq!(causalities, expected);
    let variabilities: Vec<Variability> =
        ["n", "limit", "count", "x"].iter().map(|name| var(name).variability).collect();
    let expected =
        [Variability::Constant, Variability::Parameter, Variability::Discrete, Variability::Continuous];
    assert_eq!(variabilities, expected);
    let number = |value: f64| Some(Attribute::Number(value));
    let u = var("u");
    assert_eq!((u.min.clone(), u.max.clone(), u.start.clone()), (number(-1.0), number(1.0), number(0.5)));
    assert_eq!(var("y").max, Some(Attribute::Parameter(var("limit").slot)));
    assert_eq!((var("y").nominal.clone(), var("y").min.clone()), (number(10.0), None));
    assert_eq!(var("count").start, number(7.0));
    assert_eq!(var("gain.k").min, number(0.0));
    assert!(
        matches!(&var("x").start, Some(Attribute::Text(text)) if text.contains("limit")),
        "{:?}",
        var("x")
    );
    assert_eq!((var("x").unit.as_str(), var("x").display_unit.as_str()), ("m", "mm"));
    assert_eq!(var("limit").description, "the most");
}
