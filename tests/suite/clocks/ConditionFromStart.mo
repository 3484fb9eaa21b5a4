// run: stop=1 tolerance=1e-9 ; check: n(0.3)=1 ; check: n(0.6)=1 ; check: n(0.9)=2 ; check: y(0.3)=5±1e-9 ; check: y(0.9)=5.7±1e-8
// The clock ticks when `edge(pre(condition))` becomes true (MLS 16.3). `pre(condition)` is false before the start, so a condition
// that holds there ticks at the first event: n counts the ticks at 0 and 0.7.
model ConditionFromStart
  Clock c = Clock(time < 0.5 or time > 0.7);
  Real x(start = 5, fixed = true);
  Real s, y;
  Integer k(start = 0), n;
equation
  der(x) = 1;
  s = sample(x, c);
  y = hold(s);
  k = previous(k) + (if s > 0 then 1 else 0);
  n = hold(k);
end ConditionFromStart;
