within Kairos.Blocks.Logical;
block GreaterThreshold "Compares a signal with a constant"
  extends Interfaces.RealToBoolean;
  parameter Real threshold = 0 "Constant";
equation
  y = u > threshold;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={255, 0, 255},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-30, 50}, {40, 0}, {-30, -50}}, color={255, 0, 255})}),
    Documentation(info="<html><p>True while u &gt; threshold.</p></html>"));
end GreaterThreshold;
