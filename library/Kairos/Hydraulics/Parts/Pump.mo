within Kairos.Hydraulics.Parts;
model Pump "Source of flow"
  parameter Units.VolumeFlowRate q = 1e-4 "Flow";
  Interfaces.Port port "Port that the oil leaves by"
    annotation(Placement(transformation(extent={{-10, 90}, {10, 110}})));
equation
  port.q = -q;
  annotation(
    Icon(graphics={
      Ellipse(
        extent={{-60, -60}, {60, 60}},
        lineColor={0, 0, 255},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Polygon(
        points={{-20, 20}, {20, 20}, {0, 60}},
        lineColor={0, 0, 255},
        fillColor={0, 0, 255},
        fillPattern=FillPattern.Solid),
      Line(points={{0, 60}, {0, 100}}, color={0, 0, 255}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
    Documentation(info="<html><p>Delivers a constant flow against any pressure.</p></html>"));
end Pump;
