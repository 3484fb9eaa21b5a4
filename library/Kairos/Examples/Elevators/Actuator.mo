within Kairos.Examples.Elevators;
model Actuator "Hydraulic actuator with its mode logic"
  Mechanics.Rotational.Interfaces.Flange flange "Axis of the elevator"
    annotation(Placement(transformation(extent={{90, -10}, {110, 10}})));
  Blocks.Interfaces.RealInput reference(unit="rad") "Wanted angle"
    annotation(Placement(transformation(extent={{-120, 50}, {-100, 70}})));
  Blocks.Interfaces.BooleanInput pressure "The hydraulic supply is there"
    annotation(Placement(transformation(extent={{-120, -10}, {-100, 10}})));
  Blocks.Interfaces.BooleanInput other "The other actuator is active"
    annotation(Placement(transformation(extent={{-120, -70}, {-100, -50}})));
  Blocks.Interfaces.BooleanOutput isActive "This one moves the elevator"
    annotation(Placement(transformation(extent={{100, -70}, {120, -50}})));
  parameter Boolean first = false "It is active at the start";
  parameter Units.RotationalStiffness k = 4e4 "Stiffness of the position control";
  parameter Units.RotationalDamping d = 4e3 "Its damping";
  parameter Units.RotationalDamping dPassive = 800 "Damping while it is passive";
  parameter Units.Torque tauMax(min=0) = 6e3 "Greatest torque";
  Units.Torque tau "Torque on the elevator";
  Automata.Parts.Mode active(isInitial=first) "Moves the elevator"
    annotation(Placement(transformation(extent={{-100, 25}, {-80, 45}})));
  Automata.Parts.Mode standby(isInitial=not first, nIn=1, nOut=2)
    "Passive: damps, ready to take over"
    annotation(Placement(transformation(extent={{-10, 70}, {10, 90}})));
  Automata.Parts.Mode isolated(nIn=2) "Without supply: off"
    annotation(Placement(transformation(extent={{-10, 25}, {10, 45}})));
  Automata.Parts.Transition fails(guard=not pressure, after=0.02) "The supply fails"
    annotation(Placement(transformation(extent={{-55, 70}, {-35, 90}})));
  Automata.Parts.Transition takesOver(guard=pressure and not other, after=0.05)
    "The other one is not active"
    annotation(Placement(transformation(extent={{-55, 25}, {-35, 45}})));
  Automata.Parts.Transition failsPassive(guard=not pressure) "The supply fails"
    annotation(Placement(transformation(extent={{35, 70}, {55, 90}})));
  Automata.Parts.Transition returns(guard=pressure, after=0.5) "The supply is back for a while"
    annotation(Placement(transformation(extent={{35, 25}, {55, 45}})));
protected
  Units.AngularVelocity w "Speed of the elevator";
  Units.Torque wanted "Torque without limits";
equation
  connect(active.leave[1], fails.from);
  connect(fails.to, isolated.enter[1])
    annotation(Line(points={{-35, 80}, {-22.5, 80}, {-22.5, 35}, {-10, 35}}, color={120, 60, 0}));
  connect(standby.leave[1], failsPassive.from);
  connect(failsPassive.to, isolated.enter[2])
    annotation(Line(points={{55, 80}, {22.5, 80}, {22.5, 35}, {-10, 35}}, color={120, 60, 0}));
  connect(standby.leave[2], takesOver.from);
  connect(takesOver.to, active.enter[1])
    annotation(Line(points={{-35, 35}, {-100, 35}}, color={120, 60, 0}));
  connect(isolated.leave[1], returns.from);
  connect(returns.to, standby.enter[1])
    annotation(Line(points={{55, 35}, {22.5, 35}, {22.5, 80}, {-10, 80}}, color={120, 60, 0}));
  isActive = pre(active.active);
  w = der(flange.phi);
  wanted = k*(reference - flange.phi) - d*w;
  tau = if active.active then min(max(wanted, -tauMax), tauMax) else if standby.active
    then -dPassive*w else 0;
  flange.tau = -tau;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={200, 100, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Rectangle(
        extent={{-60, -30}, {60, 30}},
        lineColor={200, 100, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Line(points={{60, 0}, {100, 0}}, color={200, 100, 0})}),
    Documentation(info="<html><p>Active: it moves the elevator. Standby: it damps and takes over when the other one is not active. Isolated: without supply; when the supply is back it becomes standby.</p></html>"));
end Actuator;
