// run: stop=1 ; check: y(0)=5±1e-9 ; check: y(end)=4±1e-9
// compile: ; print: causal
model ImplicitStart "Conditions `0 = ...` find parameters that are not fixed"
  parameter Real a(fixed = false), b(fixed = false);
  Real x(start = 0);
  Real y = a + x;
initial equation
  0 = a + b - 3;
  0 = a - b - 1;
  0 = x - 3*b;
equation
  der(x) = -b;
end ImplicitStart;
