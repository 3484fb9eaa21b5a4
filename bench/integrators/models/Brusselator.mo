model Brusselator "Two reacting and diffusing species on a periodic grid of 32 by 32 cells"
  constant Integer n = 32;
  parameter Real d = 0.02*n^2;
  Real u[n, n](start = {{22*((j - 1)/n)*(1 - (j - 1)/n)^1.5 for j in 1:n} for i in 1:n}, each fixed = true);
  Real v[n, n](start = {{27*((i - 1)/n)*(1 - (i - 1)/n)^1.5 for j in 1:n} for i in 1:n}, each fixed = true);
equation
  for i in 1:n loop
    for j in 1:n loop
      der(u[i, j]) = 1 + u[i, j]^2*v[i, j] - 4.4*u[i, j] + d*(u[mod(i, n) + 1, j] + u[mod(i - 2, n) + 1, j]
        + u[i, mod(j, n) + 1] + u[i, mod(j - 2, n) + 1] - 4*u[i, j]);
      der(v[i, j]) = 3.4*u[i, j] - u[i, j]^2*v[i, j] + d*(v[mod(i, n) + 1, j] + v[mod(i - 2, n) + 1, j]
        + v[i, mod(j, n) + 1] + v[i, mod(j - 2, n) + 1] - 4*v[i, j]);
    end for;
  end for;
  annotation(experiment(StopTime = 10));
end Brusselator;
