model Robertson "Three chemical species as a DAE: two rates and the conservation of mass"
  Real a(start = 1, fixed = true, nominal = 1e-3);
  Real b(start = 0, fixed = true, nominal = 1e-6);
  Real c;
equation
  der(a) = -0.04*a + 1e4*b*c;
  der(b) = 0.04*a - 1e4*b*c - 3e7*b^2;
  a + b + c = 1;
  annotation(experiment(StopTime = 4e6));
end Robertson;
