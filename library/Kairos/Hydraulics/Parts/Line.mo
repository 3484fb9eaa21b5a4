within Kairos.Hydraulics.Parts;
model Line "Inertia of the oil in a line"
  extends Interfaces.Path(q(start=0, fixed=true));
  parameter Units.HydraulicInertance I = 1e6 "Inertance: density times length over area";
equation
  dp = I*der(q);
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={0, 0, 255}),
      Line(points={{60, 0}, {100, 0}}, color={0, 0, 255}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Rectangle(
        extent={{-60, -15}, {60, 15}},
        lineColor={0, 0, 255},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Line(points={{-40, 0}, {40, 0}}, color={0, 0, 255})}),
    Documentation(info="<html><p>dp = I der(q). It starts with q(start); set fixed = false where valves determine the flow.</p></html>"));
end Line;
