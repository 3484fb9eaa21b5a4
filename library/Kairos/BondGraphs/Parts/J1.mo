within Kairos.BondGraphs.Parts;
model J1 "1-junction: one flow"
  extends Interfaces.Junction;
  Real f "Common flow, from the entrances to the exits";
equation
  enter.f = fill(f, nIn);
  leave.f = fill(-f, nOut);
  sum(enter.e) = sum(leave.e);
  annotation(
    Icon(graphics={
      Ellipse(
        extent={{-60, -60}, {60, 60}},
        lineColor={100, 0, 100},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-60, -60}, {60, 60}}, textString="1", textColor={100, 0, 100}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
    Documentation(
      info="<html><p>All bonds have the same flow, and the efforts balance.</p></html>"));
end J1;
