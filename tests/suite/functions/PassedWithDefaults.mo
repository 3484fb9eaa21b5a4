// run: stop=2 ; check: a(2)=2.6666666666666667±1e-9 ; check: b(2)=8±1e-9 ; check: c(2)=4±1e-9
model PassedWithDefaults "A function that is passed has further inputs, whose defaults hold (MLS 12.4.2)"
  partial function curve
    input Real x;
    output Real y;
  end curve;
  function integral "Exact for cubics"
    input curve f;
    input Real to;
    output Real area;
  algorithm
    area := to/6*(f(0) + 4*f(to/2) + f(to));
  end integral;
  function parabola
    extends curve;
    input Real k = 1;
  algorithm
    y := k*x^2;
  end parabola;
  function line
    extends curve;
    input Real k = 2;
    input Real offset = k - 2;
  algorithm
    y := k*x + offset;
  end line;
  Real a = integral(parabola, time), b = integral(function parabola(k = 3), time), c = integral(function line(), time);
end PassedWithDefaults;
