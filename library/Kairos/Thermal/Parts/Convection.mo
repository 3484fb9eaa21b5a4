within Kairos.Thermal.Parts;
model Convection "Heat between a body and a fluid"
  extends Interfaces.Path;
  Blocks.Interfaces.RealInput Gc(unit="W/K") "Conductance, which depends on the flow"
    annotation(Placement(transformation(extent={{-10, 100}, {10, 120}})));
equation
  Q_flow = Gc*dT;
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={191, 0, 0}),
      Line(points={{60, 0}, {100, 0}}, color={191, 0, 0}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Rectangle(
        extent={{-60, -60}, {-40, 60}},
        lineColor={191, 0, 0},
        fillColor={191, 0, 0},
        fillPattern=FillPattern.Solid),
      Line(points={{-20, 30}, {60, 30}}, color={191, 0, 0}),
      Line(points={{-20, -30}, {60, -30}}, color={191, 0, 0})}),
    Documentation(info="<html><p>Q_flow = Gc dT with a conductance given by a signal: area times coefficient of heat transfer.</p></html>"));
end Convection;
