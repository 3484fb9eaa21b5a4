within Kairos.Blocks.Logical;
block Not "The opposite"
  extends Interfaces.BooleanToBoolean;
equation
  y = not u;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={255, 0, 255},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Text(extent={{-80, -60}, {80, 60}}, textString="not", textColor={255, 0, 255})}),
    Documentation(info="<html><p>True if the input is false.</p></html>"));
end Not;
