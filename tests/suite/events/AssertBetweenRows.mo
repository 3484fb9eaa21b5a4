// run: stop=10 interval=10 ; check: x(0)=0±1e-9
model AssertBetweenRows "The condition fails between the two rows of the result: x = sin(time) exceeds 0.9 four times"
  Real x(start = 0, fixed = true);
equation
  assert(x < 0.9, "x is too high"); //~ error[assertion-failed] x is too high
  der(x) = cos(time);
end AssertBetweenRows;
