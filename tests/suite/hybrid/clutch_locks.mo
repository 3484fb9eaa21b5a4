model clutch_locks "Two inertias: the clutch slips from 1 s on until the speeds are equal, then it sticks"
  Real w1(start = 10, fixed = true), w2(start = 0, fixed = true), tau, cap;
equation
  cap = if time < 1 then 0 else 8;
  2*der(w1) = 3 - tau;
  3*der(w2) = tau - 0.5*w2;
  tau = if w1 - w2 > 0 then cap else -cap;
end clutch_locks;
