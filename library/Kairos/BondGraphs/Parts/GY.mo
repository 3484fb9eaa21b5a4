within Kairos.BondGraphs.Parts;
model GY "Gyrator"
  extends Interfaces.TwoPort;
  parameter Real r = 1 "First effort for each second flow";
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
      Text(extent={{-80, -60}, {80, 60}}, textString="GY", textColor={100, 0, 100})}),
    Documentation(info="<html><p>e1 = r f2, e2 = r f1.</p></html>"));
end GY;
