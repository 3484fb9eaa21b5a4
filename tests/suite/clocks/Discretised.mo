// run: stop=1 ; check: e(0.95)=0.3874204890000001±1e-12 ; check: i(0.95)=0.42409761837248464±1e-12
// compile: ; print: flat
model Discretised "der in a clocked partition by the method of its clock: 0.9^9 and 1.1^-9 after nine steps"
  Real x(start = 1), z(start = 1), e, i;
  Clock slow = Clock(Clock(1, 10), solverMethod = "ExplicitEuler");
  Clock stiff = Clock(Clock(1, 10), solverMethod = "ImplicitEuler");
  Real one = 1.0;
equation
  der(x) = -x*sample(one, slow);
  der(z) = -z*sample(one, stiff);
  e = hold(x);
  i = hold(z);
end Discretised;
