within Kairos.Blocks.Nonlinear;
block DeadZone "No output for small inputs"
  extends Interfaces.OneToOne;
  parameter Real uMin = -1 "Lower end of the zone";
  parameter Real uMax(min=uMin) = 1 "Upper end of the zone";
equation
  y = if u > uMax then u - uMax else if u < uMin then u - uMin else 0;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 0, 127},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-80, -50}, {-30, 0}, {30, 0}, {80, 50}}, color={0, 0, 127})}),
    Documentation(
      info="<html><p>Zero inside the zone; outside, the distance from the zone.</p></html>"));
end DeadZone;
