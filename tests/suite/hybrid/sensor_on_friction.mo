model sensor_on_friction "the force that friction bears at rest trips a sensor, long before it slips"
  parameter Real most = 2;
  Real v(start = 0, fixed = true), force;
  Boolean tripped(start = false, fixed = true);
  discrete Real since(start = -1, fixed = true);
equation
  der(v) = 0.5*time - force;
  force = if v > 0 then most else -most;
  when force > 1 then
    tripped = true;
    since = time;
  end when;
end sensor_on_friction;
