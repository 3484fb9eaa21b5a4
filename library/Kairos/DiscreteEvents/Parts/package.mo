within Kairos.DiscreteEvents;
package Parts "Parts of entity flow"
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 110, 110},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Rectangle(
        extent={{-80, -20}, {-20, 20}},
        lineColor={0, 110, 110},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Line(points={{-20, 0}, {20, 0}}, color={0, 110, 110}),
      Ellipse(
        extent={{20, -20}, {60, 20}},
        lineColor={0, 110, 110},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid)}),
    Documentation(info="<html><p>What entity flow is made of.</p></html>"));
end Parts;
