// run: stop=3 tolerance=1e-8 ; check: y(3)=16±1e-6 ; check: u(3)=1.38629436111989±1e-6 ; check: v(3)=4±1e-6 ; check: x(3)=0.0497870683678639±1e-7
model Tangents "Equations that are solved through functions need exact slopes: of loops, of annotations, of branches"
  function root "By Newton's method, inside a loop that ends when it may"
    input Real a;
    output Real y = 1;
  protected
    Real before = 0;
  algorithm
    while abs(y - before) > 1e-14*y loop
      before := y;
      y := 0.5*(y + a/y);
    end while;
  end root;
  function exponential "Its slope is given"
    input Real x;
    input Integer terms;
    output Real y;
  algorithm
    y := exp(x);
    annotation(derivative(noDerivative = terms) = exponential_slope);
  end exponential;
  function exponential_slope
    input Real x;
    input Integer terms;
    input Real dx;
    output Real dy;
  algorithm
    dy := exp(x)*dx;
  end exponential_slope;
  function table "An index that the state decides; the slope is that of the segment"
    input Real x;
    output Real y;
  protected
    constant Real a[:] = {0, 1, 2, 3, 4, 5, 6};
    Integer k;
  algorithm
    k := max(1, min(6, integer(x) + 1));
    y := a[k] + (a[k + 1] - a[k])*(x - (k - 1));
  end table;
  Real y(start = 1.5), u(start = 0.5), v(start = 0.5);
  Real x(start = 1, fixed = true);
equation
  root(y) + 0*u = time + 1;
  exponential(u, 5) = time + 1;
  table(v) + 1e-9*v^3 = time + 1 + 1e-9*(time + 1)^3;
  der(x) = -root(x^2 + 0);
end Tangents;
