within Kairos.Electrical.Sources;
model StepVoltage "Voltage step"
  extends Interfaces.OnePort;
  parameter Units.Voltage V = 1 "Voltage after the step";
  parameter Units.Time startTime = 0 "Instant of the step";
equation
  u = if time >= startTime then V else 0;
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={0, 0, 200}),
      Line(points={{60, 0}, {100, 0}}, color={0, 0, 200}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Ellipse(
        extent={{-60, -60}, {60, 60}},
        lineColor={0, 0, 200},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Line(points={{-40, -20}, {0, -20}, {0, 20}, {40, 20}}, color={0, 0, 200})}),
    Documentation(info="<html><p>Zero before startTime, V from then on.</p></html>"));
end StepVoltage;
