within Kairos.Hydraulics.Parts;
model BurstDisc "Opens under pressure, for good"
  extends Interfaces.Path;
  parameter Units.Pressure pBurst(min=0) = 1e7 "Pressure drop at which it bursts";
  parameter Units.HydraulicResistance Ropen = 1e8 "Resistance when burst";
  parameter Units.HydraulicResistance Rshut = 1e14 "Resistance when whole";
  Boolean burst(start=false, fixed=true) "It has burst";
equation
  burst = pre(burst) or dp > pBurst;
  dp = (if pre(burst) then Ropen else Rshut)*q;
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={0, 0, 255}),
      Line(points={{60, 0}, {100, 0}}, color={0, 0, 255}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{0, 60}, {0, -60}}, color={0, 0, 255}),
      Line(points={{0, 60}, {20, 0}, {0, -60}}, color={0, 0, 255})}),
    Documentation(info="<html><p>A disc that bursts when the pressure drop exceeds pBurst and lets the oil through from then on.</p></html>"));
end BurstDisc;
