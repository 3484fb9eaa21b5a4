// run: stop=2 tolerance=1e-8 ; check: s1(0.5)=1±1e-9 ; check: s2(1.5)=5±1e-9 ; check: z(end)=-2±1e-6 ; print: causal
model UpstreamChain "What flows through points where nothing is added comes from one end or the other"
  Real x = 1 - time;
  Real y, s1, s2, z(start = 0, fixed = true);
equation
  y = semiLinear(x, 1, s1);
  -y = semiLinear(-x, s2, s1);
  y = semiLinear(x, s2, 5);
  der(z) = y;
end UpstreamChain;
