// run: stop=2 tolerance=1e-9 ; check: drag(end)=-0.8322936730942848±1e-7 ; check: f(end)=-1.8185948536513634±1e-7
model PrescribedMotion "A mode that needs fewer differentiations than all modes together is not another structure"
  parameter Real m = 2;
  Real x "Prescribed";
  Real v = der(x);
  Real f = m*der(v);
  Real z "Measured, and differentiated only while damped";
  Real drag;
  Boolean damped = time > 1;
equation
  x = sin(time);
  z = x;
  drag = if damped then 2*der(z) else 0;
end PrescribedMotion;
