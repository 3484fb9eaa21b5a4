// run: stop=1 ; check: x[1](0)=2±1e-8 ; check: x[12](end)=2±1e-8
// compile: ; print: causal
model BranchesWithoutSolution "The branches that hold at the guesses have no solution; where they end, others go on"
  Real x[12](each start = 0);
equation
  for k in 1:12 loop
    0 = (if x[k] > 1 then x[k]^2 - 4 else -3 - (x[k] - 1)^2) + 0.1*(sum(x) - 24);
  end for;
end BranchesWithoutSolution;
