within Kairos.Examples.PowerWindows;
model Lift "Motor, lift mechanism, window, end stops and an obstacle"
  Blocks.Interfaces.RealInput u(unit="V") "Voltage of the motor"
    annotation(Placement(transformation(extent={{-120, -10}, {-100, 10}})));
  Blocks.Interfaces.BooleanInput blocked "An obstacle is in the way"
    annotation(Placement(transformation(extent={{-10, 100}, {10, 120}})));
  Blocks.Interfaces.RealOutput position(unit="m") "Position of the window"
    annotation(Placement(transformation(extent={{100, 50}, {120, 70}})));
  Blocks.Interfaces.RealOutput force(unit="N") "Force in the cable"
    annotation(Placement(transformation(extent={{100, -70}, {120, -50}})));
  parameter Units.Length top = 0.45 "Travel of the window";
  parameter Units.Length obstacle = 0.25 "Position of the obstacle";
  Electrical.Sources.SignalVoltage bridge "Power electronics"
    annotation(Placement(transformation(extent={{-100, 70}, {-80, 90}})));
  Electrical.Machines.DCMachine motor(R=0.8, L=2e-3, k=0.05, J=5e-5, d=1e-4) "Motor"
    annotation(Placement(transformation(extent={{-55, 70}, {-35, 90}})));
  Electrical.Basic.Ground ground "Ground"
    annotation(Placement(transformation(extent={{-10, 70}, {10, 90}})));
  Mechanics.Rotational.Parts.LossyGear worm(ratio=40, eta=0.6) "Worm gear"
    annotation(Placement(transformation(extent={{-10, 25}, {10, 45}})));
  Mechanics.Rotational.Parts.Pinion drum(r=0.035) "Drum of the cable"
    annotation(Placement(transformation(extent={{35, 70}, {55, 90}})));
  Mechanics.Translational.Parts.SpringDamper cable(c=2e4, d=200) "Cable"
    annotation(Placement(transformation(extent={{80, 70}, {100, 90}})));
  Mechanics.Translational.Parts.MassBetweenStops window(
    m=5,
    g=-2,
    sMin=0,
    sMax=top,
    e=0.1,
    vRest=0.02) "Window with its end stops, partly balanced"
    annotation(Placement(transformation(extent={{125, 70}, {145, 90}})));
  Mechanics.Translational.Parts.Damper seal(d=60) "Friction of the seal"
    annotation(Placement(transformation(extent={{170, 70}, {190, 90}})));
  Mechanics.Translational.Parts.Fixed door "Door"
    annotation(Placement(transformation(extent={{215, 70}, {235, 90}})));
  Mechanics.Translational.Sources.Force object "Force of the obstacle"
    annotation(Placement(transformation(extent={{170, 25}, {190, 45}})));
protected
  Boolean touching(start=false, fixed=true) "The window presses on the obstacle";
equation
  connect(u, bridge.V);
  connect(bridge.p, motor.p) annotation(Line(points={{-100, 80}, {-55, 80}}, color={0, 0, 200}));
  connect(bridge.n, motor.n) annotation(Line(points={{-80, 80}, {-35, 80}}, color={0, 0, 200}));
  connect(motor.n, ground.p)
    annotation(Line(points={{-35, 80}, {-17.5, 80}, {-17.5, 90}, {0, 90}}, color={0, 0, 200}));
  connect(motor.flange, worm.flange_a)
    annotation(Line(points={{-35, 86}, {-22.5, 86}, {-22.5, 35}, {-10, 35}}, color={0, 0, 200}));
  connect(worm.flange_b, drum.rotation)
    annotation(Line(points={{10, 35}, {22.5, 35}, {22.5, 80}, {35, 80}}, color={0, 100, 0}));
  connect(drum.translation, cable.flange_b)
    annotation(Line(points={{55, 80}, {100, 80}}, color={0, 100, 0}));
  connect(cable.flange_a, window.flange_a)
    annotation(Line(points={{80, 80}, {125, 80}}, color={0, 127, 0}));
  connect(window.flange_b, seal.flange_a)
    annotation(Line(points={{145, 80}, {170, 80}}, color={0, 127, 0}));
  connect(seal.flange_b, door.flange)
    annotation(Line(points={{190, 80}, {225, 80}}, color={0, 127, 0}));
  connect(object.flange, window.flange_b)
    annotation(Line(points={{190, 35}, {167.5, 35}, {167.5, 80}, {145, 80}}, color={0, 127, 0}));
  touching = blocked and window.s > obstacle;
  object.f = if touching then -1e4*(window.s - obstacle) else 0;
  position = window.s;
  force = cable.f;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={200, 100, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Rectangle(
        extent={{-60, -60}, {60, 60}},
        lineColor={200, 100, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Line(points={{-60, 0}, {60, 0}}, color={200, 100, 0})}),
    Documentation(info="<html><p>The motor lifts the window by a worm gear and a cable. The window stops dead at its ends. An obstacle is a stiff spring.</p></html>"));
end Lift;
