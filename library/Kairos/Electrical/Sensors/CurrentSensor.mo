within Kairos.Electrical.Sensors;
model CurrentSensor "Measures a current"
  extends Interfaces.OnePort;
  Blocks.Interfaces.RealOutput y(unit="A") "Current from p to n"
    annotation(Placement(transformation(extent={{-10, -120}, {10, -100}})));
equation
  u = 0;
  y = i;
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
      Text(extent={{-40, -40}, {40, 40}}, textString="A", textColor={0, 0, 200})}),
    Documentation(info="<html><p>The current that flows through; it drops no voltage.</p></html>"));
end CurrentSensor;
