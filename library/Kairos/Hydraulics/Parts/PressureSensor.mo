within Kairos.Hydraulics.Parts;
model PressureSensor "Measures a pressure"
  Interfaces.Port port "Port"
    annotation(Placement(transformation(extent={{-110, -10}, {-90, 10}})));
  Blocks.Interfaces.RealOutput p(unit="Pa") "Pressure"
    annotation(Placement(transformation(extent={{100, -10}, {120, 10}})));
equation
  port.q = 0;
  p = port.p;
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={0, 0, 255}),
      Line(points={{60, 0}, {100, 0}}, color={0, 0, 255}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Ellipse(
        extent={{-60, -60}, {60, 60}},
        lineColor={0, 0, 255},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-40, -40}, {40, 40}}, textString="p", textColor={0, 0, 255})}),
    Documentation(info="<html><p>The pressure at the port.</p></html>"));
end PressureSensor;
