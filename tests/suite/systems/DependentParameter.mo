// run: stop=1 ; check: y(end)=1.5±1e-9
// compile: ; print: causal
model DependentParameter "The initial system finds a parameter through another one that depends on it"
  parameter Real c(fixed = false, start = 1);
  parameter Real d = 2*c;
  Real x(start = 3, fixed = true);
  Real y = c*time;
initial equation
  der(x) = 0;
equation
  der(x) = d - x;
end DependentParameter;
