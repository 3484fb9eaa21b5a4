within Kairos.Blocks.Logical;
block Greater "Compares two signals"
  Interfaces.RealInput u1 "First input"
    annotation(Placement(transformation(extent={{-120, 50}, {-100, 70}})));
  Interfaces.RealInput u2 "Second input"
    annotation(Placement(transformation(extent={{-120, -70}, {-100, -50}})));
  Interfaces.BooleanOutput y "u1 > u2"
    annotation(Placement(transformation(extent={{100, -10}, {120, 10}})));
equation
  y = u1 > u2;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={255, 0, 255},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-30, 50}, {40, 0}, {-30, -50}}, color={255, 0, 255})}),
    Documentation(info="<html><p>True while u1 &gt; u2.</p></html>"));
end Greater;
