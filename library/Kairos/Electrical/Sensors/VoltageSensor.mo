within Kairos.Electrical.Sensors;
model VoltageSensor "Measures a voltage"
  extends Interfaces.OnePort;
  Blocks.Interfaces.RealOutput y(unit="V") "Voltage from p to n"
    annotation(Placement(transformation(extent={{-10, -120}, {10, -100}})));
equation
  i = 0;
  y = u;
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
      Text(extent={{-40, -40}, {40, 40}}, textString="V", textColor={0, 0, 200})}),
    Documentation(info="<html><p>The voltage between its pins; it takes no current.</p></html>"));
end VoltageSensor;
