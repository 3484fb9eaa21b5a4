within Kairos.Thermal.Sources;
model FixedHeatFlow "A constant heat flow"
  parameter Units.HeatFlowRate Q_flow = 1 "Heat flowing out of the port into what is connected";
  Interfaces.HeatPort port "Port"
    annotation(Placement(transformation(extent={{90, -10}, {110, 10}})));
equation
  port.Q_flow = -Q_flow;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={191, 0, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-80, 0}, {60, 0}}, color={191, 0, 0}),
      Polygon(
        points={{60, 20}, {90, 0}, {60, -20}},
        lineColor={191, 0, 0},
        fillColor={191, 0, 0},
        fillPattern=FillPattern.Solid)}),
    Documentation(info="<html><p>A heater of constant power.</p></html>"));
end FixedHeatFlow;
