within Kairos.Blocks.Tables;
block Table1D "Characteristic of one signal"
  extends Interfaces.OneToOne;
  parameter Real table[:, 2] = [0, 0; 1, 1] "Rows of input and output, inputs ascending";
equation
  y = interpolate(table[:, 1], table[:, 2], u);
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-80, -60}, {-30, 40}, {20, -20}, {80, 60}}, color={0, 0, 127})}),
    Documentation(info="<html><p>Interpolates linearly between the rows; beyond them the output is held.</p></html>"));
end Table1D;
