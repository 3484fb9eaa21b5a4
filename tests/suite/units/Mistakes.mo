// compile:
// Two wrong sums, a wrong product, a misspelt unit, a wrong scale and a function that keeps the unit's power.
model Mistakes
  function square
    input Real u;
    output Real y;
  algorithm
    y := u*u;
  end square;
  parameter Real m(unit="kg") = 2;
  parameter Real L(unit="m") = 1;
  parameter Real R(unit="Ohms") = 3; //~ warning[unknown-unit] `Ohms` is no unit
  Real F(unit="N"), v(unit="m/s"), l(unit="m") = 2, t(unit="s") = 3;
  Real area(unit="m2") = square(L);
  Real volume(unit="m3") = square(L); //~ warning[unit-mismatch] `m3`
  Real p(unit="Pa") = q; //~ warning[unit-mismatch] `bar`
  Real q(unit="bar") = 1;
  Real k, z(unit="N");
  Real ratio, bent, share;
  parameter Real n = 1.5;
equation
  F = m + L; //~ warning[unit-mismatch] adds `kg` and `m`
  v = l*t; //~ warning[unit-mismatch] `m.s`
  z = k*L;
  k = m; //~ warning[unit-mismatch] `kg`
  ratio = l*L;
  bent = ratio^n; //~ warning[unit-mismatch] takes a number without unit, not `m2`
  share = (L*l - 1)*n; //~ warning[unit-mismatch] subtracts `m2` and `1`
end Mistakes;
