// run: stop=1 tolerance=1e-9 ; check: v(end)=-0.8414709848078965±1e-7
model StateByRequest "`always` makes `v` a state although its derivative does not appear"
  Real x(start = 1, fixed = true);
  Real v(start = 0, fixed = true, stateSelect = StateSelect.always);
  Real p;
equation
  v = der(x);
  p = 2*v;
  der(p) = -2*x;
end StateByRequest;
