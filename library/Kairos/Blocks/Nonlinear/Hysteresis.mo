within Kairos.Blocks.Nonlinear;
block Hysteresis "Two-point characteristic with memory"
  extends Interfaces.RealToBoolean;
  parameter Real uLow = -1 "Below it the output becomes false";
  parameter Real uHigh(min=uLow) = 1 "Above it the output becomes true";
  parameter Boolean yStart = false "Output at the start, if the input is between the thresholds";
initial equation
  pre(y) = yStart;
equation
  y = u > uHigh or pre(y) and u >= uLow;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-80, -50}, {40, -50}, {40, 50}}, color={0, 0, 127}),
      Line(points={{-40, -50}, {-40, 50}, {80, 50}}, color={0, 0, 127})}),
    Documentation(info="<html><p>Becomes true above uHigh and false below uLow; keeps its value between them.</p></html>"));
end Hysteresis;
