within Kairos.Mechanics.Translational.Parts;
model RigidContact "Rigid contact with restitution and sticking"
  extends Interfaces.Compliant;
  parameter Units.Length s0 = 0 "Distance at which the bodies touch";
  parameter Units.Restitution e = 0 "Restitution";
  parameter Boolean sticks = false "The bodies stay together even if they are pulled apart";
  Units.Velocity v_rel "Velocity of b less that of a";
  Boolean contact(start=false, fixed=true) "The bodies touch";
protected
  discrete Units.Velocity separation(start=0, fixed=true)
    "Relative velocity that the contact enforces";
equation
  v_rel = der(s_rel);
  0 = if contact then v_rel - separation else f;
  when s_rel <= s0 and v_rel < 0 then
    contact = true;
    separation = -e*pre(v_rel);
  elsewhen pre(contact) and (v_rel > 0 or f > 0 and not sticks) then
    contact = false;
    separation = 0;
  end when;
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={0, 127, 0}),
      Line(points={{60, 0}, {100, 0}}, color={0, 127, 0}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Rectangle(
        extent={{-60, -40}, {0, 40}},
        lineColor={0, 127, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Rectangle(
        extent={{0, -40}, {60, 40}},
        lineColor={0, 127, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid)}),
    Documentation(info="<html><p>The structure changes at the impact: the bodies get a common velocity (e = 0) or separate with e times the speed of approach. The jump follows from the conservation of momentum of all that is connected. With e = 0 the bodies stay together until a force pulls them apart, or for good if sticks is true.</p></html>"));
end RigidContact;
