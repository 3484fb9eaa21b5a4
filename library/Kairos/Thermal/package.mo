within Kairos;
package Thermal "Heat"
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={191, 0, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-40, -60}, {-40, 40}}, color={191, 0, 0}),
      Line(points={{0, -60}, {0, 40}}, color={191, 0, 0}),
      Line(points={{40, -60}, {40, 40}}, color={191, 0, 0})}),
    Documentation(info="<html><p>Storage and transport of heat by lumped parts.</p></html>"));
end Thermal;
