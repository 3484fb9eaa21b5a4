// run:
// An equation without a solution. The equation and the point are shown.
model NoSolution
  Real x;
equation
  x^2 + 1 = 0; //~ error[system-not-solved] no solution
end NoSolution;
