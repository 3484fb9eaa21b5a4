// run: stop=40.2 ; check: n(end)=80±0 ; check: late(end)=0±0 ; check: passed(end)=0±0 ; check: touched(end)=0±0
model SineMeetsTick "Crossings of functions of time that fall on ticks are one event with them"
  constant Real pi = 3.141592653589793;
  Integer n(start = 0, fixed = true) "zeros of the sine at 1/2, 1, 3/2, …";
  Integer m(start = 0, fixed = true), late(start = 0, fixed = true);
  Real limit(start = 0.5, fixed = true);
  Integer passed(start = 0, fixed = true), touched(start = 0, fixed = true);
equation
  when {sin(2*pi*time) <= 0, sin(2*pi*time) >= 0} then
    n = pre(n) + 1;
  end when;
  when sample(0.5, 0.5) then
    m = pre(m) + 1;
    late = pre(late) + (if n == m then 0 else 1);
  end when;
  // sin(pi/6) = 1/2 at t = 1, just when the limit is raised out of reach.
  when sample(1, 1) then
    limit = 2;
  end when;
  when sin(pi*time/6) > limit then
    passed = pre(passed) + 1;
  end when;
  when sin(pi*time/6) >= limit then
    touched = pre(touched) + 1;
  end when;
end SineMeetsTick;
