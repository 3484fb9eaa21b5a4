within Kairos.Examples;
model DriveTrain "Drive train with a clutch and a gear with losses"
  Mechanics.Rotational.Sources.Torque engine(tau=if time < 2 then 20 else -10) "Drives, then brakes"
    annotation(Placement(transformation(extent={{-100, 70}, {-80, 90}})));
  Mechanics.Rotational.Parts.Inertia motor(J=0.1, w(start=100)) "Motor"
    annotation(Placement(transformation(extent={{-55, 70}, {-35, 90}})));
  Mechanics.Rotational.Parts.Clutch clutch(tauMax=60, peak=1.1) "Clutch"
    annotation(Placement(transformation(extent={{-10, 70}, {10, 90}})));
  Mechanics.Rotational.Parts.Inertia shaft(J=0.02) "Shaft"
    annotation(Placement(transformation(extent={{35, 70}, {55, 90}})));
  Mechanics.Rotational.Parts.LossyGear gear(ratio=4, eta=0.9) "Gear"
    annotation(Placement(transformation(extent={{80, 70}, {100, 90}})));
  Mechanics.Rotational.Parts.SpringDamper axle(c=2000, d=20) "Elastic axle"
    annotation(Placement(transformation(extent={{125, 70}, {145, 90}})));
  Mechanics.Rotational.Parts.Inertia load(J=5) "Vehicle"
    annotation(Placement(transformation(extent={{170, 70}, {190, 90}})));
  Mechanics.Rotational.Parts.Bearing bearing(tau0=5, peak=1.2) "Friction of the vehicle"
    annotation(Placement(transformation(extent={{215, 70}, {235, 90}})));
  Blocks.Sources.Ramp pedal(height=1, duration=0.5, startTime=0.2) "The clutch is let in"
    annotation(Placement(transformation(extent={{35, 25}, {55, 45}})));
equation
  connect(engine.flange, motor.flange_a)
    annotation(Line(points={{-80, 80}, {-55, 80}}, color={0, 100, 0}));
  connect(motor.flange_b, clutch.flange_a)
    annotation(Line(points={{-35, 80}, {-10, 80}}, color={0, 100, 0}));
  connect(pedal.y, clutch.u)
    annotation(Line(points={{56, 35}, {28, 35}, {28, 91}, {0, 91}}, color={0, 0, 127}));
  connect(clutch.flange_b, shaft.flange_a)
    annotation(Line(points={{10, 80}, {35, 80}}, color={0, 100, 0}));
  connect(shaft.flange_b, gear.flange_a)
    annotation(Line(points={{55, 80}, {80, 80}}, color={0, 100, 0}));
  connect(gear.flange_b, axle.flange_a)
    annotation(Line(points={{100, 80}, {125, 80}}, color={0, 100, 0}));
  connect(axle.flange_b, load.flange_a)
    annotation(Line(points={{145, 80}, {170, 80}}, color={0, 100, 0}));
  connect(load.flange_b, bearing.flange_a)
    annotation(Line(points={{190, 80}, {215, 80}}, color={0, 100, 0}));
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={200, 100, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Polygon(
        points={{-40, 50}, {50, 0}, {-40, -50}},
        lineColor={200, 100, 0},
        fillColor={200, 100, 0},
        fillPattern=FillPattern.Solid)}),
    Documentation(info="<html><p>A running motor is coupled to a vehicle at rest; later the motor brakes.</p><p>Look at: the clutch slips until both sides have the same speed; the gear loses power in both directions, so that the losses stay positive when the vehicle drives the motor.</p></html>"),
    experiment(StopTime=4, Interval=0.005));
end DriveTrain;
