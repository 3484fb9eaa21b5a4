within Kairos;
package Blocks "Signals and control"
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Rectangle(
        extent={{-60, -30}, {-10, 30}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Rectangle(
        extent={{20, -30}, {70, 30}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Line(points={{-10, 0}, {20, 0}}, color={0, 0, 127})}),
    Documentation(info="<html><p>Blocks with signals going in and out: sources, maths, continuous and sampled control, logic, nonlinear characteristics and tables.</p></html>"));
end Blocks;
