// compile:
// A parameter and a protected variable that nothing uses.
model Unused
  parameter Real forgotten = 3; //~ warning[unused-element] `forgotten`
  Real x(start=1, fixed=true);
protected
  Real aside = time; //~ warning[unused-element] `aside`
equation
  der(x) = -x;
end Unused;
