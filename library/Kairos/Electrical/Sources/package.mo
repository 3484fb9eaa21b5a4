within Kairos.Electrical;
package Sources "Sources"
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 200},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Ellipse(
        extent={{-40, -40}, {40, 40}},
        lineColor={0, 0, 200},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Line(points={{-80, 0}, {80, 0}}, color={0, 0, 200})}),
    Documentation(info="<html><p>Given voltages and currents. A current source drives its current through itself from p to n.</p></html>"));
end Sources;
