within Kairos.BondGraphs.Parts;
model Se "Source of effort"
  extends Interfaces.OnePort;
  parameter Real e0 = 1 "Effort";
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
      Text(extent={{-80, -60}, {80, 60}}, textString="Se", textColor={100, 0, 100})}),
    Documentation(info="<html><p>The effort is given.</p></html>"));
end Se;
