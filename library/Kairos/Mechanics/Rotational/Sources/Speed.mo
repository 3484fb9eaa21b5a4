within Kairos.Mechanics.Rotational.Sources;
model Speed "Speed given by a signal"
  Blocks.Interfaces.RealInput w(unit="rad/s") "Speed"
    annotation(Placement(transformation(extent={{-120, -10}, {-100, 10}})));
  Interfaces.Flange flange "Shaft"
    annotation(Placement(transformation(extent={{90, -10}, {110, 10}})));
  Units.Angle phi(start=0, fixed=true) "Angle";
equation
  phi = flange.phi;
  der(phi) = w;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 100, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-60, 0}, {60, 0}}, color={0, 100, 0}),
      Text(extent={{-60, -80}, {60, -20}}, textString="w", textColor={0, 100, 0})}),
    Documentation(info="<html><p>The shaft turns with the speed of the signal, whatever torque that needs.</p></html>"));
end Speed;
