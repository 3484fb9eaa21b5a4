within Kairos.Blocks.Logical;
block LessThreshold "Compares a signal with a constant"
  extends Interfaces.RealToBoolean;
  parameter Real threshold = 0 "Constant";
equation
  y = u < threshold;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={255, 0, 255},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{40, 50}, {-30, 0}, {40, -50}}, color={255, 0, 255})}),
    Documentation(info="<html><p>True while u &lt; threshold.</p></html>"));
end LessThreshold;
