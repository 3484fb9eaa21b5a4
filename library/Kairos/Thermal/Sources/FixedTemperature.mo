within Kairos.Thermal.Sources;
model FixedTemperature "A constant temperature"
  parameter Units.Temperature T = 293.15 "Temperature";
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
      Text(extent={{-80, -40}, {80, 40}}, textString="T", textColor={191, 0, 0})}),
    Documentation(info="<html><p>A body so large that its temperature stays.</p></html>"));
end FixedTemperature;
