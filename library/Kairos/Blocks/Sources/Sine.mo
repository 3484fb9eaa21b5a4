within Kairos.Blocks.Sources;
block Sine "A sine wave"
  extends Interfaces.Source;
  parameter Real amplitude = 1 "Amplitude";
  parameter Units.Frequency f = 1 "Frequency";
  parameter Units.Angle phase = 0 "Phase";
  parameter Real offset = 0 "Mean value";
  parameter Units.Time startTime = 0 "The wave begins here; before, the value is the offset";
protected
  constant Real pi = 2*acos(0) "Half a turn";
equation
  y = offset + (if time < startTime then 0 else amplitude*sin(2*pi*f*(time - startTime) + phase));
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(
        points={{-80, 0}, {-60, 45}, {-40, 60}, {-20, 45}, {0, 0}, {20, -45}, {40, -60}, {60, -45},
          {80, 0}},
        color={0, 0, 127})}),
    Documentation(
      info="<html><p>offset + amplitude sin(2 pi f (t - startTime) + phase).</p></html>"));
end Sine;
