model gear_train_shifts
  Real w1, w2, w3, w4(start = -0.071, fixed = true);
  Real a1, b1, r1, a2, b2, r2, a3, b3;
  Real r3 = if time >= 1.8 then 2.133 else 3.403;
equation
  der(w1) = -1 - a1;
  der(w2) = b1 - a2;
  der(w3) = b2 - a3;
  der(w4) = b3;
  r1 = if not time < 0.3 then -2.8 else 0.731;
  w2 = w1/r1;
  a1 = b1/r1;
  r2 = if not time < 1.4 then 0.491 else 0.98;
  w3 = w2/r2;
  a2 = b2/r2;
  w3 = r3*w4;
  b3 = r3*a3;
end gear_train_shifts;
