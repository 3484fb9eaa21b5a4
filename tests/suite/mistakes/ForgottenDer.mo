// compile:
// A missing `der`: the condition at the start is one too many, and the message asks for it.
model ForgottenDer
  Real x(start=1, fixed=true); //~ warning[initial-over-determined] `x = 1`
equation
  2*x = 1 - x;
end ForgottenDer;
