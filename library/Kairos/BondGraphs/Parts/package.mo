within Kairos.BondGraphs;
package Parts "Elements and junctions"
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={100, 0, 100},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Text(extent={{-80, -60}, {80, 60}}, textString="1", textColor={100, 0, 100})}),
    Documentation(info="<html><p>What bond graphs are made of.</p></html>"));
end Parts;
