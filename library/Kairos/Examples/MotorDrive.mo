within Kairos.Examples;
model MotorDrive "Speed control of a motor drive made of parts"
  Blocks.Sources.Step reference(height=1) "Wanted speed of the load"
    annotation(Placement(transformation(extent={{-100, 70}, {-80, 90}})));
  Blocks.Math.Feedback error "Control error"
    annotation(Placement(transformation(extent={{-55, 70}, {-35, 90}})));
  Blocks.Continuous.PI controller(k=50, Ti=0.5) "Controller"
    annotation(Placement(transformation(extent={{-10, 70}, {10, 90}})));
  Electrical.Sources.SignalVoltage amplifier "Power amplifier"
    annotation(Placement(transformation(extent={{35, 70}, {55, 90}})));
  Electrical.Machines.DCMachine motor(R=0.5, L=0.05, k=1, J=1e-3) "Motor"
    annotation(Placement(transformation(extent={{80, 70}, {100, 90}})));
  Electrical.Basic.Ground ground "Ground"
    annotation(Placement(transformation(extent={{125, 70}, {145, 90}})));
  Mechanics.Rotational.Parts.IdealGear gear(ratio=100) "Gear"
    annotation(Placement(transformation(extent={{80, 25}, {100, 45}})));
  Mechanics.Rotational.Parts.Inertia load(J=10, phi(fixed=false), w(fixed=false)) "Load"
    annotation(Placement(transformation(extent={{35, 25}, {55, 45}})));
  Mechanics.Rotational.Sensors.SpeedSensor tachometer "Measures the speed of the load"
    annotation(Placement(transformation(extent={{-10, 25}, {10, 45}})));
equation
  connect(reference.y, error.u1)
    annotation(Line(points={{-79, 80}, {-67.5, 80}, {-67.5, 86}, {-56, 86}}, color={0, 0, 127}));
  connect(tachometer.w, error.u2)
    annotation(Line(points={{11, 35}, {-22.5, 35}, {-22.5, 74}, {-56, 74}}, color={0, 100, 0}));
  connect(error.y, controller.u) annotation(Line(points={{-34, 80}, {-11, 80}}, color={0, 0, 127}));
  connect(controller.y, amplifier.V)
    annotation(Line(points={{11, 80}, {28, 80}, {28, 91}, {45, 91}}, color={0, 0, 127}));
  connect(amplifier.p, motor.p) annotation(Line(points={{35, 80}, {80, 80}}, color={0, 0, 200}));
  connect(amplifier.n, motor.n) annotation(Line(points={{55, 80}, {100, 80}}, color={0, 0, 200}));
  connect(motor.n, ground.p)
    annotation(Line(points={{100, 80}, {117.5, 80}, {117.5, 90}, {135, 90}}, color={0, 0, 200}));
  connect(motor.flange, gear.flange_a)
    annotation(Line(points={{100, 86}, {90, 86}, {90, 35}, {80, 35}}, color={0, 0, 200}));
  connect(gear.flange_b, load.flange_a)
    annotation(Line(points={{100, 35}, {35, 35}}, color={0, 100, 0}));
  connect(load.flange_b, tachometer.flange)
    annotation(Line(points={{55, 35}, {-10, 35}}, color={0, 100, 0}));
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
    Documentation(info="<html><p>Controller, amplifier, motor, gear and load, connected as in the workshop. The rigid gear makes one state of two inertias.</p><p>Look at: the speed reaches its reference, the current shows the effort.</p></html>"),
    experiment(StopTime=2, Interval=0.002));
end MotorDrive;
