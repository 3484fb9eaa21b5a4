within Kairos.BondGraphs;
package Hybrid "Parts built from controlled junctions"
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={100, 0, 100},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Ellipse(
        extent={{-60, -60}, {60, 60}},
        lineColor={100, 0, 100},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-60, -60}, {60, 60}}, textString="1", textColor={100, 0, 100}),
      Line(points={{-60, -60}, {60, 60}}, color={100, 0, 100})}),
    Documentation(info="<html><p>Diode, clutch and collision: what switches in them is a controlled junction.</p></html>"));
end Hybrid;
