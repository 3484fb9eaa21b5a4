within Kairos.Mechanics.Translational.Parts;
model Mass "Body with mass"
  extends Interfaces.TwoFlanges;
  parameter Units.Mass m = 1 "Mass";
  parameter Units.Acceleration g = 0 "Acceleration by gravity, positive in the direction of s";
  Units.Length s(start=0, fixed=true) "Position";
  Units.Velocity v(start=0, fixed=true) "Velocity";
  Units.Acceleration a "Acceleration";
equation
  s = flange_a.s;
  s = flange_b.s;
  v = der(s);
  a = der(v);
  m*a = flange_a.f + flange_b.f + m*g;
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={0, 127, 0}),
      Line(points={{60, 0}, {100, 0}}, color={0, 127, 0}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Rectangle(
        extent={{-60, -40}, {60, 40}},
        lineColor={0, 127, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-60, -30}, {60, 30}}, textString="%m", textColor={0, 127, 0})}),
    Documentation(info="<html><p>m der(v) is the sum of the forces. It starts with s(start) and v(start); set fixed = false where other parts determine them.</p></html>"));
end Mass;
