// run: stop=3 tolerance=1e-9 ; check: q(3)=3±1e-8 ; check: c(3)=6±1e-8 ; check: r(2.5)=0.5±1e-9 ; check: k(2.5)=2 ; check: n(2.5)=2 ; effort: state_events=3
model WholeRates "A derivative may be a whole number, and one whole number may be asked for as Real and as Integer"
  // Over three seconds the floors are 0, 1, 2 and the ceilings 1, 2, 3.
  Real x(start = 0, fixed = true), q(start = 0, fixed = true), c(start = 0, fixed = true), r;
  Integer k, n;
equation
  der(x) = 1;
  der(q) = floor(x);
  der(c) = ceil(x);
  r = rem(x, 1);
  k = integer(x);
  n = integer(div(x, 1));
end WholeRates;
