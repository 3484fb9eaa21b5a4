// run: stop=1 ; check: g(end)=12±1e-12 ; check: h(end)=6±1e-12
// compile: ; print: flat
model PartialDerivative "`function g = der(f, x)` (MLS 12.7.2)"
  function f
    input Real x;
    input Real y;
    output Real z;
  algorithm
    z := x^2*y;
  end f;
  function f_x = der(f, x);
  function f_xx = der(f, x, x);
  Real g = f_x(2, 3);
  Real h = f_xx(2, 3);
end PartialDerivative;
