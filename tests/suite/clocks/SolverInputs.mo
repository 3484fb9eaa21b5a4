// run: stop=1 ; check: a(0.95)=0.81±1e-14 ; check: b(0.95)=0.6561±1e-14 ; check: c(0.95)=0.2445±1e-14 ; check: d(0.95)=0.4±1e-14 ; check: e(0.95)=0.4166666666666667±1e-14
model SolverInputs "What the stages between two ticks see of time, of inputs that move and of inputs that do not"
  Clock base = Clock(1, 10);
  Clock middle = Clock(base, solverMethod = "ExplicitMidPoint2");
  Clock fourth = Clock(base, solverMethod = "ExplicitRungeKutta4");
  Real one = 1.0, square = time^2;
  Integer jump = if time >= 0.45 then 1 else 0;
  Real p(start = 0), q(start = 0), r(start = 0), s(start = 0), t(start = 0), a, b, c, d, e;
equation
  // The middle of each interval integrates 2 t exactly, Simpson's rule 4 t^3: 0.9^2 and 0.9^4 at the last tick.
  der(p) = 2*time*sample(one, middle);
  der(q) = 4*time^3*sample(one, fourth);
  // Half the sum of both ends: 0.1*(0.01*(1 + 4 + ... + 64) + 0.81/2) = 0.2445.
  der(r) = sample(square, middle);
  // The value of the last tick: four intervals begin with one.
  der(s) = sample(jump, middle);
  // The fourth stage sees this tick: the interval in which the input jumps counts a sixth.
  der(t) = sample(jump, fourth);
  a = hold(p);
  b = hold(q);
  c = hold(r);
  d = hold(s);
  e = hold(t);
end SolverInputs;
