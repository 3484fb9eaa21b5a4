within Kairos.Mechanics.Rotational.Parts;
model ElasticStop "Elastic stop with play"
  extends Interfaces.Coupling;
  parameter Units.RotationalStiffness c = 1e3 "Stiffness of the stop";
  parameter Units.RotationalDamping d = 0 "Damping of the stop";
  parameter Units.Angle phiMin = -1 "Twist at which the lower stop begins";
  parameter Units.Angle phiMax(min=phiMin) = 1 "Twist at which the upper stop begins";
equation
  tau = if phi_rel > phiMax then c*(phi_rel - phiMax) + d*w_rel else if phi_rel < phiMin
    then c*(phi_rel - phiMin) + d*w_rel else 0;
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={0, 100, 0}),
      Line(points={{60, 0}, {100, 0}}, color={0, 100, 0}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-60, 0}, {-20, 0}}, color={0, 100, 0}),
      Rectangle(
        extent={{-20, -40}, {-10, 40}},
        lineColor={0, 100, 0},
        fillColor={0, 100, 0},
        fillPattern=FillPattern.Solid),
      Rectangle(
        extent={{10, -40}, {20, 40}},
        lineColor={0, 100, 0},
        fillColor={0, 100, 0},
        fillPattern=FillPattern.Solid),
      Line(points={{20, 0}, {60, 0}}, color={0, 100, 0})}),
    Documentation(
      info="<html><p>No torque between the stops, a spring and a damper beyond them.</p></html>"));
end ElasticStop;
