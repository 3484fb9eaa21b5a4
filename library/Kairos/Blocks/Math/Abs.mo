within Kairos.Blocks.Math;
block Abs "Absolute value"
  extends Interfaces.OneToOne;
equation
  y = abs(u);
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-70, 60}, {0, -40}, {70, 60}}, color={0, 0, 127})}),
    Documentation(
      info="<html><p>The absolute value, with an event where the sign changes.</p></html>"));
end Abs;
