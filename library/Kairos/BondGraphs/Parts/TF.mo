within Kairos.BondGraphs.Parts;
model TF "Transformer"
  extends Interfaces.TwoPort;
  parameter Real m = 1 "First effort for each second effort";
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
      Text(extent={{-80, -60}, {80, 60}}, textString="TF", textColor={100, 0, 100})}),
    Documentation(info="<html><p>e1 = m e2, f2 = m f1.</p></html>"));
end TF;
