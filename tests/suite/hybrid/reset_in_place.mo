model reset_in_place
  Real x0(start = -0.511, fixed = true), x1(start = -0.33, fixed = true), x2(start = -0.1, fixed = true);
  Integer q(start = 2, fixed = true);
equation
  der(x0) = if q == 1 then 0.4*(0.22 - x0) - 0.2*x1 else if q == 2 then 2.16*(0.755 - x0)
    else if q == 3 then 3.05*(-1.5 - x0) + 0.17*sin(5.8*time) else 1.6*(-1.7 - x0);
  der(x1) = if q == 1 then 0.5*(0.7 - x1) + 0.72*sin(5.9*time) else if q == 2 then 2.5*(1.1 - x1) - 0.09*x2
    else if q == 3 then 0.77*(-0.7 - x1) else 2.5*(0.8 - x1) + 0.14*x2;
  der(x2) = if q == 1 then 3.1*(-1.6 - x2) + 0.2*x0 else if q == 2 then 2.3*(1.2 - x2) + 0.27*x0
    else if q == 3 then 2*(1.9 - x2) + 0.18*sin(4.1*time) else 3.2*(1.4 - x2);
  when pre(q) == 1 and x0 < 0.617 then
    q = 2;
    reinit(x2, -pre(x2) - 0.63);
  elsewhen pre(q) == 2 and x0 >= -0.226 then
    q = 2;
    reinit(x0, -0.511);
    reinit(x1, -pre(x1) - 0.594);
  elsewhen pre(q) == 3 and not x2 < 0.387 then
    q = 4;
    reinit(x1, pre(x1) - 0.217);
  elsewhen pre(q) == 4 and x0 < 0.133 then
    q = 3;
  end when;
end reset_in_place;
