within Kairos.BondGraphs.Parts;
model MGY "Gyrator set by a signal"
  extends Interfaces.TwoPort;
  Blocks.Interfaces.RealInput r "First effort for each second flow"
    annotation(Placement(transformation(extent={{-10, 100}, {10, 120}})));
equation
  e1 = r*f2;
  e2 = r*f1;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={100, 0, 100},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Text(extent={{-80, -60}, {80, 60}}, textString="MGY", textColor={100, 0, 100})}),
    Documentation(info="<html><p>A gyrator with r from a signal.</p></html>"));
end MGY;
