within Kairos.Electrical;
package Basic "Basic parts"
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 200},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-80, 0}, {-40, 0}}, color={0, 0, 200}),
      Rectangle(
        extent={{-40, -20}, {40, 20}},
        lineColor={0, 0, 200},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Line(points={{40, 0}, {80, 0}}, color={0, 0, 200})}),
    Documentation(
      info="<html><p>Ground, resistor, capacitor, inductor, transformer, amplifier.</p></html>"));
end Basic;
