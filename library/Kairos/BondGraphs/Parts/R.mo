within Kairos.BondGraphs.Parts;
model R "Resistance: damper or resistor"
  extends Interfaces.OnePort;
  parameter Real R(min=0) = 1 "Resistance";
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
      Text(extent={{-80, -60}, {80, 60}}, textString="R", textColor={100, 0, 100})}),
    Documentation(info="<html><p>e = R f: it takes up the power R f^2.</p></html>"));
end R;
