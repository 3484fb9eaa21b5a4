within Kairos.Examples;
model CommonResource "A Petri net gives one heater to two processes"
  PetriNets.Parts.Place xCooling(startToken=true) "The first process cools"
    annotation(Placement(transformation(extent={{-100, 70}, {-80, 90}})));
  PetriNets.Parts.Place xHeating "The first process is heated"
    annotation(Placement(transformation(extent={{-10, 70}, {10, 90}})));
  PetriNets.Parts.Place yCooling(startToken=true) "The second process cools"
    annotation(Placement(transformation(extent={{80, 70}, {100, 90}})));
  PetriNets.Parts.Place yHeating "The second process is heated"
    annotation(Placement(transformation(extent={{80, 25}, {100, 45}})));
  PetriNets.Parts.Place heater(nIn=2, nOut=2, startToken=true) "The heater is free"
    annotation(Placement(transformation(extent={{-10, 25}, {10, 45}})));
  PetriNets.Parts.Transition xCold(nIn=2, condition=x < 0.1) "The first process takes the heater"
    annotation(Placement(transformation(extent={{-55, 70}, {-35, 90}})));
  PetriNets.Parts.Transition xHot(nOut=2, condition=x > 0.9) "The first process gives it back"
    annotation(Placement(transformation(extent={{-55, 25}, {-35, 45}})));
  PetriNets.Parts.Transition yCold(nIn=2, condition=y < 0.2) "The second process takes the heater"
    annotation(Placement(transformation(extent={{35, 70}, {55, 90}})));
  PetriNets.Parts.Transition yHot(nOut=2, condition=y > 0.8) "The second process gives it back"
    annotation(Placement(transformation(extent={{35, 25}, {55, 45}})));
  Real x(start=0, fixed=true) "Temperature of the first process";
  Real y(start=0, fixed=true) "Temperature of the second process";
equation
  connect(xCooling.leave[1], xCold.from[1]);
  connect(heater.leave[1], xCold.from[2]);
  connect(xCold.to[1], xHeating.enter[1]);
  connect(xHeating.leave[1], xHot.from[1]);
  connect(xHot.to[1], xCooling.enter[1]);
  connect(xHot.to[2], heater.enter[1]);
  connect(yCooling.leave[1], yCold.from[1]);
  connect(heater.leave[2], yCold.from[2]);
  connect(yCold.to[1], yHeating.enter[1]);
  connect(yHeating.leave[1], yHot.from[1]);
  connect(yHot.to[1], yCooling.enter[1]);
  connect(yHot.to[2], heater.enter[2]);
  der(x) = -x + (if xHeating.token then 2.5 else 0);
  der(y) = -0.5*y + (if yHeating.token then 1 else 0);
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
    Documentation(info="<html><p>The token of the heater goes to one process at a time; the first has priority because it is connected first.</p><p>Look at: never both processes heat; one that is cold may have to wait.</p></html>"),
    experiment(StopTime=10, Interval=0.01));
end CommonResource;
