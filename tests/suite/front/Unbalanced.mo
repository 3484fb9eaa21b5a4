// compile
model Unbalanced //~ error[unbalanced-model] 1 equation for 2 unknowns
  Real x, y; //~ error[structurally-singular] `y` not determined
equation
  x = time;
end Unbalanced;
