// run:
// A root of a negative number while the run goes on: equation, line and values are told.
model RootOfNegative
  Real x(start=1, fixed=true);
equation
  der(x) = -1 - sqrt(x); //~ error[not-finite] sqrt(x)
end RootOfNegative;
