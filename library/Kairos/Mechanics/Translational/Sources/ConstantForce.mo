within Kairos.Mechanics.Translational.Sources;
model ConstantForce "Constant force"
  parameter Units.Force f = 1 "Force";
  Interfaces.Flange flange "Point that the force drives"
    annotation(Placement(transformation(extent={{90, -10}, {110, 10}})));
equation
  flange.f = -f;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 127, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-60, 0}, {60, 0}}, color={0, 127, 0}),
      Polygon(
        points={{60, 20}, {90, 0}, {60, -20}},
        lineColor={0, 127, 0},
        fillColor={0, 127, 0},
        fillPattern=FillPattern.Solid)}),
    Documentation(info="<html><p>Drives the point with a constant force.</p></html>"));
end ConstantForce;
