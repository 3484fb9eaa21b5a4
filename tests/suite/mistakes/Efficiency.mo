// run:
// A parameter above its maximum. Value and bound are told before the run.
model Efficiency
  parameter Real eta(min=0, max=1) = 1.5; //~ warning[out-of-range] above its maximum 1
  Real y = eta*time;
end Efficiency;
