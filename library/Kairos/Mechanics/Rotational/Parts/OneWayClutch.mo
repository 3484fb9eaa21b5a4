within Kairos.Mechanics.Rotational.Parts;
model OneWayClutch "Freewheel"
  extends Interfaces.Compliant;
  Units.AngularVelocity w_rel "Speed at b less that at a";
  Boolean locked "Transmits torque";
protected
  constant Units.AngularAcceleration unit = 1 "Unit of the parameter while free";
  constant Units.Torque unitTorque = 1 "Unit of the parameter while locked";
  Real s "Parameter of the curve: acceleration while free, less the torque while locked";
  Boolean running(start=false, fixed=true) "The right shaft overtakes the left one";
equation
  w_rel = der(phi_rel);
  running = w_rel > 0 and (pre(running) or not locked);
  locked = not pre(running) and s <= 0;
  der(w_rel) = if locked then 0 else s*unit;
  tau = if locked then s*unitTorque else 0;
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={0, 100, 0}),
      Line(points={{60, 0}, {100, 0}}, color={0, 100, 0}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Ellipse(
        extent={{-60, -60}, {60, 60}},
        lineColor={0, 100, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Polygon(
        points={{-20, 30}, {30, 0}, {-20, -30}},
        lineColor={0, 100, 0},
        fillColor={0, 100, 0},
        fillPattern=FillPattern.Solid)}),
    Documentation(info="<html><p>The left shaft can drive the right one forward; the right one may overtake it freely. It must start at rest or with the right shaft faster.</p></html>"));
end OneWayClutch;
