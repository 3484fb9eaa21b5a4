// run: stop=1 tolerance=1e-9 ; check: n(0.05)=0 ; check: n(0.15)=1 ; check: n(0.95)=9
model RotatingClock "The condition of a clock reads what its ticks hold"
  Real angle = 10*time;
  Real last, offset(start = 0);
  Integer n, k(start = 0);
  Clock c = Clock(angle - last >= 1);
equation
  offset = sample(angle, c);
  last = hold(offset);
  k = previous(k) + (if offset > 0 then 1 else 0);
  n = hold(k);
end RotatingClock;
