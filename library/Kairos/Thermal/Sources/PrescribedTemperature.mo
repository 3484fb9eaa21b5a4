within Kairos.Thermal.Sources;
model PrescribedTemperature "A temperature given by a signal"
  Blocks.Interfaces.RealInput T(unit="K") "Temperature"
    annotation(Placement(transformation(extent={{-120, -10}, {-100, 10}})));
  Interfaces.HeatPort port "Port"
    annotation(Placement(transformation(extent={{90, -10}, {110, 10}})));
equation
  port.T = T;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={191, 0, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Text(extent={{-80, -40}, {80, 40}}, textString="T(t)", textColor={191, 0, 0})}),
    Documentation(info="<html><p>The temperature follows the signal.</p></html>"));
end PrescribedTemperature;
