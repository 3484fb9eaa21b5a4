within Kairos.BondGraphs.Parts;
model MTF "Transformer set by a signal"
  extends Interfaces.TwoPort;
  Blocks.Interfaces.RealInput m "First effort for each second effort"
    annotation(Placement(transformation(extent={{-10, 100}, {10, 120}})));
equation
  e1 = m*e2;
  f2 = m*f1;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={100, 0, 100},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Text(extent={{-80, -60}, {80, 60}}, textString="MTF", textColor={100, 0, 100})}),
    Documentation(info="<html><p>A transformer with m from a signal.</p></html>"));
end MTF;
