// run: stop=1
// The same law said twice. What: one of many solutions is shown. Where: the equation. Way out: what to look for.
model SaidTwice "Ohm's law, solved for both"
  parameter Real R = 5;
  Real v = R*i; //~ warning[undetermined-values] `v` is not determined
  Real i = v/R;
end SaidTwice;
