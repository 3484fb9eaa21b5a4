within Kairos.Blocks.Sources;
block BooleanTable "Changes at given instants"
  extends Interfaces.BooleanSource;
  parameter Units.Time instants[:] = {1} "Instants at which the value changes, ascending";
  parameter Boolean startValue = false "Value before the first";
equation
  y = (mod(
    sum(if time >= instants[i] then 1 else 0 for i in 1:size(instants, 1)),
    2) == 1) <> startValue;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(
        points={{-80, -40}, {-50, -40}, {-50, 40}, {0, 40}, {0, -40}, {50, -40}, {50, 40},
          {80, 40}},
        color={0, 0, 127})}),
    Documentation(info="<html><p>The value changes at every one of the instants.</p></html>"));
end BooleanTable;
