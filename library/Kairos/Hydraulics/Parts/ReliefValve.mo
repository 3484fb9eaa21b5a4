within Kairos.Hydraulics.Parts;
model ReliefValve "Valve that opens under pressure"
  extends Interfaces.Valve;
  parameter Units.Pressure pOpen(min=0) = 1e7 "Opens when the pressure drop exceeds it";
  parameter Units.Pressure pFull(min=pOpen) = 1.1*pOpen "Fully open (detailed)";
protected
  Real s "Parameter of the curve: pressure drop less pOpen while shut, flow while open";
  constant Units.Pressure unitPressure = 1 "Unit of the parameter while shut";
  constant Units.VolumeFlowRate unitFlow = 1 "Unit of the parameter while open";
equation
  open = s > 0;
  wanted = if level <> Interfaces.Level.Detailed then 0 else if dp > pFull then 1 else if dp > pOpen
    then (dp - pOpen)/(pFull - pOpen) else 0;
  if level == Interfaces.Level.Detailed then
    s = (dp - pOpen)/unitPressure;
  elseif level == Interfaces.Level.PiecewiseLinear then
    dp = pOpen + (if open then Ropen*s*unitFlow else s*unitPressure);
    q = pOpen/Rshut + (if open then s*unitFlow else s*unitPressure/Rshut);
  else
    dp = pOpen + (if open then 0 else s*unitPressure);
    q = if open then s*unitFlow else 0;
  end if;
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={0, 0, 255}),
      Line(points={{60, 0}, {100, 0}}, color={0, 0, 255}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Polygon(
        points={{-60, 40}, {0, 0}, {-60, -40}},
        lineColor={0, 0, 255},
        fillColor={0, 0, 255},
        fillPattern=FillPattern.Solid),
      Polygon(
        points={{60, 40}, {0, 0}, {60, -40}},
        lineColor={0, 0, 255},
        fillColor={0, 0, 255},
        fillPattern=FillPattern.Solid),
      Line(points={{-30, 80}, {30, 80}}, color={0, 0, 255}),
      Line(points={{0, 0}, {-10, 20}, {10, 40}, {-10, 60}, {0, 80}}, color={0, 0, 255})}),
    Documentation(info="<html><p>Protects a volume from pressure. Detailed: opens in proportion between pOpen and pFull. Piecewise linear: above pOpen the pressure drop grows by Ropen with the flow. Ideal: it passes whatever flow keeps the pressure drop at pOpen.</p></html>"));
end ReliefValve;
