within Kairos.Mechanics.Translational.Parts;
model RigidStop "Rigid stop with restitution"
  extends Interfaces.TwoFlanges;
  parameter Units.Length sMax = 1 "Position of the stop";
  parameter Units.Restitution e = 0 "Restitution";
  Units.Force reaction "Force of the stop";
  Units.Velocity v "Velocity";
protected
  Fixed wall(s0=sMax) "The stop";
  RigidContact touch(e=e) "Between the body and the stop";
equation
  v = der(flange_a.s);
  connect(flange_a, flange_b);
  connect(flange_a, touch.flange_a);
  connect(touch.flange_b, wall.flange);
  reaction = touch.f;
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={0, 127, 0}),
      Line(points={{60, 0}, {100, 0}}, color={0, 127, 0}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Rectangle(
        extent={{60, -60}, {80, 60}},
        lineColor={0, 127, 0},
        fillColor={0, 127, 0},
        fillPattern=FillPattern.Solid),
      Line(points={{-100, 0}, {60, 0}}, color={0, 127, 0})}),
    Documentation(info="<html><p>A wall at sMax for whatever is connected. The velocity jumps to zero (e = 0) or is turned round.</p></html>"));
end RigidStop;
