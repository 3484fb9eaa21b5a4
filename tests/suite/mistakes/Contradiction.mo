// run:
// Two start values that contradict each other.
model Contradiction
  Real x(start=1, fixed=true); //~ error[initial-inconsistent] contradicts
  Real y(start=3, fixed=true);
equation
  der(x) = -1;
  y = 2*x;
end Contradiction;
