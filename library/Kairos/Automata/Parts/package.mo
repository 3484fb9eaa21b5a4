within Kairos.Automata;
package Parts "Modes and transitions"
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={120, 60, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Ellipse(
        extent={{-80, -20}, {-30, 30}},
        lineColor={120, 60, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Ellipse(
        extent={{30, -20}, {80, 30}},
        lineColor={120, 60, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Line(points={{-30, 10}, {30, 10}}, color={120, 60, 0})}),
    Documentation(info="<html><p>What automata are made of.</p></html>"));
end Parts;
