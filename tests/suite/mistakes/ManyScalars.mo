// compile:
// An array that is no larger than an array may be, of more variables than a model may have.
model ManyScalars //~ error[too-large] more than 3000000 scalar variables
  Real x[3000, 3000] = fill(time, 3000, 3000);
end ManyScalars;
