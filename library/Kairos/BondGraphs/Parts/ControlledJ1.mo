within Kairos.BondGraphs.Parts;
model ControlledJ1 "1-junction that can be off"
  extends Interfaces.Junction;
  input Boolean on "It acts as a junction; otherwise the flow is zero";
  Real f "Common flow, from the entrances to the exits";
equation
  enter.f = fill(f, nIn);
  leave.f = fill(-f, nOut);
  0 = if on then sum(enter.e) - sum(leave.e) else f;
  annotation(
    Icon(graphics={
      Ellipse(
        extent={{-60, -60}, {60, 60}},
        lineColor={100, 0, 100},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-60, -60}, {60, 60}}, textString="1", textColor={100, 0, 100}),
      Line(points={{-60, -60}, {60, 60}}, color={100, 0, 100}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
    Documentation(info="<html><p>A 1-junction while on. While off it is a source of flow zero for all its bonds. Give the condition by a modification or an equation.</p></html>"));
end ControlledJ1;
