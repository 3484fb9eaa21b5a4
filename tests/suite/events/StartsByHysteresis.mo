// run: stop=1 tolerance=1e-8 ; check: v(0.55)=0 ; check: v(0.8)=0.02±1e-8 ; check: v(1)=0.06±1e-8 ; effort: state_events=4
model StartsByHysteresis
  "A heavy block that gets going at the peak: what it needs to begin, it loses by beginning, and keeps through `pre`"
  // It starts where 2 t = 1.2 and then 4 v' = 2 t - 1: v = (t^2 - 0.36 - (t - 0.6))/4.
  parameter Real m = 4, peak = 1.2, f0 = 1;
  Real v(start = 0, fixed = true), a, f, sa;
  Boolean startForward(start = false, fixed = true), locked, stuck(start = true, fixed = true);
equation
  startForward = pre(stuck) and (sa > peak*f0 or pre(startForward) and sa > f0);
  locked = pre(stuck) and not startForward;
  a = if locked then 0 else sa - f0;
  f = if locked then sa else f0;
  stuck = locked or v <= 0;
  der(v) = a;
  m*a = 2*time - f;
end StartsByHysteresis;
