// run: stop=1 ; check: a(1)=6 ; check: b(1)=60 ; check: c(1)=11 ; check: d(1)=24 ; check: e(1)=7
// compile: ; print: flat
model DefaultsOfDefaults "A default may speak of inputs that have defaults themselves, in any order (MLS 12.4.1)"
  record Plan
    parameter Real total = share*n;
    parameter Real share = 2;
    parameter Integer n = size(places, 1);
    parameter Real places[:, 2] = [0, 0; 1, 0; 2, 0];
  end Plan;
  record Field
    parameter Real first = 5;
    parameter Plan plan = Plan();
  end Field;
  record Wide
    extends Field(plan = Plan(share = 20));
  end Wide;
  function f
    input Real x;
    input Real y = z + 1;
    input Real z = 2*w;
    input Real w = x;
    output Real r;
  algorithm
    r := x + 2*y;
  end f;
  function g "its own second input is not that of f"
    input Real u, v;
    output Real r;
  algorithm
    r := f(u) + v;
  end g;
  parameter Field field;
  parameter Wide wide;
  Real a = field.plan.total, b = wide.plan.total;
  // 1 + 2*(2*1 + 1) + 4
  Real c = g(1, 4);
  // 4 + 2*(2*4 + 1) + 2
  Real d = g(4, 2);
  Real e = f(1);
end DefaultsOfDefaults;
