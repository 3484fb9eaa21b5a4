within Kairos.Electrical;
package Ideal "Ideal switches and valves"
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 200},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Polygon(
        points={{-40, 40}, {40, 0}, {-40, -40}},
        lineColor={0, 0, 200},
        fillColor={0, 0, 200},
        fillPattern=FillPattern.Solid),
      Line(points={{40, 40}, {40, -40}}, color={0, 0, 200})}),
    Documentation(info="<html><p>Parts that conduct or block. With Ron = 0 and Goff = 0 they are ideal; then the structure of the circuit may change when they switch.</p></html>"));
end Ideal;
