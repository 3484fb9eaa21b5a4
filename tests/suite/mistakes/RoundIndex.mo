// compile:
// Round brackets as subscripts. The help has square ones.
model RoundIndex
  Real x[3] = {1, 2, 3};
  Real y = x(2); //~ error[not-a-function] `x` is not a function
end RoundIndex;
