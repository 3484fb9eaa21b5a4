// run: stop=1 ; check: b[1](0)=4±1e-9 ; check: b[2](0)=6±1e-9 ; check: c[1](1)=4±1e-7
model SteadyFrame "Steady states in a frame that turns out to stand still: a factor of zero determines nothing"
  parameter Real phase = 0.3, R = 0.5, L = 0.1;
  parameter Real v[2] = {2, 3};
  Real theta = phase, omega = der(theta), same = omega;
  // The sum of two currents is the third: three conditions for two states, which agree.
  Real a[2], b[2], c[2], u[2];
initial equation
  der(a) = {-omega*a[2], omega*a[1]};
  der(b) = {-same*b[2], same*b[1]};
  der(c) = {-omega*c[2], omega*c[1]};
equation
  a = b + c;
  L*der(b) + R*b = v - u;
  L*der(c) + R*c = v - u;
  L*der(a) + R*a = u + {4, 6};
end SteadyFrame;
