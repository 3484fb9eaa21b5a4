// run: stop=1 ; check: n(end)=1±0
// run: stop=1 method=bdf ; check: n(end)=1±0
// run: stop=1 method=esdirk ; check: n(end)=1±0
// run: stop=1 method=rk4 step=0.1 ; check: n(end)=1±0
model EndsAtCrossing "What holds as the run ends, but for round-off, happens at its end"
  Real x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = 1;
  when x >= 1 then
    n = pre(n) + 1;
  end when;
end EndsAtCrossing;
