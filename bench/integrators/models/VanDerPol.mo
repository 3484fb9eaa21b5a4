model VanDerPol "Relaxation oscillations, very stiff"
  parameter Real mu = 1000;
  Real x(start = 2, fixed = true, nominal = 1e-3);
  Real y(start = 0, fixed = true, nominal = 1e-3);
equation
  der(x) = y;
  der(y) = mu*(1 - x^2)*y - x;
  annotation(experiment(StopTime = 2000));
end VanDerPol;
