within Kairos.Electrical.Sources;
model SignalCurrent "Current given by a signal"
  extends Interfaces.OnePort;
  Blocks.Interfaces.RealInput I(unit="A") "Current from p to n through the source"
    annotation(Placement(transformation(extent={{-10, 100}, {10, 120}})));
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
      Line(points={{0, 100}, {0, -60}}, color={0, 0, 200})}),
    Documentation(info="<html><p>i follows the signal.</p></html>"));
end SignalCurrent;
