within Kairos.Electrical.Sources;
model ConstantVoltage "Constant voltage"
  extends Interfaces.OnePort;
  parameter Units.Voltage V = 1 "Voltage";
equation
  u = V;
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-10, 0}}, color={0, 0, 200}),
      Line(points={{10, 0}, {100, 0}}, color={0, 0, 200}),
      Line(points={{-10, 60}, {-10, -60}}, color={0, 0, 200}),
      Line(points={{10, 30}, {10, -30}}, color={0, 0, 200}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
    Documentation(info="<html><p>A battery: u = V.</p></html>"));
end ConstantVoltage;
