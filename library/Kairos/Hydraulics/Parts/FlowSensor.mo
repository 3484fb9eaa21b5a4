within Kairos.Hydraulics.Parts;
model FlowSensor "Measures a flow"
  extends Interfaces.Path;
  Blocks.Interfaces.RealOutput y(unit="m3/s") "Flow from a to b"
    annotation(Placement(transformation(extent={{-10, -120}, {10, -100}})));
equation
  dp = 0;
  y = q;
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
      Text(extent={{-40, -40}, {40, 40}}, textString="q", textColor={0, 0, 255})}),
    Documentation(info="<html><p>The flow that goes through.</p></html>"));
end FlowSensor;
