within Kairos.Blocks.Discrete;
block PID "Sampled PID control with limits and anti-windup"
  extends Interfaces.Sampled;
  Interfaces.RealInput reference "Wanted value"
    annotation(Placement(transformation(extent={{-120, 50}, {-100, 70}})));
  Interfaces.RealInput measured "Measured value"
    annotation(Placement(transformation(extent={{-120, -70}, {-100, -50}})));
  Interfaces.RealOutput y "Control signal"
    annotation(Placement(transformation(extent={{100, -10}, {120, 10}})));
  parameter Real k = 1 "Gain";
  parameter Units.Time Ti(min=1e-12) = 1 "Integral time";
  parameter Units.Time Td(min=0) = 0 "Derivative time";
  parameter Real yMin = -1e9 "Least control signal";
  parameter Real yMax(min=yMin) = 1e9 "Greatest control signal";
  discrete Real I(start=0, fixed=true) "Integral part";
  discrete Real last(start=0, fixed=true) "Measurement of the last instant";
  discrete Real v(start=0, fixed=true) "Signal before the limits";
equation
  when tick then
    last = measured;
    v = k*(reference - measured) + pre(I) - k*Td/period*(measured - pre(last));
    y = min(max(v, yMin), yMax);
    I = pre(I) + k*period/Ti*(reference - measured) + (y - v);
  end when;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Text(extent={{-80, -60}, {80, 60}}, textString="PID(z)", textColor={0, 0, 127})}),
    Documentation(info="<html><p>Acts at the sampling instants only. The integral part is led back by what the limits cut off; the derivative acts on the measurement.</p></html>"));
end PID;
