// run: stop=1 ; check: m(0.95)=0.40722760755088605±1e-13 ; check: r(0.95)=0.4065699912000755±1e-13 ; check: t(0.95)=0.4062643889494865±1e-13 ; check: q(0.95)=0.40656966024039926±1e-13
model SolverMethods "Each method multiplies the state by its own stability function of -0.1 at every tick"
  // 1 + z + z^2/2 = 0.905; that + z^3/6 + z^4/24 = 0.9048375; (1 + z/2)/(1 - z/2) = 0.95/1.05; and
  // (1 + 2z/5 + z^2/20)/(1 - 3z/5 + 3z^2/20 - z^3/60) for Radau IIA, each to the ninth power.
  Real a(start = 1), b(start = 1), c(start = 1), d(start = 1), m, r, t, q;
  Clock base = Clock(1, 10);
  Real one = 1.0;
equation
  der(a) = -a*sample(one, Clock(base, solverMethod = "ExplicitMidPoint2"));
  der(b) = -b*sample(one, Clock(base, solverMethod = "ExplicitRungeKutta4"));
  der(c) = -c*sample(one, Clock(base, solverMethod = "ImplicitTrapezoid"));
  der(d) = -d*sample(one, Clock(base, solverMethod = "External"));
  m = hold(a);
  r = hold(b);
  t = hold(c);
  q = hold(d);
end SolverMethods;
