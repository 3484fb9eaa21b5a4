within Kairos.Blocks.Continuous;
block LimitedPID "PID control with limits and anti-windup"
  Interfaces.RealInput reference "Wanted value"
    annotation(Placement(transformation(extent={{-120, 50}, {-100, 70}})));
  Interfaces.RealInput measured "Measured value"
    annotation(Placement(transformation(extent={{-120, -70}, {-100, -50}})));
  Interfaces.RealOutput y "Control signal"
    annotation(Placement(transformation(extent={{100, -10}, {120, 10}})));
  parameter Real k = 1 "Gain";
  parameter Units.Time Ti(min=1e-12) = 1 "Integral time";
  parameter Units.Time Td(min=0) = 0 "Derivative time";
  parameter Units.Time Tf(min=1e-12) = max(Td/10, 1e-6)
    "Time constant of the filter of the derivative";
  parameter Real yMin = -1 "Least control signal";
  parameter Real yMax(min=yMin) = 1 "Greatest control signal";
  parameter Units.Time Tt(min=1e-12) = Ti
    "Time in which the integral part follows a limited signal";
  Real e "Control error";
  Real v "Signal before the limits";
  Real I(start=0, fixed=true) "Integral part";
  Real x(start=0, fixed=Td > 0) "Filtered measurement";
equation
  e = reference - measured;
  if Td > 0 then
    Tf*der(x) = measured - x;
    v = k*e + I - k*Td*der(x);
  else
    x = measured;
    v = k*e + I;
  end if;
  y = if v > yMax then yMax else if v < yMin then yMin else v;
  der(I) = k*e/Ti + (y - v)/Tt;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Text(extent={{-80, -60}, {80, 60}}, textString="PID", textColor={0, 0, 127})}),
    Documentation(info="<html><p>A controller whose output stays between its limits. While it is limited, the integral part is led back (anti-windup). The derivative acts on the measurement only.</p></html>"));
end LimitedPID;
