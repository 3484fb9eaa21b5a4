// compile:
// An equation too few. What is left open is shown.
model TooFewEquations //~ error[unbalanced-model] 1 equation for 2 unknowns
  Real x, y; //~ error[structurally-singular] not determined
equation
  x + y = 1;
end TooFewEquations;
