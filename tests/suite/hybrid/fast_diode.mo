model fast_diode "a diode with a tiny resistance across a capacitor: its current is a voltage far below the tolerance"
  parameter Real R = 1.783, C = 0.265, Ron = 1e-5, Goff = 1e-5, V = 2.459, w = 11.331;
  Real u(start = 0, fixed = true), s(start = 0), i;
  Boolean off(start = false);
equation
  V*sin(w*time) = R*i + u;
  off = s < 0;
  u = s*(if off then 1 else Ron);
  i = C*der(u) + s*(if off then Goff else 1);
end fast_diode;
