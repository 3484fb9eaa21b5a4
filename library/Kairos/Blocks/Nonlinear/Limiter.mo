within Kairos.Blocks.Nonlinear;
block Limiter "Limits a signal"
  extends Interfaces.OneToOne;
  parameter Real uMin = -1 "Lower limit";
  parameter Real uMax(min=uMin) = 1 "Upper limit";
equation
  y = if u > uMax then uMax else if u < uMin then uMin else u;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-80, -50}, {-40, -50}, {40, 50}, {80, 50}}, color={0, 0, 127})}),
    Documentation(info="<html><p>The input, but never beyond the limits.</p></html>"));
end Limiter;
