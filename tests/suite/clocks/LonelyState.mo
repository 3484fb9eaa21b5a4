// run: ; check: x(end)=5.0±1e-9
// A discretised state that no equation reads, with an initial equation beside its fixed start value: x = 3 + 2*t.
model LonelyState
  Real u = sample(2.0, Clock(Clock(0.1), solverMethod = "ExplicitRungeKutta4"));
  Real x(start = 3, fixed = true);
  Real v;
initial equation
  x = 3;
equation
  der(x) = u;
  v = 2*u;
  annotation(experiment(StopTime = 1));
end LonelyState;
