// compile
model DerivativeOfNothing "A partial derivative of a function that has no output"
  function f
    input Real x;
  algorithm
  end f;
  function g = der(f, x); //~ error[not-differentiable]
  Real y = g(2);
end DerivativeOfNothing;
