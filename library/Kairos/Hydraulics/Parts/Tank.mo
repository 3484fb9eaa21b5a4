within Kairos.Hydraulics.Parts;
model Tank "Tank"
  parameter Units.Pressure p0 = 0 "Pressure";
  Interfaces.Port port "Port" annotation(Placement(transformation(extent={{-10, 90}, {10, 110}})));
equation
  port.p = p0;
  annotation(
    Icon(graphics={
      Line(points={{-60, 20}, {-60, -60}, {60, -60}, {60, 20}}, color={0, 0, 255}),
      Line(points={{0, 100}, {0, -40}}, color={0, 0, 255}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
    Documentation(info="<html><p>Gives its port a constant pressure.</p></html>"));
end Tank;
