within Kairos.DiscreteEvents.Parts;
model Router "Sends entities to one of several exits"
  parameter Integer n(min=1) = 2 "Number of exits";
  parameter Types.Rule rule = Types.Rule.FirstReady "How the exit is chosen";
  Interfaces.EntityIn enter "Arrivals"
    annotation(Placement(transformation(extent={{-110, -10}, {-90, 10}})));
  Interfaces.EntityOut out[n] "Exits"
    annotation(Placement(transformation(extent={{90, -10}, {110, 10}})));
  Integer sent[n](each start=0, each fixed=true) "Number of entities at each exit";
protected
  Boolean arrives "An entity arrives";
  Integer ready "First exit that is ready, 0 if none is";
  Integer turn "Exit whose turn it is";
  Integer target "Exit for an entity that arrives now";
equation
  ready = Blocks.Logical.firstTrue(out.ready);
  turn = mod(pre(enter.number), n) + 1;
  enter.ready = if rule == Types.Rule.FirstReady then ready > 0
    else if rule == Types.Rule.RoundRobin then out[turn].ready
    else Blocks.Logical.countTrue(out.ready) == n;
  arrives = enter.number <> pre(enter.number);
  target = if rule == Types.Rule.FirstReady then ready else if rule == Types.Rule.RoundRobin
    then turn else min(max(integer(enter.value), 1), n);
  for i in 1:n loop
    sent[i] = pre(sent[i]) + (if arrives and target == i then 1 else 0);
    out[i].number = sent[i];
    out[i].born = enter.born;
    out[i].priority = enter.priority;
    out[i].value = enter.value;
  end for;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 110, 110},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-80, 0}, {0, 0}, {60, 50}}, color={0, 110, 110}),
      Line(points={{0, 0}, {60, -50}}, color={0, 110, 110})}),
    Documentation(info="<html><p>Passes each entity to one exit without delay. If the exit depends on the entity, all exits must be ready.</p></html>"));
end Router;
