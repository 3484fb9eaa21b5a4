within Kairos.Hydraulics.Parts;
model Volume "Oil that gives under pressure"
  parameter Units.HydraulicCompliance C(min=1e-30) = 1e-12 "Compliance: volume over bulk modulus";
  parameter Units.HydraulicResistance R = 0 "Resistance at the entrance, which dissipates";
  Interfaces.Port port "Port"
    annotation(Placement(transformation(extent={{-10, -110}, {10, -90}})));
  Units.Pressure p(start=0, fixed=true) "Pressure of the oil inside";
equation
  C*der(p) = port.q;
  port.p = p + R*port.q;
  annotation(
    Icon(graphics={
      Ellipse(
        extent={{-60, -60}, {60, 60}},
        lineColor={0, 0, 255},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Line(points={{0, -100}, {0, -60}}, color={0, 0, 255}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
    Documentation(
      info="<html><p>C der(p) = q, behind an entrance with the resistance R.</p></html>"));
end Volume;
