// run: stop=1 ; check: area(1)=0.333333333333333±1e-9 ; check: scaled(1)=1.71828182845905±1e-4 ; check: cubic(1)=0.25±1e-9
model Passed "Functions as arguments, with some of their inputs bound"
  partial function Curve
    input Real x;
    output Real y;
  end Curve;
  function simpson
    input Curve f;
    input Real a, b;
    output Real area = 0;
  protected
    Integer n = 10;
    Real h = (b - a)/n;
  algorithm
    for k in 0:n - 1 loop
      area := area + h/6*(f(a + k*h) + 4*f(a + (k + 0.5)*h) + f(a + (k + 1)*h));
    end for;
  end simpson;
  function square
    extends Curve;
  algorithm
    y := x^2;
  end square;
  function grow
    extends Curve;
    input Real factor;
  algorithm
    y := exp(factor*x);
  end grow;
  function raise "An input that nobody binds keeps its declared value"
    extends Curve;
    input Real power = 3;
  algorithm
    y := x^power;
  end raise;
  Real cubic = simpson(raise, 0, time);
  Real area = simpson(function square(), 0, time);
  Real scaled = simpson(function grow(factor = time), 0, time);
end Passed;
