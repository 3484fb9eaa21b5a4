within Kairos.Mechanics.Rotational.Parts;
model Fixed "A shaft that does not turn"
  parameter Units.Angle phi0 = 0 "Angle";
  Interfaces.Flange flange "Shaft"
    annotation(Placement(transformation(extent={{-10, -10}, {10, 10}})));
equation
  flange.phi = phi0;
  annotation(
    Icon(graphics={
      Line(points={{-60, -20}, {60, -20}}, color={0, 100, 0}),
      Line(points={{-40, -40}, {-20, -20}}, color={0, 100, 0}),
      Line(points={{0, -40}, {20, -20}}, color={0, 100, 0}),
      Line(points={{0, 0}, {0, -20}}, color={0, 100, 0}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
    Documentation(info="<html><p>The housing.</p></html>"));
end Fixed;
