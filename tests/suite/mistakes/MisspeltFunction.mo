// compile:
// What: no such function. Where: the call. Way out: the nearest name.
model MisspeltFunction
  Real x = sine(time); //~ error[unknown-function] no function `sine`
  Real y = sin(time, 2); //~ error[argument-count] `sin` takes 1 argument, not 2
  Boolean b = time > 0.5;
  Real z = 2*b; //~ error[operand-types] cannot combine
end MisspeltFunction;
