model Pleiades "Seven stars in a plane, not stiff, with close encounters"
  Real x[7](start = {3, 3, -1, -3, 2, -2, 2}, each fixed = true, each nominal = 1e-3);
  Real y[7](start = {3, -3, 2, 0, 0, -4, 4}, each fixed = true, each nominal = 1e-3);
  Real u[7](start = {0, 0, 0, 0, 0, 1.75, -1.5}, each fixed = true, each nominal = 1e-3);
  Real v[7](start = {0, 0, 0, -1.25, 1, 0, 0}, each fixed = true, each nominal = 1e-3);
equation
  for i in 1:7 loop
    der(x[i]) = u[i];
    der(y[i]) = v[i];
    der(u[i]) = sum(if i == j then 0 else j*(x[j] - x[i])/((x[i] - x[j])^2 + (y[i] - y[j])^2)^1.5 for j in 1:7);
    der(v[i]) = sum(if i == j then 0 else j*(y[j] - y[i])/((x[i] - x[j])^2 + (y[i] - y[j])^2)^1.5 for j in 1:7);
  end for;
  annotation(experiment(StopTime = 3));
end Pleiades;
