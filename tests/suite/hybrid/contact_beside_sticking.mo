model contact_beside_sticking "bodies between walls that push, the third held by friction while the first leaves its wall"
  Real x[3](start = {0.0, 0.3, 0.6}, each fixed = true), v[3](start = {-0.424, -1.354, 0.011}, each fixed = true);
  Real q[4], fc[4];
equation
  fc[1] = if x[2] - x[1] < 0.092 then -235.552*(0.092 - (x[2] - x[1])) else 0;
  q[1] = if x[2] - x[1] < 0.092 then fc[1] + min(max(9.354*(v[2] - v[1]), fc[1]), -fc[1]) else 0;
  fc[2] = if x[3] - x[2] < 0.222 then -1893.496*(0.222 - (x[3] - x[2])) else 0;
  q[2] = if x[3] - x[2] < 0.222 then fc[2] + min(max(6.571*(v[3] - v[2]), fc[2]), -fc[2]) else 0;
  fc[3] = if x[1] < -0.393 then -725.897*(-0.393 - (x[1])) else 0;
  q[3] = if x[1] < -0.393 then fc[3] + min(max(2.305*(v[1]), fc[3]), -fc[3]) else 0;
  fc[4] = if 0 - x[3] < -1.013 then -2246.184*(-1.013 - (0 - x[3])) else 0;
  q[4] = if 0 - x[3] < -1.013 then fc[4] + min(max(12.553*(0 - v[3]), fc[4]), -fc[4]) else 0;
  der(x[1]) = v[1];
  1.74*der(v[1]) = 0.204 + 3.67*sin(3.913*time) + q[1] - q[3];
  der(x[2]) = v[2];
  1.844*der(v[2]) = 0.566 + 1.316*sin(3.628*time) - q[1] + q[2] - 4.652*(x[2] - (0.3)) - 0.796*v[2] - 1.222*(if v[2] > 0 then 1 elseif v[2] < 0 then -1 else 0);
  der(x[3]) = v[3];
  1.217*der(v[3]) = -0.49 + 0.644*sin(3.671*time) - q[2] + q[4] - 1.229*(if v[3] > 0 then 1 elseif v[3] < 0 then -1 else 0);
end contact_beside_sticking;
