within Kairos.Thermal.Sensors;
model HeatFlowSensor "Measures a heat flow"
  extends Interfaces.Path;
  Blocks.Interfaces.RealOutput y(unit="W") "Heat from a to b"
    annotation(Placement(transformation(extent={{-10, -120}, {10, -100}})));
equation
  dT = 0;
  y = Q_flow;
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={191, 0, 0}),
      Line(points={{60, 0}, {100, 0}}, color={191, 0, 0}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Ellipse(
        extent={{-60, -60}, {60, 60}},
        lineColor={191, 0, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-40, -30}, {40, 30}}, textString="Q", textColor={191, 0, 0})}),
    Documentation(info="<html><p>The heat that flows through.</p></html>"));
end HeatFlowSensor;
