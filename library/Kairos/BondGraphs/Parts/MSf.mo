within Kairos.BondGraphs.Parts;
model MSf "Source of flow set by a signal"
  extends Interfaces.OnePort;
  Blocks.Interfaces.RealInput f0 "Flow into what is connected"
    annotation(Placement(transformation(extent={{-10, 100}, {10, 120}})));
equation
  f = -f0;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={100, 0, 100},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Text(extent={{-80, -60}, {80, 60}}, textString="MSf", textColor={100, 0, 100})}),
    Documentation(info="<html><p>The flow out of the port follows the signal.</p></html>"));
end MSf;
