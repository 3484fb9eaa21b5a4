// compile:
// pi is not built in. The help says how to have it.
model Pi
  Real y = sin(2*pi*time); //~ error[unknown-name] `pi`
end Pi;
