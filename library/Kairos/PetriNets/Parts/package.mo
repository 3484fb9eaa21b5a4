within Kairos.PetriNets;
package Parts "Places and transitions"
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={80, 80, 80},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Ellipse(
        extent={{-80, -20}, {-40, 20}},
        lineColor={80, 80, 80},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Rectangle(
        extent={{-5, -40}, {5, 40}},
        lineColor={80, 80, 80},
        fillColor={80, 80, 80},
        fillPattern=FillPattern.Solid),
      Ellipse(
        extent={{40, -20}, {80, 20}},
        lineColor={80, 80, 80},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid)}),
    Documentation(info="<html><p>What nets are made of.</p></html>"));
end Parts;
