within Kairos.Electrical.Basic;
model Capacitor "Capacitor"
  extends Interfaces.OnePort(u(start=0, fixed=true));
  parameter Units.Capacitance C = 1e-6 "Capacitance";
equation
  i = C*der(u);
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-15, 0}}, color={0, 0, 200}),
      Line(points={{15, 0}, {100, 0}}, color={0, 0, 200}),
      Line(points={{-15, 50}, {-15, -50}}, color={0, 0, 200}),
      Line(points={{15, 50}, {15, -50}}, color={0, 0, 200}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
    Documentation(info="<html><p>i = C der(u). It starts with u(start); set fixed = false if the circuit itself determines the voltage.</p></html>"));
end Capacitor;
