// run: stop=3 tolerance=1e-6 method=bdf ; check: x(end)=-1.5±5e-3 ; check: y(end)=-0.2327±1e-3
model SteepSign "A sign made of an exponential that overflows has a value, but its derivative is no number"
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
  discrete Real d(start = 1, fixed = true) "Calls for new derivatives";
equation
  when sample(0.5, 0.5) then
    d = -pre(d);
  end when;
  der(x) = -1 + 0.5*(2/(1 + exp(-x/1e-3)) - 1);
  der(y) = d - y;
end SteepSign;
