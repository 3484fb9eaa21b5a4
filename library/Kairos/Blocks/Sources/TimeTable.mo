within Kairos.Blocks.Sources;
block TimeTable "Linear interpolation in time"
  extends Interfaces.Source;
  parameter Real table[:, 2] = [0, 0; 1, 1] "Rows of time and value, times ascending";
equation
  y = Tables.interpolate(table[:, 1], table[:, 2], time);
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-80, -60}, {-30, 40}, {20, -20}, {80, 60}}, color={0, 0, 127})}),
    Documentation(info="<html><p>The value is interpolated between the rows of the table and held outside of them.</p></html>"));
end TimeTable;
