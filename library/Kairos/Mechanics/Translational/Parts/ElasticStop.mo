within Kairos.Mechanics.Translational.Parts;
model ElasticStop "Elastic stop with play"
  extends Interfaces.Coupling;
  parameter Units.SpringStiffness c = 1e5 "Stiffness of the stop";
  parameter Units.DampingConstant d = 0 "Damping of the stop";
  parameter Units.Length sMin = -1 "Distance at which the lower stop begins";
  parameter Units.Length sMax(min=sMin) = 1 "Distance at which the upper stop begins";
equation
  f = if s_rel > sMax then c*(s_rel - sMax) + d*v_rel else if s_rel < sMin then c*(s_rel - sMin)
    + d*v_rel else 0;
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={0, 127, 0}),
      Line(points={{60, 0}, {100, 0}}, color={0, 127, 0}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-60, 0}, {-20, 0}}, color={0, 127, 0}),
      Rectangle(
        extent={{-20, -40}, {-10, 40}},
        lineColor={0, 127, 0},
        fillColor={0, 127, 0},
        fillPattern=FillPattern.Solid),
      Rectangle(
        extent={{10, -40}, {20, 40}},
        lineColor={0, 127, 0},
        fillColor={0, 127, 0},
        fillPattern=FillPattern.Solid),
      Line(points={{20, 0}, {60, 0}}, color={0, 127, 0})}),
    Documentation(
      info="<html><p>No force between the stops, a spring and a damper beyond them.</p></html>"));
end ElasticStop;
