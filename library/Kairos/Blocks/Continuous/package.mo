within Kairos.Blocks;
package Continuous "Continuous control"
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Text(extent={{-80, -60}, {80, 60}}, textString="1/s", textColor={0, 0, 127})}),
    Documentation(info="<html><p>Blocks with continuous states.</p></html>"));
end Continuous;
