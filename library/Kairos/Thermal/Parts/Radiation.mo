within Kairos.Thermal.Parts;
model Radiation "Heat by radiation"
  extends Interfaces.Path;
  parameter Real Gr(unit="m2", min=0) = 1 "Area, weighted by emission and view";
  constant Real sigma(unit="W/(m2.K4)") = 5.670374419e-8 "Stefan-Boltzmann constant";
equation
  Q_flow = Gr*sigma*(port_a.T^4 - port_b.T^4);
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={191, 0, 0}),
      Line(points={{60, 0}, {100, 0}}, color={191, 0, 0}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-60, 40}, {60, 40}}, color={191, 0, 0}),
      Line(points={{-60, 0}, {60, 0}}, color={191, 0, 0}),
      Line(points={{-60, -40}, {60, -40}}, color={191, 0, 0})}),
    Documentation(info="<html><p>Q_flow = Gr sigma (Ta^4 - Tb^4).</p></html>"));
end Radiation;
