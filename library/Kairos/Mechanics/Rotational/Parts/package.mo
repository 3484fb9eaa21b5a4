within Kairos.Mechanics.Rotational;
package Parts "Parts of drive trains"
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 100, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Ellipse(
        extent={{-60, -60}, {60, 60}},
        lineColor={0, 100, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Ellipse(
        extent={{-10, -10}, {10, 10}},
        lineColor={0, 100, 0},
        fillColor={0, 100, 0},
        fillPattern=FillPattern.Solid)}),
    Documentation(
      info="<html><p>Inertias, springs, dampers, gears, friction, stops and belts.</p></html>"));
end Parts;
