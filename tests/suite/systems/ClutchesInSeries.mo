// run: stop=9 tolerance=1e-8 ; check: w[1](0.7)=2.88±1e-6 ; check: w[3](0.7)=0.7872257±1e-6 ; check: w[4](0.7)=0.7409004±1e-6 ; check: w[5](0.7)=0.7227011±1e-6 ; check: w[1](end)=3.7297297297±1e-6 ; check: w[5](end)=3.7297297297±1e-6 ; effort: state_events<=12
// compile: ; print: causal
model ClutchesInSeries "Four clutches that all slip at the start, which a mode with any of them stuck contradicts"
  // While they slip the accelerations are constant; the clutches stick at 0.2169 (2), 0.3396 (4, for a while) and so on. In
  // the end all turn together, with the momentum of the start and of what drives them: (3.0 + 1.2*9)/3.7.
  parameter Real J[5] = {0.5, 0.8, 0.3, 0.9, 1.2}, c[4] = {2, 1.5, 1.1, 0.6};
  parameter Real drive[5] = {1.2, -0.3, 0.4, 0, -0.1};
  Real w[5](start = {4, -1, 2, 0, 1}, each fixed = true), tau[4], s[4];
  Boolean forth[4], back[4];
equation
  for k in 4:-1:1 loop
    forth[k] = s[k] > 1;
    back[k] = s[k] < -1;
    w[k] - w[k + 1] = if forth[k] then s[k] - 1 else if back[k] then s[k] + 1 else 0;
    tau[k] = if forth[k] then c[k] else if back[k] then -c[k] else c[k]*s[k];
  end for;
  for k in 1:5 loop
    J[k]*der(w[k]) = drive[k] - (if k < 5 then tau[min(k, 4)] else 0) + (if k > 1 then tau[max(k - 1, 1)] else 0);
  end for;
end ClutchesInSeries;
