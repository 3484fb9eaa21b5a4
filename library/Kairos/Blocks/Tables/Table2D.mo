within Kairos.Blocks.Tables;
block Table2D "Characteristic of two signals"
  extends Interfaces.TwoToOne;
  parameter Real x1[:] = {0, 1} "Values of the first input, ascending";
  parameter Real x2[:] = {0, 1} "Values of the second input, ascending";
  parameter Real table[size(x1, 1), size(x2, 1)] = {{0, 0}, {0, 1}} "Outputs";
equation
  y = interpolate(x1, {interpolate(x2, table[i,:], u2) for i in 1:size(x1, 1)}, u1);
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-60, 60}, {60, 60}, {60, -60}, {-60, -60}, {-60, 60}}, color={0, 0, 127}),
      Line(points={{-60, 0}, {60, 0}}, color={0, 0, 127}),
      Line(points={{0, 60}, {0, -60}}, color={0, 0, 127})}),
    Documentation(info="<html><p>Interpolates bilinearly between the points of a grid; beyond it the output is held.</p></html>"));
end Table2D;
