within Kairos;
package PetriNets "Petri nets"
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
    Documentation(info="<html><p>Places with tokens and transitions that move them.</p><p>Tokens move at events and take no time, unless a transition has a delay. Where several transitions compete for a token, the one connected first gets it: the order of the connections is the priority.</p></html>"));
end PetriNets;
