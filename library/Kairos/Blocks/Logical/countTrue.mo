within Kairos.Blocks.Logical;
function countTrue "How many elements are true"
  input Boolean b[:] "Elements";
  output Integer n "Number of true elements";
algorithm
  n := 0;
  for i in 1:size(b, 1) loop
    if b[i] then
      n := n + 1;
    end if;
  end for;
  annotation(
    Icon(graphics={
      Ellipse(
        extent={{-100, -100}, {100, 100}},
        lineColor={255, 0, 255},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-80, -60}, {80, 60}}, textString="f", textColor={255, 0, 255})}),
    Documentation(info="<html><p>The number of true elements.</p></html>"));
end countTrue;
