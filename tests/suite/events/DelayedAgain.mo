// run: stop=3 tolerance=1e-9 ; check: x(3)=7.5±1e-8 ; check: r(3)=-0.16666666666666666±1e-7 ; check: w(2.5)=0.6502878401571168±1e-7
model DelayedAgain "Delays of delays, of a state that its own past drives, and of time alone"
  // Steps at 0.2, 0.6, ... come out 0.55 later: x = 6*3 - (0.75 + 1.15 + 1.55 + 1.95 + 2.35 + 2.75).
  // r' = -r(t - 1): 1 - t, then 1 - t + (t - 1)^2/2, then that minus (t - 2)^3/6.
  Integer k(start = 0, fixed = true);
  Real a = delay(k, 0.25), c = delay(a, 0.3), x(start = 0, fixed = true);
  Real r(start = 1, fixed = true), w = delay(sin(10*time), 1);
equation
  when sample(0.2, 0.4) then
    k = pre(k) + 1;
  end when;
  der(x) = c;
  der(r) = -delay(r, 1);
end DelayedAgain;
