within Kairos.Mechanics.Rotational;
package Sources "Sources"
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 100, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Polygon(
        points={{-60, 50}, {40, 0}, {-60, -50}},
        lineColor={0, 100, 0},
        fillColor={0, 100, 0},
        fillPattern=FillPattern.Solid)}),
    Documentation(info="<html><p>Given torques and speeds.</p></html>"));
end Sources;
