within Kairos.Mechanics.Rotational.Parts;
model RigidStop "Rigid stop with restitution"
  extends Interfaces.Compliant;
  parameter Units.Angle phiMax = 1 "Twist at which the stop is";
  parameter Units.Restitution e = 0 "Restitution";
  Units.AngularVelocity w_rel "Speed at b less that at a";
  Boolean contact(start=false, fixed=true) "At the stop";
protected
  discrete Units.AngularVelocity separation(start=0, fixed=true)
    "Relative speed that the stop enforces";
equation
  w_rel = der(phi_rel);
  0 = if contact then w_rel + separation else tau;
  when phi_rel >= phiMax and w_rel > 0 then
    contact = true;
    separation = e*pre(w_rel);
  elsewhen pre(contact) and (w_rel < 0 or tau < 0) then
    contact = false;
    separation = 0;
  end when;
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={0, 100, 0}),
      Line(points={{60, 0}, {100, 0}}, color={0, 100, 0}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Rectangle(
        extent={{40, -60}, {60, 60}},
        lineColor={0, 100, 0},
        fillColor={0, 100, 0},
        fillPattern=FillPattern.Solid),
      Line(points={{-60, 0}, {40, 0}}, color={0, 100, 0})}),
    Documentation(info="<html><p>The twist never exceeds phiMax. At the stop the relative speed jumps to zero (e = 0) or is turned round; the structure changes, and the jump follows from the conservation of angular momentum.</p></html>"));
end RigidStop;
