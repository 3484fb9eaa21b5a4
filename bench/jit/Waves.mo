model Waves "Coupled pendulums: one sine in each, as the friction has one exponential"
  parameter Integer n = 100;
  parameter Real k = 10, d = 0.1, g = 9.81;
  Real x[n](each start = 0.1, each fixed = true), v[n](each start = 0, each fixed = true);
  Real f[n + 1] "Force of each spring", w[n] "Friction", e[n] "Energy";
equation
  f[1] = k*x[1] + 0.3*x[1]^3 - 0.2*x[1]^5;
  for i in 2:n loop
    f[i] = k*(x[i] - x[i - 1]) + 0.3*(x[i] - x[i - 1])^3 - 0.2*(x[i] - x[i - 1])^5;
  end for;
  f[n + 1] = -k*x[n];
  for i in 1:n loop
    w[i] = d*v[i]*(1 + 0.5*v[i]^2/(1 + v[i]^2)) + (if v[i]^2 > 1 then 0.01*v[i] else 0.02*v[i]^3);
    e[i] = 0.5*v[i]^2 + 0.5*k*x[i]^2 + 0.25*w[i]^2/(2 + w[i]^2);
    der(x[i]) = v[i];
    der(v[i]) = f[i + 1] - f[i] - w[i]*(1 + 0.01*e[i]) - g*sin(x[i]);
  end for;
end Waves;
