within Kairos.Blocks.Sources;
block Sawtooth "A sawtooth wave"
  extends Interfaces.Source;
  parameter Real amplitude = 1 "Height of a tooth";
  parameter Units.Time period(min=1e-12) = 1 "Length of a tooth";
  parameter Real offset = 0 "Value at the root of a tooth";
  parameter Units.Time startTime = 0 "First root";
protected
  discrete Units.Time root(start=startTime, fixed=true) "The last root";
equation
  when sample(startTime, period) then
    root = time;
  end when;
  y = offset + (if time < startTime then 0 else amplitude*(time - root)/period);
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(
        points={{-80, -40}, {-20, 40}, {-20, -40}, {40, 40}, {40, -40}, {80, 10}},
        color={0, 0, 127})}),
    Documentation(
      info="<html><p>Rises linearly in every period and falls back at its end.</p></html>"));
end Sawtooth;
