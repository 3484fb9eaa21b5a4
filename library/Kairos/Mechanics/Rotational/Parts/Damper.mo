within Kairos.Mechanics.Rotational.Parts;
model Damper "Torsional damper"
  extends Interfaces.Coupling;
  extends Thermal.Interfaces.Lossy;
  parameter Units.RotationalDamping d = 1 "Damping constant";
equation
  tau = d*w_rel;
  lossPower = tau*w_rel;
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={0, 100, 0}),
      Line(points={{60, 0}, {100, 0}}, color={0, 100, 0}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-60, -40}, {40, -40}}, color={0, 100, 0}),
      Line(points={{-60, 40}, {40, 40}}, color={0, 100, 0}),
      Line(points={{-60, 40}, {-60, -40}}, color={0, 100, 0}),
      Rectangle(
        extent={{-10, -30}, {10, 30}},
        lineColor={0, 100, 0},
        fillColor={0, 100, 0},
        fillPattern=FillPattern.Solid)}),
    Documentation(info="<html><p>tau = d w_rel.</p></html>"));
end Damper;
