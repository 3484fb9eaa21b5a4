within Kairos.Mechanics.Translational.Sensors;
model PositionSensor "Measures a position"
  Interfaces.Flange flange "Point"
    annotation(Placement(transformation(extent={{-110, -10}, {-90, 10}})));
  Blocks.Interfaces.RealOutput s(unit="m") "Position"
    annotation(Placement(transformation(extent={{100, -10}, {120, 10}})));
equation
  flange.f = 0;
  s = flange.s;
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={0, 127, 0}),
      Line(points={{60, 0}, {100, 0}}, color={0, 127, 0}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Ellipse(
        extent={{-60, -60}, {60, 60}},
        lineColor={0, 127, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-40, -40}, {40, 40}}, textString="s", textColor={0, 127, 0})}),
    Documentation(info="<html><p>The position of the point.</p></html>"));
end PositionSensor;
