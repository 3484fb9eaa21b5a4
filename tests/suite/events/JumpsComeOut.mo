// run: stop=4 tolerance=1e-9 ; check: tj(4)=2±1e-9 ; check: q(4)=8±1e-7 ; check: s(3)=0.9092974268256817±1e-6 ; check: u(3.9)=-1 ; effort: state_events=1 time_events=5
model JumpsComeOut "What jumps into a pipe jumps out of it at an instant that is found, however fast the content moves"
  // The content moves by t^2/2; the inlet jumps where that is 1, and the outlet where it is 2, at t = 2.
  // The other moves by t/2, and jumps in at 0.7 and 1.1: out at 2.7 and 3.1.
  Real x(start = 0, fixed = true), v(start = 0, fixed = true), q(start = 0, fixed = true), y, s, u;
  discrete Real tj(start = 0, fixed = true);
equation
  der(v) = 1;
  der(x) = v;
  der(q) = y;
  (, y) = spatialDistribution(if x >= 1 then 3.0 else 1.0, 0, x, true, {0, 1}, {1, 1});
  (, s) = spatialDistribution(sin(time), 0, time, true, {0, 1}, {0, 0});
  (, u) = spatialDistribution(if time > 1.1 then -1.0 elseif time > 0.7 then 2.0 else 0.5, 0, time/2, true, {0, 1}, {0.5, 0.5});
  when y > 2 then
    tj = time;
  end when;
end JumpsComeOut;
