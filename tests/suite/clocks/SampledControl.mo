// run: stop=1 tolerance=1e-9 ; check: x(0.1)=0.8±1e-9 ; check: x(0.95)=0.1207959552±1e-9 ; check: u(0.05)=-2±1e-9 ; check: u(0.95)=-0.268435456±1e-9
model SampledControl "A sampled controller holds its output over an interval, in which the plant moves on a line"
  // x = 0.8^i at tick i, u = -2*0.8^i until the next: 0.8^9*(1 - 2*0.05) in the middle of the tenth interval.
  Real x(start = 1, fixed = true), u;
  Real measured = sample(x, Clock(1, 10)), action(start = 0);
equation
  action = -2*measured;
  u = hold(action);
  der(x) = u;
end SampledControl;
