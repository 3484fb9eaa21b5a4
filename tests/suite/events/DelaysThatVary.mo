// run: stop=4 tolerance=1e-9 ; check: y(2.5)=0.9974949866040544±1e-7 ; check: z(3)=0.850319789818452±1e-7 ; check: x(4)=3.111111111111111±1e-8 ; check: n(4)=1 ; effort: state_events=0 time_events=2
model DelaysThatVary "Smooth things come out as they went in, and a jump when the delay, not what it was before, has passed"
  // y = sin(t - 1), z = sin(t - 0.5 - t/8); the jump of 0.3 comes out where t - (0.5 + t/10) = 0.3, at 0.8/0.9.
  Real s(start = 0, fixed = true), y, z, d, x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(s) = cos(time);
  y = delay(s, 1);
  z = delay(s, 0.5 + time/8, 2);
  d = delay(if time > 0.3 then 1.0 else 0.0, 0.5 + 0.1*time, 2);
  der(x) = d;
  when d > 0.5 then
    n = pre(n) + 1;
  end when;
end DelaysThatVary;
