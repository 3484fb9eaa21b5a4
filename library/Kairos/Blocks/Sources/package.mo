within Kairos.Blocks;
package Sources "Sources of signals"
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-80, -40}, {0, -40}, {0, 40}, {80, 40}}, color={0, 0, 127})}),
    Documentation(info="<html><p>Signals that depend on time alone.</p></html>"));
end Sources;
