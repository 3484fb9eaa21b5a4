// compile:
// A sum of a mass and a length: both units and both declarations are shown.
model KilogramsAndMetres
  parameter Real m(unit="kg") = 1;
  parameter Real L(unit="m") = 2;
  Real F(unit="N");
equation
  F = m + L; //~ warning[unit-mismatch] adds `kg` and `m`
end KilogramsAndMetres;
