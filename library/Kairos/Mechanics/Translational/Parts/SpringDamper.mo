within Kairos.Mechanics.Translational.Parts;
model SpringDamper "Spring and damper in parallel"
  extends Interfaces.Coupling;
  extends Thermal.Interfaces.Lossy;
  parameter Units.SpringStiffness c = 1 "Stiffness";
  parameter Units.DampingConstant d = 0 "Damping constant";
  parameter Units.Length s0 = 0 "Length without force";
equation
  f = c*(s_rel - s0) + d*v_rel;
  lossPower = d*v_rel^2;
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={0, 127, 0}),
      Line(points={{60, 0}, {100, 0}}, color={0, 127, 0}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-60, 30}, {-45, 60}, {-15, 0}, {15, 60}, {45, 0}, {60, 30}}, color={0, 127, 0}),
      Rectangle(
        extent={{-30, -60}, {30, -20}},
        lineColor={0, 127, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid)}),
    Documentation(info="<html><p>A spring with damping.</p></html>"));
end SpringDamper;
