within Kairos.Electrical.Sensors;
model PotentialSensor "Measures a potential"
  Interfaces.Pin p "Pin" annotation(Placement(transformation(extent={{-110, -10}, {-90, 10}})));
  Blocks.Interfaces.RealOutput v(unit="V") "Potential"
    annotation(Placement(transformation(extent={{100, -10}, {120, 10}})));
equation
  p.i = 0;
  v = p.v;
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
      Text(extent={{-40, -40}, {40, 40}}, textString="v", textColor={0, 0, 200})}),
    Documentation(info="<html><p>The potential against ground.</p></html>"));
end PotentialSensor;
