// run: stop=1 tolerance=1e-9 ; check: i[3](0)=-3±1e-12 ; check: i[3](end)=-1.4170996578±1e-7 ; check: i[1](end)=0.4723665527±1e-7
// compile: ; print: causal
model FloatingBridge "The currents into a bridge that is connected nowhere else add up to zero: two of them are states"
  parameter Real L = 1, r = 1;
  Real i[3](each start = 0) "From a grounded star into the legs";
  Real v[3] "At the legs", up[3], down[3];
  Real p, n "Rails, with a capacitor between them", u(start = 0, fixed = true);
initial equation
  i[1] = 1;
  i[2] = 2;
equation
  for k in 1:3 loop
    L*der(i[k]) = -v[k];
    v[k] - p = r*(1 + time)*up[k];
    v[k] - n = r*(1 + time)*down[k];
    i[k] = up[k] + down[k];
  end for;
  u = p - n;
  der(u) = sum(up);
  0 = sum(up) + sum(down);
  annotation(Documentation(info = "By symmetry u stays zero, and i = i(0)*exp(-(t + t^2/2)*r/(2*L))."));
end FloatingBridge;
