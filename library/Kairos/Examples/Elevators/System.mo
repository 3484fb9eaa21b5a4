within Kairos.Examples.Elevators;
model System "Elevator with two redundant actuators"
  Actuator left(first=true) "First actuator"
    annotation(Placement(transformation(extent={{-100, 70}, {-80, 90}})));
  Actuator right "Second actuator"
    annotation(Placement(transformation(extent={{-55, 70}, {-35, 90}})));
  Mechanics.Rotational.Parts.Inertia elevator(J=40) "Elevator"
    annotation(Placement(transformation(extent={{-55, 25}, {-35, 45}})));
  Mechanics.Rotational.Parts.SpringDamper air(c=3000, d=200) "Force of the air"
    annotation(Placement(transformation(extent={{-10, 70}, {10, 90}})));
  Mechanics.Rotational.Parts.Fixed fuselage "Fuselage"
    annotation(Placement(transformation(extent={{35, 70}, {55, 90}})));
  Blocks.Sources.Sine stick(amplitude=0.2, f=0.25) "Wanted angle"
    annotation(Placement(transformation(extent={{-55, -20}, {-35, 0}})));
  Boolean leftSupply "Supply of the first actuator";
  Boolean rightSupply "Supply of the second actuator";
equation
  leftSupply = time < 2 or time >= 5;
  rightSupply = time < 7 or time >= 9;
  left.pressure = leftSupply;
  right.pressure = rightSupply;
  connect(left.isActive, right.other)
    annotation(Line(points={{-79, 74}, {-56, 74}}, color={200, 100, 0}));
  connect(right.isActive, left.other)
    annotation(Line(points={{-34, 74}, {-101, 74}}, color={200, 100, 0}));
  connect(stick.y, left.reference)
    annotation(Line(points={{-34, -10}, {-67.5, -10}, {-67.5, 86}, {-101, 86}}, color={0, 0, 127}));
  connect(stick.y, right.reference)
    annotation(Line(points={{-34, -10}, {-45, -10}, {-45, 86}, {-56, 86}}, color={0, 0, 127}));
  connect(left.flange, elevator.flange_a)
    annotation(Line(points={{-80, 80}, {-67.5, 80}, {-67.5, 35}, {-55, 35}}, color={200, 100, 0}));
  connect(right.flange, elevator.flange_a)
    annotation(Line(points={{-35, 80}, {-45, 80}, {-45, 35}, {-55, 35}}, color={200, 100, 0}));
  connect(elevator.flange_b, air.flange_a)
    annotation(Line(points={{-35, 35}, {-22.5, 35}, {-22.5, 80}, {-10, 80}}, color={0, 100, 0}));
  connect(air.flange_b, fuselage.flange)
    annotation(Line(points={{10, 80}, {45, 80}}, color={0, 100, 0}));
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={200, 100, 0},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-80, 0}, {20, 0}}, color={200, 100, 0}),
      Polygon(
        points={{20, 20}, {80, 0}, {20, -20}},
        lineColor={200, 100, 0},
        fillColor={200, 100, 0},
        fillPattern=FillPattern.Solid)}),
    Documentation(info="<html><p>The supply of the active actuator fails, the other takes over; later the roles change back.</p><p>Look at: the elevator follows the stick but for short dips at 2 s and 7 s; never are both actuators active.</p></html>"),
    experiment(StopTime=12, Interval=0.01));
end System;
