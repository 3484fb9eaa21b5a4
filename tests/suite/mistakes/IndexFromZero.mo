// compile:
// Counting from zero. The message has the bounds.
model IndexFromZero
  Real x[3] = {1, 2, 3};
  Real y = x[0]; //~ error[bad-subscript] outside 1:3
end IndexFromZero;
