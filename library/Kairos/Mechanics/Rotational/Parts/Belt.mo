within Kairos.Mechanics.Rotational.Parts;
model Belt "Belt between two pulleys"
  extends Interfaces.TwoFlanges;
  parameter Units.Length ra(min=1e-9) = 0.1 "Radius of the left pulley";
  parameter Units.Length rb(min=1e-9) = 0.1 "Radius of the right pulley";
equation
  ra*flange_a.phi = rb*flange_b.phi;
  rb*flange_a.tau + ra*flange_b.tau = 0;
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={0, 100, 0}),
      Line(points={{60, 0}, {100, 0}}, color={0, 100, 0}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Ellipse(
        extent={{-80, -30}, {-20, 30}},
        lineColor={0, 100, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Ellipse(
        extent={{20, -30}, {80, 30}},
        lineColor={0, 100, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Line(points={{-50, 30}, {50, 30}}, color={0, 100, 0}),
      Line(points={{-50, -30}, {50, -30}}, color={0, 100, 0})}),
    Documentation(info="<html><p>A belt that neither stretches nor slips.</p></html>"));
end Belt;
