within Kairos.Blocks.Sources;
block Ramp "A ramp"
  extends Interfaces.Source;
  parameter Real height = 1 "Height of the ramp";
  parameter Units.Time duration(min=1e-12) = 1 "How long it rises";
  parameter Real offset = 0 "Value before the ramp";
  parameter Units.Time startTime = 0 "Instant at which it begins";
equation
  y = offset
    + (if time < startTime then 0 else if time < startTime + duration
      then height*(time - startTime)/duration else height);
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-80, -40}, {-40, -40}, {40, 40}, {80, 40}}, color={0, 0, 127})}),
    Documentation(info="<html><p>Rises linearly from offset to offset + height in the given duration.</p></html>"));
end Ramp;
