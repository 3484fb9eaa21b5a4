within Kairos.Electrical.Sources;
model ConstantCurrent "Constant current"
  extends Interfaces.OnePort;
  parameter Units.Current I = 1 "Current from p to n through the source";
equation
  i = I;
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={0, 0, 200}),
      Line(points={{60, 0}, {100, 0}}, color={0, 0, 200}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Ellipse(
        extent={{-60, -60}, {60, 60}},
        lineColor={0, 0, 200},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Line(points={{0, 60}, {0, -60}}, color={0, 0, 200}),
      Polygon(
        points={{60, 10}, {90, 0}, {60, -10}},
        lineColor={0, 0, 200},
        fillColor={0, 0, 200},
        fillPattern=FillPattern.Solid)}),
    Documentation(info="<html><p>i = I.</p></html>"));
end ConstantCurrent;
