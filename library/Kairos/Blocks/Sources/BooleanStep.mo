within Kairos.Blocks.Sources;
block BooleanStep "A truth value that changes once"
  extends Interfaces.BooleanSource;
  parameter Units.Time startTime = 0 "Instant of the change";
  parameter Boolean startValue = false "Value before it";
equation
  y = if time >= startTime then not startValue else startValue;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-80, -40}, {0, -40}, {0, 40}, {80, 40}}, color={0, 0, 127})}),
    Documentation(info="<html><p>Changes its value at startTime.</p></html>"));
end BooleanStep;
