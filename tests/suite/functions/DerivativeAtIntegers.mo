// run: stop=1 ; check: v(1)=2±1e-9
// compile: ; print: flat
model DerivativeAtIntegers "Whole numbers given for an array of others do not change"
  function weigh
    input Real k;
    input Real v[3];
    output Real y;
  algorithm
    y := k*(v[1] + 2*v[2] + 3*v[3]);
    annotation(derivative = weigh_der);
  end weigh;

  function weigh_der
    input Real k;
    input Real v[3];
    input Real dk;
    input Real dv[3];
    output Real dy;
  algorithm
    dy := dk*(v[1] + 2*v[2] + 3*v[3]) + k*(dv[1] + 2*dv[2] + 3*dv[3]);
  end weigh_der;

  Real x(start = 1, fixed = true), y, v;
equation
  der(x) = 1;
  y = weigh(x, {0, 1, 0});
  v = der(y);
end DerivativeAtIntegers;
