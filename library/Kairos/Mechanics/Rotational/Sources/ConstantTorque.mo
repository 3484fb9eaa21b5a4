within Kairos.Mechanics.Rotational.Sources;
model ConstantTorque "Constant torque"
  parameter Units.Torque tau = 1 "Torque";
  Interfaces.Flange flange "Shaft that the torque drives"
    annotation(Placement(transformation(extent={{90, -10}, {110, 10}})));
equation
  flange.tau = -tau;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 100, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-60, 0}, {60, 0}}, color={0, 100, 0}),
      Polygon(
        points={{60, 20}, {90, 0}, {60, -20}},
        lineColor={0, 100, 0},
        fillColor={0, 100, 0},
        fillPattern=FillPattern.Solid)}),
    Documentation(
      info="<html><p>Drives the shaft with a constant torque, against the housing.</p></html>"));
end ConstantTorque;
