within Kairos.Mechanics.Rotational.Parts;
model SpringDamper "Torsional spring and damper in parallel"
  extends Interfaces.Coupling;
  extends Thermal.Interfaces.Lossy;
  parameter Units.RotationalStiffness c = 1 "Stiffness";
  parameter Units.RotationalDamping d = 0 "Damping constant";
  parameter Units.Angle phi0 = 0 "Twist without torque";
equation
  tau = c*(phi_rel - phi0) + d*w_rel;
  lossPower = d*w_rel^2;
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={0, 100, 0}),
      Line(points={{60, 0}, {100, 0}}, color={0, 100, 0}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-60, 30}, {-45, 60}, {-15, 0}, {15, 60}, {45, 0}, {60, 30}}, color={0, 100, 0}),
      Rectangle(
        extent={{-30, -60}, {30, -20}},
        lineColor={0, 100, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid)}),
    Documentation(info="<html><p>An elastic shaft with inner damping.</p></html>"));
end SpringDamper;
