model sample_left_limit
  Real s = hold(y);
  Real y(start = 0);
  Real n = hold(c);
  Real c(start = 0);
equation
  y = sample(if time >= 1 then 2 else 0, Clock(1, 4));
  c = previous(c) + y;
end sample_left_limit;
