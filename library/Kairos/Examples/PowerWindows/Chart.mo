within Kairos.Examples.PowerWindows;
model Chart "Driver and passenger: a statechart with priorities"
  Blocks.Interfaces.RealInput driver "Button of the driver: 1 up, -1 down, 0 neither"
    annotation(Placement(transformation(extent={{-120, 70}, {-100, 90}})));
  Blocks.Interfaces.RealInput passenger "Button of the passenger"
    annotation(Placement(transformation(extent={{-120, 20}, {-100, 40}})));
  Blocks.Interfaces.BooleanInput atTop "The window is at its upper end"
    annotation(Placement(transformation(extent={{-120, -30}, {-100, -10}})));
  Blocks.Interfaces.BooleanInput atBottom "The window is at its lower end"
    annotation(Placement(transformation(extent={{-120, -60}, {-100, -40}})));
  Blocks.Interfaces.BooleanInput pinched "Something is in the way"
    annotation(Placement(transformation(extent={{-120, -90}, {-100, -70}})));
  Blocks.Interfaces.RealOutput direction "1 up, -1 down, 0 stop"
    annotation(Placement(transformation(extent={{100, -10}, {120, 10}})));
  Automata.Parts.Mode neutral(isInitial=true, nIn=3, nOut=2) "The window stands"
    annotation(Placement(transformation(extent={{-100, 70}, {-80, 90}})));
  Automata.Parts.Superstate byDriver(nIn=2, nOut=2) "The driver moves it"
    annotation(Placement(transformation(extent={{-10, 70}, {10, 90}})));
  Automata.Parts.Mode driverUp(isInitial=true, nested=true) "Up"
    annotation(Placement(transformation(extent={{35, 70}, {55, 90}})));
  Automata.Parts.Mode driverDown(nested=true) "Down"
    annotation(Placement(transformation(extent={{35, 25}, {55, 45}})));
  Automata.Parts.Superstate byPassenger(nIn=1, nOut=3) "The passenger moves it"
    annotation(Placement(transformation(extent={{-10, 25}, {10, 45}})));
  Automata.Parts.Mode passengerUp(isInitial=true, nested=true) "Up"
    annotation(Placement(transformation(extent={{35, -20}, {55, 0}})));
  Automata.Parts.Mode passengerDown(nested=true) "Down"
    annotation(Placement(transformation(extent={{35, -65}, {55, -45}})));
  Automata.Parts.Mode retreat(nIn=2, nOut=1) "It goes down after it was blocked"
    annotation(Placement(transformation(extent={{-10, -20}, {10, 0}})));
  Automata.Parts.Transition driverTakes(guard=edge(drvUp) or edge(drvDown)) "The driver presses"
    annotation(Placement(transformation(extent={{-55, 70}, {-35, 90}})));
  Automata.Parts.Transition driverOverrules(guard=edge(drvUp) or edge(drvDown))
    "The driver presses while the passenger moves the window"
    annotation(Placement(transformation(extent={{35, -110}, {55, -90}})));
  Automata.Parts.Transition driverEnds(guard=not (drvUp or drvDown) or ended)
    "The driver lets go, or the window is at its end"
    annotation(Placement(transformation(extent={{-55, 25}, {-35, 45}})));
  Automata.Parts.Transition driverPinches(guard=pinched and pre(up)) "Blocked"
    annotation(Placement(transformation(extent={{35, -155}, {55, -135}})));
  Automata.Parts.Transition passengerTakes(guard= (edge(pasUp) or edge(pasDown))
    and not (drvUp or drvDown)) "The passenger presses"
    annotation(Placement(transformation(extent={{-55, -20}, {-35, 0}})));
  Automata.Parts.Transition passengerEnds(guard=not (pasUp or pasDown) or ended)
    "The passenger lets go, or the window is at its end"
    annotation(Placement(transformation(extent={{-55, -65}, {-35, -45}})));
  Automata.Parts.Transition passengerPinches(guard=pinched and pre(up)) "Blocked"
    annotation(Placement(transformation(extent={{35, -200}, {55, -180}})));
  Automata.Parts.Transition retreated(after=0.6) "Enough room"
    annotation(Placement(transformation(extent={{-55, -110}, {-35, -90}})));
  Automata.Parts.Transition driverTurns(guard=drvDown) "The driver presses the other way"
    annotation(Placement(transformation(extent={{80, 70}, {100, 90}})));
  Automata.Parts.Transition driverTurnsBack(guard=drvUp) "And back"
    annotation(Placement(transformation(extent={{80, 25}, {100, 45}})));
  Automata.Parts.Transition passengerTurns(guard=pasDown) "The passenger presses the other way"
    annotation(Placement(transformation(extent={{80, -20}, {100, 0}})));
  Automata.Parts.Transition passengerTurnsBack(guard=pasUp) "And back"
    annotation(Placement(transformation(extent={{80, -65}, {100, -45}})));
  Boolean drvUp "The driver wants it up";
  Boolean drvDown "The driver wants it down";
  Boolean pasUp "The passenger wants it up";
  Boolean pasDown "The passenger wants it down";
  Boolean up(start=false, fixed=true) "It was moving up before this instant";
  Boolean ended "It has reached the end towards which it moves";
equation
  drvUp = driver > 0.5;
  drvDown = driver < -0.5;
  pasUp = passenger > 0.5;
  pasDown = passenger < -0.5;
  up = driverUp.active or passengerUp.active;
  ended = atTop and pre(up) or atBottom and (pre(driverDown.active) or pre(passengerDown.active));
  direction = if up then 1 else if driverDown.active or passengerDown.active or retreat.active
    then -1 else 0;
  connect(neutral.leave[1], driverTakes.from);
  connect(driverTakes.to, byDriver.enter[1])
    annotation(Line(points={{-35, 80}, {-10, 80}}, color={120, 60, 0}));
  connect(neutral.leave[2], passengerTakes.from);
  connect(passengerTakes.to, byPassenger.enter[1])
    annotation(Line(points={{-35, -10}, {-22.5, -10}, {-22.5, 35}, {-10, 35}}, color={120, 60, 0}));
  connect(byPassenger.leave[1], driverOverrules.from);
  connect(driverOverrules.to, byDriver.enter[2])
    annotation(Line(points={{55, -100}, {22.5, -100}, {22.5, 80}, {-10, 80}}, color={120, 60, 0}));
  connect(byPassenger.leave[2], passengerPinches.from);
  connect(passengerPinches.to, retreat.enter[1])
    annotation(Line(
      points={{55, -190}, {22.5, -190}, {22.5, -10}, {-10, -10}},
      color={120, 60, 0}));
  connect(byPassenger.leave[3], passengerEnds.from);
  connect(passengerEnds.to, neutral.enter[1])
    annotation(Line(
      points={{-35, -55}, {-67.5, -55}, {-67.5, 80}, {-100, 80}},
      color={120, 60, 0}));
  connect(byDriver.leave[1], driverPinches.from);
  connect(driverPinches.to, retreat.enter[2])
    annotation(Line(
      points={{55, -145}, {22.5, -145}, {22.5, -10}, {-10, -10}},
      color={120, 60, 0}));
  connect(byDriver.leave[2], driverEnds.from);
  connect(driverEnds.to, neutral.enter[2])
    annotation(Line(points={{-35, 35}, {-67.5, 35}, {-67.5, 80}, {-100, 80}}, color={120, 60, 0}));
  connect(retreat.leave[1], retreated.from);
  connect(retreated.to, neutral.enter[3])
    annotation(Line(
      points={{-35, -100}, {-67.5, -100}, {-67.5, 80}, {-100, 80}},
      color={120, 60, 0}));
  connect(byDriver.inside, driverUp.parent)
    annotation(Line(points={{0, 70}, {22.5, 70}, {22.5, 90}, {45, 90}}, color={120, 60, 0}));
  connect(byDriver.inside, driverDown.parent)
    annotation(Line(points={{0, 70}, {22.5, 70}, {22.5, 45}, {45, 45}}, color={120, 60, 0}));
  connect(byPassenger.inside, passengerUp.parent)
    annotation(Line(points={{0, 25}, {22.5, 25}, {22.5, 0}, {45, 0}}, color={120, 60, 0}));
  connect(byPassenger.inside, passengerDown.parent)
    annotation(Line(points={{0, 25}, {22.5, 25}, {22.5, -45}, {45, -45}}, color={120, 60, 0}));
  connect(driverUp.leave[1], driverTurns.from);
  connect(driverTurns.to, driverDown.enter[1])
    annotation(Line(points={{100, 80}, {67.5, 80}, {67.5, 35}, {35, 35}}, color={120, 60, 0}));
  connect(driverDown.leave[1], driverTurnsBack.from);
  connect(driverTurnsBack.to, driverUp.enter[1])
    annotation(Line(points={{100, 35}, {67.5, 35}, {67.5, 80}, {35, 80}}, color={120, 60, 0}));
  connect(passengerUp.leave[1], passengerTurns.from);
  connect(passengerTurns.to, passengerDown.enter[1])
    annotation(Line(points={{100, -10}, {67.5, -10}, {67.5, -55}, {35, -55}}, color={120, 60, 0}));
  connect(passengerDown.leave[1], passengerTurnsBack.from);
  connect(passengerTurnsBack.to, passengerUp.enter[1])
    annotation(Line(points={{100, -55}, {67.5, -55}, {67.5, -10}, {35, -10}}, color={120, 60, 0}));
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={200, 100, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Rectangle(
        extent={{-70, -60}, {-10, 60}},
        lineColor={200, 100, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Rectangle(
        extent={{10, -60}, {70, 60}},
        lineColor={200, 100, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid)}),
    Documentation(info="<html><p>The driver goes before the passenger: the first transition that leaves the passenger's superstate leads to the driver's. A blocked window goes down for a while.</p></html>"));
end Chart;
