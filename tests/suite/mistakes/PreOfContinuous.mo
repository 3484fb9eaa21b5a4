// compile:
// `pre` of a variable that moves, outside of `when` (MLS 3.7.5). It was taken without a word before.
model PreOfContinuous
  Real x(start=0, fixed=true);
  Real y;
equation
  der(x) = 1;
  y = pre(x); //~ error[pre-of-continuous] moves between events
end PreOfContinuous;
