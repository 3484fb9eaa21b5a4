within Kairos.Hydraulics;
package Parts "Hydraulic parts"
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 255},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Rectangle(
        extent={{-60, -30}, {60, 30}},
        lineColor={0, 0, 255},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Line(points={{0, -30}, {0, 30}}, color={0, 0, 255}),
      Line(points={{0, 0}, {90, 0}}, color={0, 0, 255})}),
    Documentation(info="<html><p>Cylinder, valves, lines and volumes.</p></html>"));
end Parts;
