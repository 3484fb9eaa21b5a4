// run: stop=1
model StartsContradict "Two initial conditions for one state that disagree"
  Real x(start = 1, fixed = true); //~ error[initial-inconsistent] contradicts the others
initial equation
  x = 2;
equation
  der(x) = -x;
end StartsContradict;
