// run: stop=2 tolerance=1e-9 ; check: n(0.4)=0 ; check: n(0.6)=1 ; check: y(0.6)=0.5±1e-8 ; check: n(1.6)=2 ; check: dt(1.6)=1±1e-8 ; check: m(1.9)=1
// compile: ; print: flat
model EventClock "A clock that ticks when a condition becomes true, and every second tick of it"
  Real x(start = 0, fixed = true);
  Clock c = Clock(sin(6.283185307179586*(time - 0.5)) > 0);
  Real y(start = 0), dt(start = 0);
  Integer n(start = 0), m(start = 0), k(start = 0);
equation
  der(x) = 1;
  y = sample(x, c);
  dt = if firstTick(y) then 0.5 else interval(y);
  k = previous(k) + (if y >= 0 then 1 else 0);
  n = hold(k);
  m = hold(subSample(k, 2));
end EventClock;
