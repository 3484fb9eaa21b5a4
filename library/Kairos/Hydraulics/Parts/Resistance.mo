within Kairos.Hydraulics.Parts;
model Resistance "Laminar resistance"
  extends Interfaces.Path;
  parameter Units.HydraulicResistance R = 1e8 "Resistance";
equation
  dp = R*q;
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={0, 0, 255}),
      Line(points={{60, 0}, {100, 0}}, color={0, 0, 255}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Rectangle(
        extent={{-60, -15}, {60, 15}},
        lineColor={0, 0, 255},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid)}),
    Documentation(info="<html><p>dp = R q.</p></html>"));
end Resistance;
