within Kairos.Blocks;
package Discrete "Sampled control"
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(
        points={{-80, -50}, {-40, -50}, {-40, 0}, {0, 0}, {0, 40}, {40, 40}, {40, 10}, {80, 10}},
        color={0, 0, 127})}),
    Documentation(info="<html><p>Blocks that act at sampling instants and hold their outputs between them.</p></html>"));
end Discrete;
