// run: stop=1 ; check: u(0)=3±1e-9 ; check: y(0)=3±1e-9 ; check: y(1)=3±1e-9
// compile: ; print: causal
model DecidedRelation "A relation of variables that turn out to be parameters chooses a branch: the other has no part in the start"
  block Value
    output Real y = v;
    input Real v;
  end Value;
  parameter Real T1 = 2, T2 = 1;
  Value a(v = T1), b(v = T2);
  Real x, y, u(start = 0);
  Real s(start = 0);
equation
  // A lead-lag, which passes its input where both times are the same.
  der(x) = (u - x)/T2;
  if abs(a.y - b.y) < 1e-15 then
    y = u;
  else
    y = x + T1*(u - x)/T2;
  end if;
  der(s) = 0;
  u = s;
initial equation
  der(x) = 0;
  y = 3;
end DecidedRelation;
