within Kairos.Thermal.Parts;
model HeatCapacity "Stores heat"
  parameter Units.HeatCapacity C = 1 "Heat capacity";
  Interfaces.HeatPort port "Port"
    annotation(Placement(transformation(extent={{-10, -110}, {10, -90}})));
  Units.Temperature T(start=293.15, fixed=true) "Temperature";
equation
  T = port.T;
  C*der(T) = port.Q_flow;
  annotation(
    Icon(graphics={
      Ellipse(
        extent={{-80, -80}, {80, 80}},
        lineColor={191, 0, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Text(extent={{-60, -30}, {60, 30}}, textString="%C", textColor={191, 0, 0})}),
    Documentation(info="<html><p>C der(T) = Q_flow.</p></html>"));
end HeatCapacity;
