// run: stop=10 tolerance=1e-8 ; check: q(2)=0.70807341827357±1e-7 ; check: q(5)=0.35816890726839±1e-7 ; check: q(10)=0.91953576453823±1e-7
// compile: ; print: causal
model AntiparallelDiodes "Where both diodes conduct, their equations repeat each other: no constraint, and the currents add up"
  // Whichever conducts, the nodes are one: v = w = sin(t)/2 and q = (1 - cos t)/2.
  Real v, w, i[2], s[2], q(start = 0, fixed = true);
  Boolean off[2];
equation
  for k in 1:2 loop
    off[k] = s[k] < 0;
    i[k] = if off[k] then 0 else s[k];
  end for;
  v - w = if off[1] then s[1] else 0;
  w - v = if off[2] then s[2] else 0;
  sin(time) - v = i[1] - i[2];
  w = i[1] - i[2];
  der(q) = v;
end AntiparallelDiodes;
