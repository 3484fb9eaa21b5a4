// run: stop=1 ; check: i1(end)=5±1e-9 ; check: i2(end)=3±1e-9 ; print: causal
model TwoMeshes "Two currents in a system with constant factors: solved by formula"
  parameter Real R1 = 1, R2 = 2, R3 = 3;
  Real i1, i2;
equation
  R1*i1 + R3*(i1 - i2) = 11*time;
  R2*i2 + R3*(i2 - i1) = 0;
end TwoMeshes;
