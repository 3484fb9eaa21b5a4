// run: stop=1 ; check: force(0.05)=1±1e-13 ; check: force(0.55)=0.26244±1e-13 ; check: force(0.95)=0±1e-13
model InverseModel "The force that moves a mass as a filter of second order says, inside of a clocked partition"
  // y[1] = 1 - 0.9^i and y[2] = 1 - 0.9^i - 0.1*i*0.9^(i - 1) at tick i. The force is der(der(y[2])), which the
  // equations give as 1 - 2*y[1] + y[2] = 0.9^i - 0.1*i*0.9^(i - 1): 0.59049 - 0.32805 at tick 5, nothing at tick 9.
  Real y[2](each start = 0), s, v, f, force;
  Real one = 1.0;
equation
  der(y[1]) = sample(one, Clock(Clock(1, 10), solverMethod = "ExplicitEuler")) - y[1];
  der(y[2]) = y[1] - y[2];
  der(s) = v;
  der(v) = f;
  s = y[2];
  force = hold(f);
end InverseModel;
