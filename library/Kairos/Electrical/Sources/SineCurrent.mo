within Kairos.Electrical.Sources;
model SineCurrent "Sinusoidal current"
  extends Interfaces.OnePort;
  parameter Units.Current I = 1 "Amplitude";
  parameter Units.Frequency f = 50 "Frequency";
  parameter Units.Angle phase = 0 "Phase";
protected
  constant Real pi = 2*acos(0) "Half a turn";
equation
  i = I*sin(2*pi*f*time + phase);
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
      Line(points={{0, 60}, {0, -60}}, color={0, 0, 200}),
      Line(points={{-40, 0}, {-20, 25}, {0, 0}, {20, -25}, {40, 0}}, color={0, 0, 200})}),
    Documentation(info="<html><p>i = I sin(2 pi f t + phase).</p></html>"));
end SineCurrent;
