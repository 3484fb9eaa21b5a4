within Kairos.Blocks.Discrete;
block Sampler "Takes samples of a signal"
  extends Interfaces.Sampled;
  Interfaces.RealInput u "Continuous signal"
    annotation(Placement(transformation(extent={{-120, -10}, {-100, 10}})));
  Interfaces.RealOutput y "Last sample"
    annotation(Placement(transformation(extent={{100, -10}, {120, 10}})));
equation
  when tick then
    y = u;
  end when;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-100, 0}, {-40, 0}}, color={0, 0, 127}),
      Line(points={{-40, 0}, {30, 40}}, color={0, 0, 127}),
      Line(points={{40, 0}, {100, 0}}, color={0, 0, 127})}),
    Documentation(info="<html><p>The value of the input at the last sampling instant.</p></html>"));
end Sampler;
