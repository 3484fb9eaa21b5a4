within Kairos.BondGraphs.Parts;
model Bond "Bond that shows its effort, flow and power"
  extends Interfaces.TwoPort;
  Real power "Power from the first port to the second";
equation
  e1 = e2;
  f1 = f2;
  power = e1*f1;
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {100, 0}}, color={100, 0, 100}),
      Line(points={{100, 0}, {70, 30}}, color={100, 0, 100}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
    Documentation(info="<html><p>A plain connection is a bond too; this one shows what flows through it.</p></html>"));
end Bond;
