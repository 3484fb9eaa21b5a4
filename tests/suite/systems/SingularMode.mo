// run: stop=2
model SingularMode "In one mode two equations say the same, and not even that: both and the condition are named"
  Real i, u;
  Boolean on = time >= 1;
equation
  (if on then 1 else 2)*i + u = 3; //~ error[system-not-solved] contradict each other by 2.000e0: `(if on then 1 else 2)*i + u = 3`, `i + u = 1` leave `i` open
  i + u = 1;
end SingularMode;
