within Kairos.Blocks;
package Logical "Logic"
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={255, 0, 255},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Text(extent={{-80, -60}, {80, 60}}, textString="and", textColor={255, 0, 255})}),
    Documentation(info="<html><p>Truth values, comparisons, edges and timers.</p></html>"));
end Logical;
