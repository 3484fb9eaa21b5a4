model gear_speed_shift
  Real w1, w2(start = 1, fixed = true), a, b, r;
equation
  0.5*der(w1) = 1.1 - a;
  der(w2) = b;
  r = if w2 > 2 then 1 else 3;
  w2 = w1/r;
  a = b/r;
end gear_speed_shift;
