// run: stop=1 ; check: a(0.55)=3±1e-9 ; check: b(0.55)=2±1e-9
// compile: ; print: flat
model ClockedLoop "Equations of a partition that determine their variables together, linear and not"
  Real u = if time < 0.45 then 1 else 5;
  Real s = sample(u, Clock(1, 10));
  Real p(start = 1), q(start = 1), a, b;
equation
  p + q = s;
  p*p - q*q = s;
  a = hold(p);
  b = hold(q);
end ClockedLoop;
