model Friction "A block on a table, pushed to and fro"
  type Motion = enumeration(Backward, Stuck, Forward);
  parameter Real m(unit="kg") = 1;
  parameter Real fc(unit="N") = 4 "Friction force while sliding";
  Real push(unit="N") = 6*sin(2*time);
  Real v(start=0, fixed=true, unit="m/s") "Velocity";
  Real f(unit="N") "Friction force";
  Real s(unit="N") "Friction while stuck, push and friction while sliding";
  Boolean forward = pre(motion) == Motion.Forward or pre(motion) == Motion.Stuck and s > fc;
  Boolean backward = pre(motion) == Motion.Backward or pre(motion) == Motion.Stuck and s < -fc;
  Motion motion(start=Motion.Stuck, fixed=true);
equation
  m*der(v) = push - f;
  f = if forward then fc elseif backward then -fc else s;
  m*der(v) = if forward then s - fc elseif backward then s + fc else 0;
  motion = if forward and v > 0 then Motion.Forward elseif backward and v < 0 then Motion.Backward
    else Motion.Stuck;
  annotation(experiment(StopTime=6));
end Friction;
