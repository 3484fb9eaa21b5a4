// compile:
// An equation too many. The one that determines nothing is shown.
model TooManyEquations //~ error[unbalanced-model] 2 equations for 1 unknown
  Real x;
equation
  x = 1;
  x = time; //~ error[structurally-singular] an equation determines no unknown
end TooManyEquations;
