within Kairos.BondGraphs.Parts;
model ControlledJ0 "0-junction that can be off"
  extends Interfaces.Junction;
  input Boolean on "It acts as a junction; otherwise the effort is zero";
  Real e "Common effort";
equation
  enter.e = fill(e, nIn);
  leave.e = fill(e, nOut);
  0 = if on then sum(enter.f) + sum(leave.f) else e;
  annotation(
    Icon(graphics={
      Ellipse(
        extent={{-60, -60}, {60, 60}},
        lineColor={100, 0, 100},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-60, -60}, {60, 60}}, textString="0", textColor={100, 0, 100}),
      Line(points={{-60, -60}, {60, 60}}, color={100, 0, 100}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
    Documentation(info="<html><p>A 0-junction while on. While off it is a source of effort zero for all its bonds. Give the condition by a modification or an equation.</p></html>"));
end ControlledJ0;
