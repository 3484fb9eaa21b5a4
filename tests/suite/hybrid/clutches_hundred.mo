model clutches_hundred "A hundred inertias in a line: the first clutch slips, the others stick; then all turn as one"
  parameter Integer n = 100;
  Real w[n](each start = 0, each fixed = true), tau[n - 1], T;
equation
  T = if time < 1 then 50 else 0;
  der(w[1]) = T - tau[1];
  for k in 2:n - 1 loop
    der(w[k]) = tau[k - 1] - tau[k];
  end for;
  der(w[n]) = tau[n - 1];
  for k in 1:n - 1 loop
    tau[k] = if w[k] - w[k + 1] > 0 then 2 else -2;
  end for;
end clutches_hundred;
