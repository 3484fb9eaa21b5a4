within Kairos.Blocks.Logical;
function firstTrue "The first element that is true"
  input Boolean b[:] "Elements";
  output Integer k "Its index, 0 if there is none";
algorithm
  k := 0;
  for i in 1:size(b, 1) loop
    if k == 0 and b[i] then
      k := i;
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
    Documentation(info="<html><p>The index of the first true element.</p></html>"));
end firstTrue;
