within Kairos.BondGraphs.Parts;
model C "Capacity: spring or capacitor"
  extends Interfaces.OnePort(e(start=0, fixed=true));
  parameter Real C(min=0) = 1 "Capacity";
equation
  f = C*der(e);
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={100, 0, 100},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Text(extent={{-80, -60}, {80, 60}}, textString="C", textColor={100, 0, 100})}),
    Documentation(info="<html><p>f = C der(e).</p></html>"));
end C;
