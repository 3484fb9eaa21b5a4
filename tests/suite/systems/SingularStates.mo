// run: stop=1
model SingularStates "Factors that depend on a state are dependent from the start"
  Real x(start = 1, fixed = true), a, b;
equation
  der(x) = -x;
  x*a + b = 1; //~ error[system-not-solved] are singular and contradict each other by 1.000e0
  a + b = 2;
end SingularStates;
