within;
package Clocks "Clocked partitions (MLS 16)"
  model SampleHold
    Real x(start=1, fixed=true);
    Real u(start=0);
    Real y;
    Real z;
  equation
    der(x) = -x + z;
    y = sample(x, Clock(1, 10));
    u = previous(u) + interval()*y;
    z = hold(u);
  end SampleHold;

  model Rates
    Real y;
    Real slow;
    Real fast;
    Real late;
    Real early(start=7);
  equation
    y = sample(time, Clock(3, 10));
    slow = subSample(y, 4);
    fast = superSample(y, 2);
    late = shiftSample(y, 4, 3);
    early = backSample(late, 1, 3);
  end Rates;

  model InferredFactor
    Real a;
    Real b;
    Real c;
  equation
    a = sample(time, Clock(1, 100));
    b = subSample(a);
    c = b + sample(2*time, Clock(5, 100));
  end InferredFactor;

  model ClockVariables
    Clock c = Clock(Clock(0.5), solverMethod="ExplicitEuler");
    Clock slow = subSample(c, 3);
    Real x(start=1);
    Real y(start=0);
  equation
    when c then
      der(x) = -x;
    end when;
    when slow then
      y = previous(y) + 1;
      0 = y - subSample(x, 3) - extra;
    end when;
  protected
    Real extra;
  end ClockVariables;

  model Events
    Real x(start=0, fixed=true);
    Integer n(start=0);
    Integer half(start=0);
  equation
    der(x) = 1;
    when Clock(sin(x) > 0.5, startInterval=0.1) then
      n = previous(n) + 1;
    end when;
    half = subSample(n, 2);
  end Events;

  model Expression "The argument of a conversion is an expression"
    Real a;
    Real b;
  equation
    a = sample(time, Clock(1, 10));
    b = superSample(a + previous(a), 3);
  end Expression;

  model Default
    Real n(start=0);
  equation
    n = previous(n) + 1;
  end Default;

  model Mixed "error: clocked and continuous"
    Real x;
    Real y;
  equation
    y = sample(time, Clock(1, 10));
    der(x) = y + hold(y);
  end Mixed;

  model Contradiction "error: 0.2 s is not four times 0.1 s"
    Real a;
    Real b;
  equation
    a = sample(time, Clock(1, 10));
    b = subSample(a, 4) + sample(time, Clock(2, 10));
  end Contradiction;

  model TwoClocks "error: two independent clocks"
    Real a;
  equation
    a = sample(time, Clock(0.1)) + sample(time, Clock(0.2));
  end TwoClocks;

  model EventSuper "error: between events"
    Clock u = Clock(time > 1);
    Clock y = superSample(u, 2);
    Real a;
    Real b;
  equation
    a = sample(time, u);
    b = sample(time, y);
  end EventSuper;

  model NoSolver "error: der without a method"
    Real x(start=1);
  equation
    der(x) = -x + sample(time, Clock(1, 10));
  end NoSolver;

  model HoldContinuous "error: nothing to hold"
    Real x(start=1);
    Real y = hold(x);
  equation
    der(x) = -y;
  end HoldContinuous;
end Clocks;
