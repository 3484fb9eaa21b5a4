within Kairos.BondGraphs.Parts;
model I "Inertia: mass or inductor"
  extends Interfaces.OnePort(f(start=0, fixed=true));
  parameter Real I(min=0) = 1 "Inertia";
equation
  e = I*der(f);
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={100, 0, 100},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Text(extent={{-80, -60}, {80, 60}}, textString="I", textColor={100, 0, 100})}),
    Documentation(info="<html><p>e = I der(f).</p></html>"));
end I;
