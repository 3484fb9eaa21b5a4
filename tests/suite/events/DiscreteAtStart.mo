// run: stop=1.5 ; check: a(0)=1±1e-9 ; check: a(1.5)=2±1e-9 ; check: b(0)=2±1e-9 ; check: c(0)=3 ; check: x(0)=1±1e-12 ; check: np(0)=1.1±1e-12 ; check: on(0)=1 ; check: t2(0.5)=1±1e-12 ; check: t2(1.25)=2±1e-9 ; check: first(0.1)=0.25 ; check: w(0)=4±1e-12 ; check: e(0)=8±1e-12
model DiscreteAtStart "An initial equation of a discrete variable gives that variable (MLS 8.6)"
  discrete Real a, b, c, t2, first, d(start = 4, fixed = true), e;
  Real u = 1 + time;
  Real y(start = 2, fixed = true), x(start = 1), np, z(start = 0, fixed = true), w;
  parameter Real s(fixed = false);
  Boolean on;
initial equation
  a = u;
  b = y;
  s = 3 + time;
  c = s;
  // Nothing is fixed: x keeps its start value and np follows.
  np = x + 0.1;
  on = u > 0.5;
  t2 = 1 + time;
  first = if cos(z) > 0 then 0.25 else -0.25;
  // The discrete one is given, so the equation finds the state.
  w = d;
  e - 2*w = 0;
equation
  der(y) = -y;
  der(x) = 1;
  der(z) = 1;
  der(w) = 0;
  when sample(1, 1) then
    a = u;
    b = y;
    c = time;
    on = u > 3;
    d = time;
    e = time;
  end when;
  when x >= pre(np) then
    np = x + 0.1;
  end when;
  when time >= pre(t2) then
    t2 = time + 1;
  end when;
  when time > pre(first) then
    first = time + 0.25;
  end when;
end DiscreteAtStart;
