within Kairos.Mechanics.Rotational.Parts;
model Inertia "Inertia of a shaft"
  extends Interfaces.TwoFlanges;
  parameter Units.MomentOfInertia J = 1 "Moment of inertia";
  Units.Angle phi(start=0, fixed=true) "Angle";
  Units.AngularVelocity w(start=0, fixed=true) "Speed";
  Units.AngularAcceleration a "Acceleration";
equation
  phi = flange_a.phi;
  phi = flange_b.phi;
  w = der(phi);
  a = der(w);
  J*a = flange_a.tau + flange_b.tau;
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={0, 100, 0}),
      Line(points={{60, 0}, {100, 0}}, color={0, 100, 0}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Rectangle(
        extent={{-60, -60}, {60, 60}},
        lineColor={0, 100, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid)}),
    Documentation(info="<html><p>J der(w) is the sum of the torques at both ends. It starts with phi(start) and w(start); set fixed = false where other parts determine them.</p></html>"));
end Inertia;
