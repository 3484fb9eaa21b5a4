// run:
// A missing `der` makes position and speed equal: their start values contradict each other.
model ForgottenDerAgain
  Real x(start=1, fixed=true); //~ warning[conflicting-start] are equal
  Real v(start=0, fixed=true);
equation
  x = v;
  der(v) = -x;
end ForgottenDerAgain;
