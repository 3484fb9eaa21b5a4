model stack_fifty "Fifty blocks on each other: the lowest is pulled away below the others, which stick together"
  parameter Integer n = 50;
  Real v[n](each start = 0, each fixed = true), f[n], F;
equation
  F = if time < 1 then 400 else 0;
  f[1] = if v[1] > 0 then 0.1*10*n else -0.1*10*n;
  for k in 2:n loop
    f[k] = (if k == 2 then 0.2 else 0.3)*10*(n - k + 1)*(if v[k] - v[k - 1] > 0 then 1 else -1);
  end for;
  der(v[1]) = F - f[1] + f[2];
  for k in 2:n - 1 loop
    der(v[k]) = f[k + 1] - f[k];
  end for;
  der(v[n]) = -f[n];
end stack_fifty;
