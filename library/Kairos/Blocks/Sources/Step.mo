within Kairos.Blocks.Sources;
block Step "A step"
  extends Interfaces.Source;
  parameter Real height = 1 "Height of the step";
  parameter Real offset = 0 "Value before the step";
  parameter Units.Time startTime = 0 "Instant of the step";
equation
  y = offset + (if time >= startTime then height else 0);
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-80, -40}, {0, -40}, {0, 40}, {80, 40}}, color={0, 0, 127})}),
    Documentation(
      info="<html><p>The value offset before startTime, offset + height from then on.</p></html>"));
end Step;
