within Kairos.Mechanics.Translational.Parts;
model Spring "Spring"
  extends Interfaces.Compliant;
  parameter Units.SpringStiffness c = 1 "Stiffness";
  parameter Units.Length s0 = 0 "Length without force";
equation
  f = c*(s_rel - s0);
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={0, 127, 0}),
      Line(points={{60, 0}, {100, 0}}, color={0, 127, 0}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(
        points={{-60, 0}, {-45, 40}, {-15, -40}, {15, 40}, {45, -40}, {60, 0}},
        color={0, 127, 0})}),
    Documentation(info="<html><p>f = c (s_rel - s0).</p></html>"));
end Spring;
