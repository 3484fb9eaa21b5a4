within Kairos.Thermal.Sensors;
model TemperatureSensor "Measures a temperature"
  Interfaces.HeatPort port "Port"
    annotation(Placement(transformation(extent={{-110, -10}, {-90, 10}})));
  Blocks.Interfaces.RealOutput T(unit="K") "Temperature"
    annotation(Placement(transformation(extent={{100, -10}, {120, 10}})));
equation
  T = port.T;
  port.Q_flow = 0;
  annotation(
    Icon(graphics={
      Ellipse(
        extent={{-50, -50}, {50, 50}},
        lineColor={191, 0, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-100, 0}, {-50, 0}}, color={191, 0, 0}),
      Line(points={{50, 0}, {100, 0}}, color={191, 0, 0}),
      Text(extent={{-40, -30}, {40, 30}}, textString="T", textColor={191, 0, 0})}),
    Documentation(info="<html><p>The temperature at the port.</p></html>"));
end TemperatureSensor;
