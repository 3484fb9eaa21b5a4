within Kairos.Mechanics.Translational.Sources;
model Speed "Velocity given by a signal"
  Blocks.Interfaces.RealInput v(unit="m/s") "Velocity"
    annotation(Placement(transformation(extent={{-120, -10}, {-100, 10}})));
  Interfaces.Flange flange "Point"
    annotation(Placement(transformation(extent={{90, -10}, {110, 10}})));
  Units.Length s(start=0, fixed=true) "Position";
equation
  s = flange.s;
  der(s) = v;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 127, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-60, 0}, {60, 0}}, color={0, 127, 0}),
      Text(extent={{-60, -80}, {60, -20}}, textString="v", textColor={0, 127, 0})}),
    Documentation(info="<html><p>The point moves with the velocity of the signal, whatever force that needs.</p></html>"));
end Speed;
