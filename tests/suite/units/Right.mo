// compile:
// Nothing of this is a mistake: numbers, open units, curves that are one thing in one branch and another in the next.
model Right
  parameter Real c(unit="N/m") = 5;
  parameter Real stiffness = 5 "Its unit follows";
  parameter Real T0(unit="K") = 300;
  Real x(unit="m", start=1, fixed=true), v(unit="m/s", start=0, fixed=true);
  Real f(unit="N") = -c*x, g(unit="N") = stiffness*x;
  Real E(unit="J") = 0.5*m*v^2 + c*x^2/2;
  Real C(unit="degC") = T0 - 273.15;
  Real y(start=1, fixed=true), u, i(unit="A"), s;
  Real voltage(unit="V");
  parameter Real m(unit="kg") = 1;
  Real free(start=0, fixed=true), bent(start=1, fixed=true);
  parameter Real n = 1.5;
equation
  der(free) = 1 + free^2;
  der(bent) = -bent^n;
  der(x) = v;
  m*der(v) = f + 0*g;
  der(y) = -y;
  u = sin(2*time) + exp(-y);
  voltage = if s > 0 then s else 0;
  i = if s > 0 then 0 else s;
  s = u;
end Right;
