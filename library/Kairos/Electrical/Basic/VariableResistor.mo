within Kairos.Electrical.Basic;
model VariableResistor "Resistor set by a signal"
  extends Interfaces.OnePort;
  extends Thermal.Interfaces.Lossy;
  Blocks.Interfaces.RealInput R(unit="Ohm") "Resistance"
    annotation(Placement(transformation(extent={{-10, 100}, {10, 120}})));
equation
  u = R*i;
  lossPower = u*i;
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={0, 0, 200}),
      Line(points={{60, 0}, {100, 0}}, color={0, 0, 200}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Rectangle(
        extent={{-60, -30}, {60, 30}},
        lineColor={0, 0, 200},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Line(points={{0, 100}, {0, 30}}, color={0, 0, 200}),
      Line(points={{-60, -50}, {60, 50}}, color={0, 0, 200})}),
    Documentation(info="<html><p>u = R i with R from a signal.</p></html>"));
end VariableResistor;
