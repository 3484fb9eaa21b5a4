// run: stop=2 ; check: a(1)=1±1e-9 ; check: y(end)=2±1e-6
model SingularInstant "At time 1 the factors are dependent, but the equations agree: what they leave open stays where it was"
  Real x(start = 0, fixed = true), y(start = 0, fixed = true), a, b;
equation
  der(x) = 1;
  der(y) = a;
  x*a + b = 1 + x;
  a + b = 2;
end SingularInstant;
