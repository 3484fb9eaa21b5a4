model DiscreteLoop "A loop of discrete equations that has no parts"
  function f input Real u; input Real w = 1; output Real y; algorithm y := -2.5; end f;
  parameter Real p = 0.1;
  parameter Integer n = 0;
  Real x(start = 1, fixed = true);
  Real y = pre(x);
  Real v[3] = fill(1.0, 3);
  discrete Real z(start = 0, fixed = true);
  Integer k(start = 0, fixed = true);
  Boolean b = (not (floor(1e10) > (if false then v[1] else 1e10)));
equation
  der(x) = (if pre(b) then pre(((x ^ y) * sign(0.1))) else ((size({time, 1, 2}, 1) / x) / f(v[1])));
  when (sum(-2.5 for i in 1:3) >= div(time, k)) then
    z = homotopy((min(x, 3) / k), v[end]);
    k = pre(k) + 1;
  end when;
end DiscreteLoop;
