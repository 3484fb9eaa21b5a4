within Kairos.BondGraphs.Parts;
model MR "Resistance set by a signal"
  extends Interfaces.OnePort;
  Blocks.Interfaces.RealInput R "Resistance"
    annotation(Placement(transformation(extent={{-10, 100}, {10, 120}})));
equation
  e = R*f;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={100, 0, 100},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Text(extent={{-80, -60}, {80, 60}}, textString="MR", textColor={100, 0, 100})}),
    Documentation(info="<html><p>e = R f with R from a signal.</p></html>"));
end MR;
