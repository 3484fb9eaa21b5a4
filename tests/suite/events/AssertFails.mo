// run: stop=3 ; check: x(1)=1±1e-6
model AssertFails
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  assert(x < 2, "x is too large"); //~ error[assertion-failed] x is too large
end AssertFails;
