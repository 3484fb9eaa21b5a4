within Kairos;
package BondGraphs "Bond graphs"
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={100, 0, 100},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-70, 0}, {60, 0}}, color={100, 0, 100}),
      Line(points={{60, 0}, {40, 20}}, color={100, 0, 100})}),
    Documentation(info="<html><p>Power flows through bonds: effort times flow.</p><p>A bond is a connection between two ports. At every port the flow counts positive into the part, so that effort times flow is the power that the part takes up; the half arrow of a bond on paper goes from the exit of one junction to the entrance of the next.</p><p>Controlled junctions switch on and off by a local condition: the hybrid bond graph.</p></html>"));
end BondGraphs;
