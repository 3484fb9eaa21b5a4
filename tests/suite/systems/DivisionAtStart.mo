// run: stop=1
model DivisionAtStart "A division by zero as the simulation begins"
  Real x(start = 0, fixed = true);
  Real y;
equation
  der(x) = 1;
  y = 1/x; //~ error[not-finite] `y` is
end DivisionAtStart;
