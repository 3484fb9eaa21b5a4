within Kairos.Examples;
package PowerWindows "Power window: the parts of the example"
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={200, 100, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Rectangle(
        extent={{-60, -60}, {60, 60}},
        lineColor={200, 100, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Line(points={{-60, 0}, {60, 0}}, color={200, 100, 0})}),
    Documentation(info="<html><p>A window in the door of a car with its motor, its statechart and its network.</p></html>"));
end PowerWindows;
