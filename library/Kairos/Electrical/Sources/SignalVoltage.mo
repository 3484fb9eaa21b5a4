within Kairos.Electrical.Sources;
model SignalVoltage "Voltage given by a signal"
  extends Interfaces.OnePort;
  Blocks.Interfaces.RealInput V(unit="V") "Voltage"
    annotation(Placement(transformation(extent={{-10, 100}, {10, 120}})));
equation
  u = V;
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
      Line(points={{0, 100}, {0, 60}}, color={0, 0, 200}),
      Line(points={{-60, 0}, {60, 0}}, color={0, 0, 200})}),
    Documentation(info="<html><p>u follows the signal.</p></html>"));
end SignalVoltage;
