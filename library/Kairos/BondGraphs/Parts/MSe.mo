within Kairos.BondGraphs.Parts;
model MSe "Source of effort set by a signal"
  extends Interfaces.OnePort;
  Blocks.Interfaces.RealInput e0 "Effort"
    annotation(Placement(transformation(extent={{-10, 100}, {10, 120}})));
equation
  e = e0;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={100, 0, 100},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Text(extent={{-80, -60}, {80, 60}}, textString="MSe", textColor={100, 0, 100})}),
    Documentation(info="<html><p>The effort follows the signal.</p></html>"));
end MSe;
