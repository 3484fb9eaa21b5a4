// run: stop=2
model ZeroTimeLoop
  Real x(start = 0, fixed = true);
  Integer mode(start = 1, fixed = true); //~ error[zero-time-loop] runs in a circle of 2 evaluations
equation
  der(x) = if mode == 1 then 1 else -1;
  mode = if pre(mode) == 1 and x >= 1.0 then 2 else if pre(mode) == 2 and x >= 0.5 then 1 else pre(mode);
end ZeroTimeLoop;
