model BouncingBall "A ball that loses energy at every bounce and comes to rest"
  parameter Real e = 0.8 "Coefficient of restitution";
  parameter Real g(unit="m/s2") = 9.81;
  Real h(start=1, fixed=true, unit="m") "Height";
  Real v(start=0, fixed=true, unit="m/s") "Velocity";
equation
  der(h) = v;
  der(v) = -g;
  when h <= 0 then
    reinit(v, -e*pre(v));
  end when;
  annotation(experiment(StopTime=5));
end BouncingBall;
