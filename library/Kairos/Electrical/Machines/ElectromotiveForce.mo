within Kairos.Electrical.Machines;
model ElectromotiveForce "Ideal conversion between electrical and rotational power"
  extends Interfaces.OnePort;
  parameter Units.ElectromotiveConstant k = 1 "Torque for each ampere, volts for each rad/s";
  Mechanics.Rotational.Interfaces.Flange flange "Shaft"
    annotation(Placement(transformation(extent={{-10, 90}, {10, 110}})));
  Units.AngularVelocity w "Speed of the shaft";
equation
  w = der(flange.phi);
  u = k*w;
  flange.tau = -k*i;
  annotation(
    Icon(graphics={
      Line(points={{-100, 0}, {-60, 0}}, color={0, 0, 200}),
      Line(points={{60, 0}, {100, 0}}, color={0, 0, 200}),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Ellipse(
        extent={{-60, -60}, {60, 60}},
        lineColor={0, 0, 200},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Line(points={{0, 100}, {0, 60}}, color={0, 0, 200}),
      Text(extent={{-40, -40}, {40, 40}}, textString="k", textColor={0, 0, 200})}),
    Documentation(info="<html><p>u = k w and tau = k i: nothing is lost.</p></html>"));
end ElectromotiveForce;
