// run: stop=1
// What: a state grows without bound. Where: its declaration. Way out: the sign, or an earlier end.
model WrongSign "A controller that drives the error up"
  Real e(start = 1, fixed = true); //~ error[step-too-small] `e` grows without bound
  parameter Real k(unit = "1/s") = 1e6;
equation
  der(e) = k*e;
end WrongSign;
