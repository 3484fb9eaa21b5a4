within Kairos.Blocks;
package Nonlinear "Nonlinear characteristics"
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-80, -50}, {-40, -50}, {40, 50}, {80, 50}}, color={0, 0, 127})}),
    Documentation(info="<html><p>Limits, dead zones, hysteresis and backlash.</p></html>"));
end Nonlinear;
