within Kairos.Electrical;
package Sensors "Sensors"
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
      Text(extent={{-30, -30}, {30, 30}}, textString="V", textColor={0, 0, 200})}),
    Documentation(info="<html><p>Measure and change nothing.</p></html>"));
end Sensors;
