// run: stop=3 tolerance=1e-9 ; check: gap(end)=0±1e-6 ; check: gap(1.5)=0±1e-6 ; check: energy(end)=2.69±1e-5
model PendulumRound "A pendulum in Cartesian coordinates goes round: neither `x` nor `y` can be the state all the time"
  Real x(start = 0, fixed = true), y(start = -1);
  Real vx(start = 5, fixed = true), vy, force;
  Real energy = 0.5*(vx^2 + vy^2) + 9.81*y;
  Real phi(start = 0, fixed = true), w(start = 5, fixed = true);
  Real gap = abs(x - sin(phi)) + abs(y + cos(phi));
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -force*x;
  der(vy) = -force*y - 9.81;
  x^2 + y^2 = 1;
  der(phi) = w;
  der(w) = -9.81*sin(phi);
end PendulumRound;
