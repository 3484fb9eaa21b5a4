// run: stop=6 tolerance=1e-8 ; check: first(1)=11 ; check: second(1)=10.3484815±1e-4 ; check: second(2)=-2 ; check: first(3)=-2.4456359±1e-4 ; check: second(6)=15.3894530±1e-4 ; check: even(6)=15.3894530±1e-4
model PipeThatTurns "What was sent comes out when the content has moved by the length; what has left does not come back"
  // The content that is at an end at time t entered at s with 2*sin(t) - 2*sin(s) = 1 there, or -1 here.
  Real x(start = 0, fixed = true), v = cos(time);
  Real first, second, even;
equation
  der(x) = 2*v;
  (first, second) = spatialDistribution(10 + time, -time, x, v >= 0, {0, 0.5, 1}, {3, 4, 7});
  (, even) = spatialDistribution(10 + time, -time, x, positiveVelocity = v >= 0);
end PipeThatTurns;
