// run: stop=3 tolerance=1e-9 ; check: v[1](end)=0.25±1e-6 ; check: v[2](end)=0.75±1e-6 ; check: x[1](end)=2.25±1e-6 ; check: x[2](end)=2.4166667±1e-6 ; check: x[3](end)=10±1e-9
model ContactByPath "A contact that opens with a jerk alone closes no other one"
  // Bodies of mass 1 meet at 1 and go on with 1/2. The force 2 - t presses them until 2, where both have 3/4; from then on it holds the first one
  // back, by (t - 2)^2/2. The third body is far away.
  Real x[3](start = {0, 1, 10}, each fixed = true), v[3](start = {1, 0, 0}, each fixed = true);
  Real F[2], s[2](each start = 1);
  Boolean off[2](each start = true);
equation
  der(x) = v;
  der(v[1]) = (if time < 1 then 0 else 2 - time) - F[1];
  der(v[2]) = F[1] - F[2];
  der(v[3]) = F[2];
  for k in 1:2 loop
    off[k] = s[k] > 0;
    x[k + 1] - x[k] = if off[k] then s[k] else 0;
    F[k] = if off[k] then 0 else -s[k];
  end for;
end ContactByPath;
