// run: stop=1 ; check: a.u[1](1)=2
model DisabledEnd "A connection to a disabled component is removed, whatever element its other end names (MLS 4.4.5)"
  connector RealInput = input Real;
  connector RealOutput = output Real;
  block Sum
    parameter Integer n;
    RealInput u[n];
  end Sum;
  block Source
    RealOutput y = 2;
  end Source;
  parameter Boolean both = false;
  Sum a(n = if both then 2 else 1);
  Source s;
  Source t if both;
  Sum c[if both then 2 else 1](each n = 1);
equation
  connect(s.y, a.u[1]);
  connect(a.u[2], t.y);
  connect(s.y, c[1].u[1]);
  connect(t.y, c[2].u[1]);
end DisabledEnd;
