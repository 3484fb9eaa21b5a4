within Kairos.Mechanics.Translational.Parts;
model Fixed "A point that does not move"
  parameter Units.Length s0 = 0 "Position";
  Interfaces.Flange flange "Point"
    annotation(Placement(transformation(extent={{-10, -10}, {10, 10}})));
equation
  flange.s = s0;
  annotation(
    Icon(graphics={
      Line(points={{-60, -20}, {60, -20}}, color={0, 127, 0}),
      Line(points={{-40, -40}, {-20, -20}}, color={0, 127, 0}),
      Line(points={{0, -40}, {20, -20}}, color={0, 127, 0}),
      Line(points={{0, 0}, {0, -20}}, color={0, 127, 0}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
    Documentation(info="<html><p>The housing.</p></html>"));
end Fixed;
