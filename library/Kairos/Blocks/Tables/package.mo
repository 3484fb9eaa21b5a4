within Kairos.Blocks;
package Tables "Tables"
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-60, 60}, {60, 60}, {60, -60}, {-60, -60}, {-60, 60}}, color={0, 0, 127}),
      Line(points={{-60, 20}, {60, 20}}, color={0, 0, 127}),
      Line(points={{0, 60}, {0, -60}}, color={0, 0, 127})}),
    Documentation(info="<html><p>Characteristics given by points.</p></html>"));
end Tables;
