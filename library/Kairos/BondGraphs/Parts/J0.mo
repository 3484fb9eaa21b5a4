within Kairos.BondGraphs.Parts;
model J0 "0-junction: one effort"
  extends Interfaces.Junction;
  Real e "Common effort";
equation
  enter.e = fill(e, nIn);
  leave.e = fill(e, nOut);
  sum(enter.f) + sum(leave.f) = 0;
  annotation(
    Icon(graphics={
      Ellipse(
        extent={{-60, -60}, {60, 60}},
        lineColor={100, 0, 100},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-60, -60}, {60, 60}}, textString="0", textColor={100, 0, 100}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
    Documentation(
      info="<html><p>All bonds have the same effort, and the flows balance.</p></html>"));
end J0;
