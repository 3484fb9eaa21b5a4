within Kairos.Mechanics.Rotational.Sensors;
model SpeedSensor "Measures a speed"
  Interfaces.Flange flange "Shaft"
    annotation(Placement(transformation(extent={{-110, -10}, {-90, 10}})));
  Blocks.Interfaces.RealOutput w(unit="rad/s") "Speed"
    annotation(Placement(transformation(extent={{100, -10}, {120, 10}})));
equation
  flange.tau = 0;
  w = der(flange.phi);
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={0, 100, 0}),
      Line(points={{60, 0}, {100, 0}}, color={0, 100, 0}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Ellipse(
        extent={{-60, -60}, {60, 60}},
        lineColor={0, 100, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-40, -40}, {40, 40}}, textString="w", textColor={0, 100, 0})}),
    Documentation(info="<html><p>The speed of the shaft.</p></html>"));
end SpeedSensor;
