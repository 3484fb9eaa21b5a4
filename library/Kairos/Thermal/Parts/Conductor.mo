within Kairos.Thermal.Parts;
model Conductor "Conducts heat"
  extends Interfaces.Path;
  parameter Units.ThermalConductance G = 1 "Conductance";
equation
  Q_flow = G*dT;
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={191, 0, 0}),
      Line(points={{60, 0}, {100, 0}}, color={191, 0, 0}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Rectangle(
        extent={{-60, -50}, {60, 50}},
        lineColor={191, 0, 0},
        fillColor={191, 0, 0},
        fillPattern=FillPattern.Solid)}),
    Documentation(info="<html><p>Q_flow = G dT.</p></html>"));
end Conductor;
