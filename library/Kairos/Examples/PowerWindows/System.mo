within Kairos.Examples.PowerWindows;
model System "Power window with anti-pinch, its network and its requirements"
  Integer driverButton "Button of the driver";
  Integer passengerButton "Button of the passenger";
  DiscreteEvents.Parts.PeriodicGenerator driverPanel(period=0.04, value=driverButton)
    "Sends the driver's button"
    annotation(Placement(transformation(extent={{-100, 70}, {-80, 90}})));
  DiscreteEvents.Parts.PeriodicGenerator passengerPanel(
    period=0.04,
    startTime=0.013,
    value=passengerButton) "Sends the passenger's button"
    annotation(Placement(transformation(extent={{-10, 70}, {10, 90}})));
  DiscreteEvents.Parts.RandomGenerator traffic(mean=0.03, seed=5) "Other messages"
    annotation(Placement(transformation(extent={{-10, 25}, {10, 45}})));
  DiscreteEvents.Parts.CANBus bus(n=3, identifier={20, 30, 10}, bitRate=10e3) "Network"
    annotation(Placement(transformation(extent={{-55, 70}, {-35, 90}})));
  DiscreteEvents.Parts.Receiver driverInput(identifier=20)
    "The controller's copy of the driver's button"
    annotation(Placement(transformation(extent={{-10, -20}, {10, 0}})));
  DiscreteEvents.Parts.Receiver passengerInput(identifier=30)
    "The controller's copy of the passenger's button"
    annotation(Placement(transformation(extent={{-10, -65}, {10, -45}})));
  Chart chart "Controller" annotation(Placement(transformation(extent={{35, 70}, {55, 90}})));
  Lift lift "Plant" annotation(Placement(transformation(extent={{-100, 25}, {-80, 45}})));
  Units.Voltage voltage "Voltage of the motor";
  discrete Units.Time pressed(start=-10, fixed=true) "When a button was pressed last";
  discrete Units.Time reaction(start=0, fixed=true) "How long the motor took to react to it";
  discrete Units.Time upSince(start=1e60, fixed=true)
    "Since when the driver wants the window up, with nothing in the way";
  Boolean closesInTime(start=true, fixed=true) "Requirement 1: the window is closed within 5 s";
  Boolean driverOverrules(start=true, fixed=true) "Requirement 2: the driver's wish prevails";
  Boolean reactsInTime(start=true, fixed=true) "Requirement 3: the motor reacts within 200 ms";
protected
  Integer wish "The button that counts: the driver's, otherwise the passenger's";
  Boolean obeyed
    "The motor does what the button says, or the window is at its end or goes back from an obstacle";
equation
  driverButton = if time >= 1.5 and time < 2.2 then -1 else if time >= 3 and time < 4.8 or time >= 6
    and time < 10 then 1 else 0;
  passengerButton = if time >= 0.5 and time < 2 then 1 else 0;
  connect(driverPanel.out, bus.enter[1])
    annotation(Line(points={{-80, 80}, {-55, 80}}, color={0, 110, 110}));
  connect(passengerPanel.out, bus.enter[2])
    annotation(Line(points={{10, 80}, {-55, 80}}, color={0, 110, 110}));
  connect(traffic.out, bus.enter[3])
    annotation(Line(points={{10, 35}, {-22.5, 35}, {-22.5, 80}, {-55, 80}}, color={0, 110, 110}));
  connect(bus.frames, driverInput.frames)
    annotation(Line(
      points={{-35, 80}, {-22.5, 80}, {-22.5, -10}, {-10, -10}},
      color={0, 110, 110}));
  connect(bus.frames, passengerInput.frames)
    annotation(Line(
      points={{-35, 80}, {-22.5, 80}, {-22.5, -55}, {-10, -55}},
      color={0, 110, 110}));
  connect(driverInput.value, chart.driver)
    annotation(Line(points={{11, -10}, {22.5, -10}, {22.5, 88}, {34, 88}}, color={0, 110, 110}));
  connect(passengerInput.value, chart.passenger)
    annotation(Line(points={{11, -55}, {22.5, -55}, {22.5, 83}, {34, 83}}, color={0, 110, 110}));
  chart.atTop = lift.position >= lift.top - 1e-4;
  chart.atBottom = lift.position <= 1e-4;
  chart.pinched = lift.force > 150 and lift.position < 0.43;
  voltage = 12*chart.direction;
  lift.u = voltage;
  lift.blocked = time >= 3 and time < 5.5;
  wish = if driverButton <> 0 then driverButton else passengerButton;
  obeyed = voltage*wish > 0 or wish == 0 or chart.retreat.active or chart.atTop and wish > 0
    or chart.atBottom and wish < 0;
  when {wish == 1, wish == -1} then
    pressed = time;
  end when;
  when obeyed and wish <> 0 then
    reaction = time - pressed;
  end when;
  when driverButton == 1 and not lift.blocked then
    upSince = time;
  elsewhen driverButton <> 1 or lift.blocked then
    upSince = 1e60;
  end when;
  closesInTime = pre(closesInTime) and not (time >= upSince + 5 and not chart.atTop);
  driverOverrules = pre(driverOverrules)
    and not (abs(driverInput.value) > 0.5 and chart.byPassenger.active);
  reactsInTime = pre(reactsInTime)
    and not (time >= pressed + 0.2 and not obeyed and time < pressed + 0.25);
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
    Documentation(info="<html><p>The passenger lets the window up, the driver overrules and lets it down; then the driver lets it up, an obstacle is in the way and the window retreats; at last it closes. The buttons reach the controller over a bus that carries other messages too.</p><p>Look at: the position, the states of the chart, the force in the cable where the window is blocked, and the three requirements, which stay true.</p></html>"),
    experiment(StopTime=10, Interval=0.01));
end System;
