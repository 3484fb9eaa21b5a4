within Kairos.Mechanics.Rotational.Parts;
model Spring "Torsional spring"
  extends Interfaces.Compliant;
  parameter Units.RotationalStiffness c = 1 "Stiffness";
  parameter Units.Angle phi0 = 0 "Twist without torque";
equation
  tau = c*(phi_rel - phi0);
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={0, 100, 0}),
      Line(points={{60, 0}, {100, 0}}, color={0, 100, 0}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(
        points={{-60, 0}, {-45, 40}, {-15, -40}, {15, 40}, {45, -40}, {60, 0}},
        color={0, 100, 0})}),
    Documentation(info="<html><p>tau = c (phi_rel - phi0).</p></html>"));
end Spring;
