within Kairos.Electrical.Machines;
model DCMachine "DC machine with permanent magnets"
  extends Interfaces.OnePort(i(start=0, fixed=true));
  extends Thermal.Interfaces.Lossy;
  parameter Units.Resistance R = 0.5 "Resistance of the armature";
  parameter Units.Inductance L(min=0) = 5e-3 "Inductance of the armature";
  parameter Units.ElectromotiveConstant k = 0.1 "Torque for each ampere, volts for each rad/s";
  parameter Units.MomentOfInertia J = 1e-3 "Inertia of the rotor";
  parameter Units.RotationalDamping d = 0 "Friction of the bearings";
  Mechanics.Rotational.Interfaces.Flange flange "Shaft"
    annotation(Placement(transformation(extent={{90, 50}, {110, 70}})));
  Units.Angle phi(start=0, fixed=true) "Angle of the rotor";
  Units.AngularVelocity w(start=0, fixed=true) "Speed of the rotor";
equation
  phi = flange.phi;
  w = der(phi);
  u = R*i + L*der(i) + k*w;
  J*der(w) = k*i - d*w + flange.tau;
  lossPower = R*i^2 + d*w^2;
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
      Line(points={{40, 45}, {100, 60}}, color={0, 0, 200}),
      Text(extent={{-40, -40}, {40, 40}}, textString="M", textColor={0, 0, 200})}),
    Documentation(info="<html><p>Armature with resistance and inductance, rotor with inertia and friction. It runs as a motor or as a generator.</p></html>"));
end DCMachine;
