within Kairos.DiscreteEvents.Parts;
model Join "Brings several ways together"
  parameter Integer n(min=1) = 2 "Number of entrances";
  Interfaces.EntityIn enter[n] "Arrivals; the first has priority"
    annotation(Placement(transformation(extent={{-110, -10}, {-90, 10}})));
  Interfaces.EntityOut out "Departures"
    annotation(Placement(transformation(extent={{90, -10}, {110, 10}})));
protected
  Boolean arrives[n] "An entity arrives";
  Integer last(start=1, fixed=true) "The entrance of the last entity";
equation
  for i in 1:n loop
    enter[i].ready = if i == 1 then out.ready else enter[max(i - 1, 1)].ready
      and not arrives[max(i - 1, 1)];
    arrives[i] = enter[i].number <> pre(enter[i].number);
  end for;
  last = if Blocks.Logical.countTrue(arrives) > 0 then Blocks.Logical.firstTrue(arrives)
    else pre(last);
  out.number = sum(enter.number);
  out.born = enter[last].born;
  out.priority = enter[last].priority;
  out.value = enter[last].value;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 110, 110},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-60, 50}, {0, 0}, {80, 0}}, color={0, 110, 110}),
      Line(points={{-60, -50}, {0, 0}}, color={0, 110, 110})}),
    Documentation(info="<html><p>Passes entities from several entrances on without delay, one at a time.</p></html>"));
end Join;
