within Kairos.Mechanics.Translational.Parts;
model MassBetweenStops "Body that bounces between rigid stops and comes to rest on them"
  extends Interfaces.TwoFlanges;
  parameter Units.Mass m(min=1e-12) = 1 "Mass";
  parameter Units.Acceleration g = 0 "Acceleration by gravity, positive in the direction of s";
  parameter Units.Length sMin = 0 "Lower stop";
  parameter Units.Length sMax(min=sMin) = 1e30 "Upper stop";
  parameter Units.Restitution e = 0.7 "Restitution";
  parameter Units.Velocity vRest(min=0) = 1e-3
    "A body that would leave the stop more slowly stays on it";
  Units.Length s(start=0, fixed=true) "Position";
  Units.Velocity v(start=0, fixed=true) "Velocity";
  Units.Force push "Sum of the forces without that of the stop";
  Units.Force reaction "Force of the stop";
  Boolean atMin(start=false, fixed=true) "Rests on the lower stop";
  Boolean atMax(start=false, fixed=true) "Rests on the upper stop";
  Integer impacts(start=0, fixed=true) "Number of impacts";
protected
  Boolean hitMin "Hits the lower stop";
  Boolean hitMax "Hits the upper stop";
equation
  s = flange_a.s;
  s = flange_b.s;
  v = der(s);
  push = flange_a.f + flange_b.f + m*g;
  m*der(v) = push + reaction;
  0 = if atMin or atMax then der(v) else reaction;
  hitMin = s <= sMin and v < 0;
  hitMax = s >= sMax and v > 0;
  atMin = (pre(atMin) or hitMin and -e*v <= vRest) and push <= 0;
  atMax = (pre(atMax) or hitMax and e*v <= vRest) and push >= 0;
  when {hitMin, hitMax} then
    reinit(v, if e*abs(pre(v)) > vRest then -e*pre(v) else 0);
    impacts = pre(impacts) + 1;
  end when;
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={0, 127, 0}),
      Line(points={{60, 0}, {100, 0}}, color={0, 127, 0}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Rectangle(
        extent={{-40, -40}, {40, 40}},
        lineColor={0, 127, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Rectangle(
        extent={{-80, -60}, {-60, 60}},
        lineColor={0, 127, 0},
        fillColor={0, 127, 0},
        fillPattern=FillPattern.Solid),
      Rectangle(
        extent={{60, -60}, {80, 60}},
        lineColor={0, 127, 0},
        fillColor={0, 127, 0},
        fillPattern=FillPattern.Solid)}),
    Documentation(info="<html><p>At an impact the velocity is turned round and multiplied by e. A body that is too slow to bounce stays on the stop until a force pulls it off.</p></html>"));
end MassBetweenStops;
