within Kairos.Examples;
package Elevators "Aircraft elevator: the parts of the example"
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={200, 100, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-80, 0}, {20, 0}}, color={200, 100, 0}),
      Polygon(
        points={{20, 20}, {80, 0}, {20, -20}},
        lineColor={200, 100, 0},
        fillColor={200, 100, 0},
        fillPattern=FillPattern.Solid)}),
    Documentation(
      info="<html><p>An elevator with two actuators that replace each other.</p></html>"));
end Elevators;
