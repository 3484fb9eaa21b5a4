//! Bodies in a row as components with connectors, which meet without bouncing, stay together while they are pressed, and part when
//! they are pulled.
//!
//! A contact is written in four ways: by a location that when-clauses change, by a location that an equation with `pre` changes, by a path
//! parameter whose sign tells the gap from the force, and by the same with the roles of its signs exchanged. The answer is that of `contacts.rs`.

use crate::Case;
use crate::contacts::{Row, answered, row};
use crate::random::Random;
use std::fmt::Write;

pub fn case(random: &mut Random) -> Option<Case> {
    let row = row(random);
    let text = text(&row, random);
    answered(&row, text, |what, body| format!("b{}.{what}", body + 1))
}

fn text(row: &Row, random: &mut Random) -> String {
    let count = row.mass.len();
    let mut text = String::from(LIBRARY);
    let mut joints = String::new();
    text.push_str("model M\n");
    for body in 0..count {
        let [c, a, f, p] = row.force[body];
        let (n, x, v) = (body + 1, row.x[body], row.v[body]);
        let _ = writeln!(
            text,
            "  Body b{n}(m = {}, x(start = {x}, fixed = true), v(start = {v}, fixed = true));\n  Push p{n}(c = {c}, a = {a}, f = {f}, p = {p}, d = {});",
            row.mass[body], row.damping[body]
        );
        let _ = writeln!(joints, "  connect(p{n}.f1, b{n}.f1);");
    }
    for (k, (body, stiffness, rest)) in row.springs.iter().enumerate() {
        let _ = writeln!(text, "  Spring s{}(k = {stiffness}, rest = {rest});", k + 1);
        let _ = writeln!(joints, "  connect(s{}.f1, b{}.f1);", k + 1, body + 1);
    }
    let one_style = random.chance(0.5).then(|| random.below(0, 4));
    for k in 1..count {
        let class = ["ByClauses", "ByEquation", "ByPath", "ByOtherPath"]
            [one_style.unwrap_or_else(|| random.below(0, 4))];
        let _ = writeln!(text, "  {class} c{k};");
        let _ = writeln!(joints, "  connect(c{k}.f1, b{k}.f1);\n  connect(c{k}.f2, b{}.f1);", k + 1);
    }
    format!("{text}equation\n{joints}end M;\n")
}

/// The components. Forces flow into a component; a contact pushes its bodies apart.
const LIBRARY: &str = "connector Flange
  Real x;
  flow Real f;
end Flange;
model Body
  Flange f1;
  parameter Real m;
  Real x, v;
equation
  x = f1.x;
  v = der(x);
  m*der(v) = f1.f;
end Body;
model Push
  Flange f1;
  parameter Real c, a, f, p, d;
equation
  -f1.f = c + a*sin(f*time + p) - d*der(f1.x);
end Push;
model Spring
  Flange f1;
  parameter Real k, rest;
equation
  f1.f = k*(f1.x - rest);
end Spring;
partial model Contact
  Flange f1, f2;
  Real gap, force;
equation
  gap = f2.x - f1.x;
  f1.f = force;
  f2.f = -force;
end Contact;
model ByClauses
  extends Contact;
  Boolean closed(start = false, fixed = true);
  Real v = der(gap);
equation
  0 = if closed then v else force;
  when gap <= 0 and v < 0 then
    closed = true;
  elsewhen force < 0 then
    closed = false;
  end when;
end ByClauses;
model ByEquation
  extends Contact;
  Boolean open(start = true, fixed = true);
  Real v;
equation
  v = der(gap);
  if open then
    force = 0;
  else
    v = 0;
  end if;
  open = if pre(open) then not (gap <= 0 and v < 0) else force < 0;
end ByEquation;
model ByPath
  extends Contact;
  Real s(start = 1);
  Boolean off(start = true);
equation
  off = s > 0;
  gap = if off then s else 0;
  force = if off then 0 else -s;
end ByPath;
model ByOtherPath
  extends Contact;
  Real s(start = -1);
  Boolean on(start = false);
equation
  on = s >= 0;
  gap = if on then 0 else -s;
  force = if on then s else 0;
end ByOtherPath;
";
