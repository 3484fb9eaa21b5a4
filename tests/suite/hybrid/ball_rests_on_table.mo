model ball_rests_on_table
  Real y = 0.147*sin(1.073*time), vy = 0.147*1.073*cos(1.073*time);
  Real h(start = 0.409, fixed = true), v(start = 0.646, fixed = true);
  Real h2(start = 0.6, fixed = true), v2(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.363;
  when h - y <= 0 then
    reinit(v, vy - 0.191*(pre(v) - vy));
  end when;
  der(h2) = v2;
  der(v2) = -9.363;
  when h2 - y < 0 and v2 - vy < 0 then
    reinit(v2, vy - 0.9*(pre(v2) - vy));
  end when;
end ball_rests_on_table;
