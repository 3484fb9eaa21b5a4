within Kairos.Blocks.Sources;
block Constant "A constant"
  extends Interfaces.Source;
  parameter Real k = 1 "Value";
equation
  y = k;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-80, 20}, {80, 20}}, color={0, 0, 127}),
      Text(extent={{-80, -20}, {80, -80}}, textString="k=%k", textColor={0, 0, 127})}),
    Documentation(info="<html><p>The constant value k.</p></html>"));
end Constant;
