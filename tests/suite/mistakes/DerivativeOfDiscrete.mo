// compile:
// A derivative of what jumps only.
model DerivativeOfDiscrete
  discrete Real x(start=0, fixed=true);
  Real y;
equation
  when sample(0, 0.1) then
    x = time;
  end when;
  y = der(x); //~ error[derivative-of-discrete] no derivative
end DerivativeOfDiscrete;
