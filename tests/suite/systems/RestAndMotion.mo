// run: stop=4 tolerance=1e-8 ; check: v[2](0.05)=0.01±1e-8 ; check: v[3](0.05)=0.01±1e-8 ; check: x[1](end)=0.44854725±1e-5 ; check: x[3](end)=0.1927241±1e-5 ; check: x[4](end)=1.93790391±1e-5 ; check: v[4](end)=-3.18301196±5e-5
model RestAndMotion "Four bodies, some at rest and some in motion at the start, and friction between them and with the ground"
  // What slides at the start cannot be stuck. Of what rests the second body leaves the ground, since 1.7 - 0.9 > 0.4, and takes
  // the third along: both accelerate with (1.7 - 0.9 - 0.4)/2, for which 0.9 + 0.2 < 1.3 is enough. Values at the end: the modes
  // that the friction laws allow, enumerated at every event, between them integrated with 1e-11.
  parameter Real limit[4] = {1.7, 1.3, 0.9, 0.4};
  Real x[4](each start = 0, each fixed = true), v[4](start = {0.3, 0, 0, -0.2}, each fixed = true);
  Real u[4] = {v[1] - v[2], v[2] - v[3], v[3] - v[4], v[2]}, f[4], s[4];
  Boolean forth[4], back[4];
equation
  for k in 4:-1:1 loop
    forth[k] = s[k] > 1;
    back[k] = s[k] < -1;
    u[k] = if forth[k] then s[k] - 1 else if back[k] then s[k] + 1 else 0;
    f[k] = limit[k]*(if forth[k] then 1 else if back[k] then -1 else s[k]);
  end for;
  der(x) = v;
  der(v[1]) = 6*sin(3*time) - 5*x[1] - f[1];
  der(v[2]) = f[1] - f[2] - f[4];
  der(v[3]) = f[2] - f[3];
  der(v[4]) = -4*sin(2*time) - 2*x[4] - 0.1*v[4] + f[3];
end RestAndMotion;
