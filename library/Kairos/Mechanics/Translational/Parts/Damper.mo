within Kairos.Mechanics.Translational.Parts;
model Damper "Damper"
  extends Interfaces.Coupling;
  extends Thermal.Interfaces.Lossy;
  parameter Units.DampingConstant d = 1 "Damping constant";
equation
  f = d*v_rel;
  lossPower = f*v_rel;
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={0, 127, 0}),
      Line(points={{60, 0}, {100, 0}}, color={0, 127, 0}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-60, -40}, {40, -40}}, color={0, 127, 0}),
      Line(points={{-60, 40}, {40, 40}}, color={0, 127, 0}),
      Line(points={{-60, 40}, {-60, -40}}, color={0, 127, 0}),
      Rectangle(
        extent={{-10, -30}, {10, 30}},
        lineColor={0, 127, 0},
        fillColor={0, 127, 0},
        fillPattern=FillPattern.Solid)}),
    Documentation(info="<html><p>f = d v_rel.</p></html>"));
end Damper;
