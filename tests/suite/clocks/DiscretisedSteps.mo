// run: stop=7 ; check: square(6.5)=36±1e-12 ; check: half(6.5)=36±1e-12 ; check: n(2.9)=0 ; check: n(3.1)=1 ; check: slow(6.5)=27±1e-12
// compile: ; print: flat
model DiscretisedSteps "Intervals that change, a when-clause, and a partition that inherits its method"
  // Ticks at 0, 1, 3 and 6. The middle of each interval and the trapezoid rule both integrate 2 t exactly.
  Integer k(start = 0);
  Clock c = Clock(k, 1);
  Real x(start = 0), y(start = 0), z(start = 0), square, half, slow;
  Real one = 1.0;
  Integer m(start = 0), n;
equation
  when c then
    k = previous(k) + 1;
  end when;
  der(x) = 2*time*sample(one, Clock(c, solverMethod = "ExplicitMidPoint2"));
  der(y) = 2*time*sample(one, Clock(c, solverMethod = "ImplicitTrapezoid"));
  when x > 5 then
    m = pre(m) + 1;
  end when;
  // Every second tick: 0 and 3. The method is that of x, whose values at both are 0 and 9: 3*2*(0 + 9)/2.
  der(z) = 2*subSample(x, 2);
  square = hold(x);
  half = hold(y);
  n = hold(m);
  slow = hold(z);
end DiscretisedSteps;
