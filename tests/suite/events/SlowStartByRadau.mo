// run: stop=3 method=radau tolerance=1e-9 ; check: v(1)=-0.06568860053575423±1e-7 ; check: v(1.9)=0.08791331424143245±1e-7 ; check: v(2.5)=-0.045443174023268376±1e-7 ; effort: state_events=11
model SlowStartByRadau "A block that leaves rest with no acceleration: between its stages a step must not run backwards"
  // Sliding from t0 on it is m v = (cos(4 t0 + 1) - cos(4 t + 1))/2 -+ f0 (t - t0) until that is zero; it slides from 0 to
  // 0.61881, 0.69627 to 1.41626, 1.48167 to 2.20166 and from 2.26707 on, where 2 sin(4 t + 1) exceeds f0.
  parameter Real f0 = 1.2, m = 2.7;
  Real v(start = 0, fixed = true), a, f, sa;
  Boolean forward(start = false, fixed = true), backward(start = false, fixed = true), locked;
  Integer mode(start = 0, fixed = true);
equation
  der(v) = a;
  m*a = 2*sin(4*time + 1) - f;
  forward = pre(mode) == 0 and sa > f0;
  backward = pre(mode) == 0 and sa < -f0;
  locked = not (pre(mode) <> 0 or forward or backward);
  a = if locked then 0 elseif pre(mode) == 1 or forward then sa - f0 else sa + f0;
  f = if locked then sa elseif pre(mode) == 1 or forward then f0 else -f0;
  mode = if (pre(mode) == 1 or forward) and v > 0 then 1 elseif (pre(mode) == -1 or backward) and v < 0 then -1 else 0;
end SlowStartByRadau;
