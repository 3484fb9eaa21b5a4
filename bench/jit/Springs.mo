model Springs "Masses on stiffening springs: arithmetic only"
  parameter Integer n = 100;
  parameter Real k = 10, k3 = 3, d = 0.1;
  Real x[n](each start = 0.1, each fixed = true), v[n](each start = 0, each fixed = true);
  Real f[n + 1] "Force of each spring";
  Real e[n] "Energy of each mass and its spring";
equation
  f[1] = k*x[1] + k3*x[1]^3;
  for i in 2:n loop
    f[i] = k*(x[i] - x[i - 1]) + k3*(x[i] - x[i - 1])^3;
  end for;
  f[n + 1] = -k*x[n];
  for i in 1:n loop
    e[i] = 0.5*v[i]^2 + 0.5*k*x[i]^2 + 0.25*k3*x[i]^4;
    der(x[i]) = v[i];
    der(v[i]) = f[i + 1] - f[i] - d*v[i]*(1 + 0.01*e[i]);
  end for;
end Springs;
