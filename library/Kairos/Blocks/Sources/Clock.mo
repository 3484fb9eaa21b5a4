within Kairos.Blocks.Sources;
block Clock "The time"
  extends Interfaces.Source;
equation
  y = time;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Ellipse(
        extent={{-60, -60}, {60, 60}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Line(points={{0, 0}, {0, 50}}, color={0, 0, 127}),
      Line(points={{0, 0}, {30, 0}}, color={0, 0, 127})}),
    Documentation(info="<html><p>The simulated time in seconds.</p></html>"));
end Clock;
