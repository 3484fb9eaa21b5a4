// run: stop=2
model SingularNonlinear "From time 1 on two equations are one, but for what they are equal to"
  Real a(start = 0.5), b(start = 0.5), x(start = 0, fixed = true);
equation
  der(x) = a;
  a^3 + b = 1 + 0.1*x;
  (if time < 1 then a - b else 2*a^3 + 2*b) = (if time < 1 then 0 else 3); //~ error[system-not-solved] leave
end SingularNonlinear;
