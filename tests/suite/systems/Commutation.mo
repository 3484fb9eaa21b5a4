// run: stop=0.04 tolerance=1e-9 ; check: area(0.02)=3.1730333725±1e-6 ; check: area(end)=6.3460667451±2e-6
// compile: ; print: causal
model Commutation "Six diodes behind inductors: where the current goes over, its first two derivatives are zero"
  // The mean voltage is 3 sqrt(3) U/pi without inductors; each of six commutations in a period takes L I off its area. With a constant
  // current the sums of the diodes' currents and those of the phases repeat each other: what the currents of the diodes are
  // must follow from the conditions.
  constant Real pi = 2*acos(0);
  parameter Real U = 100, w = 100*pi, L = 1.3e-3, I = 17.3;
  Real i[3](start = {I, -I, 0}, fixed = {true, true, false});
  Real u[3], n[3], plus, minus, star, up[3], low[3], s[3], r[3];
  Real area(start = 0, fixed = true);
  Boolean conducts[3], returns[3];
equation
  for k in 1:3 loop
    u[k] = U*cos(w*time - (k - 1)*2*pi/3 - pi/6);
    L*der(i[k]) = u[k] - n[k] + star;
    i[k] = up[k] - low[k];
  end for;
  for k in 3:-1:1 loop
    low[k] = if returns[k] then r[k] else 0;
    minus - n[k] = if returns[k] then 0 else r[k];
    returns[k] = not r[k] <= 0;
  end for;
  for k in 1:3 loop
    conducts[k] = s[k] > 0;
    up[k] = if conducts[k] then s[k] else 0;
    n[k] - plus = if conducts[k] then 0 else s[k];
  end for;
  sum(up) = I;
  sum(low) = I;
  plus + minus = 0;
  der(area) = plus - minus;
end Commutation;
