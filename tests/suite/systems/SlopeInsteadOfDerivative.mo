// run: stop=1 tolerance=1e-8 method=bdf model=SlopeInsteadOfDerivative.M ; check: x(end)=0.049787068367863944±1e-6 ; check: v(end)=2.768628019455858±1e-6
package SlopeInsteadOfDerivative "The derivative that a function names forgets a factor, so the statements are differentiated"
  function f
    input Real u;
    output Real y;
  algorithm
    y := 3*u + u^3;
    annotation(Inline = false, derivative = slope);
  end f;

  function slope "The slope of f, not its derivative: it does not vanish where nothing changes"
    input Real u;
    input Real du;
    output Real dy;
  algorithm
    dy := 3;
    for k in 1:3 loop
      dy := dy + u^2;
    end for;
  end slope;

  model M "x' = -3*x but for 1e-10; v is the derivative of 3*sin(t) + sin(t)^3"
    Real x(start = 1, fixed = true);
    Real y = f(sin(time));
    Real v = der(y);
  equation
    der(x) = -1e5*f(1e-5*x);
  end M;
end SlopeInsteadOfDerivative;
