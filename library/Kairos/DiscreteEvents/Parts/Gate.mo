within Kairos.DiscreteEvents.Parts;
model Gate "Lets entities through while it is open"
  Interfaces.EntityIn enter "Arrivals"
    annotation(Placement(transformation(extent={{-110, -10}, {-90, 10}})));
  Interfaces.EntityOut out "Departures"
    annotation(Placement(transformation(extent={{90, -10}, {110, 10}})));
  Blocks.Interfaces.BooleanInput open "Open"
    annotation(Placement(transformation(extent={{-10, 100}, {10, 120}})));
equation
  enter.ready = open and out.ready;
  out.number = enter.number;
  out.born = enter.born;
  out.priority = enter.priority;
  out.value = enter.value;
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-100, -100}, {100, 100}},
        lineColor={0, 110, 110},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name"),
      Line(points={{-80, 0}, {-20, 0}}, color={0, 110, 110}),
      Line(points={{-20, 0}, {30, 40}}, color={0, 110, 110}),
      Line(points={{30, 0}, {80, 0}}, color={0, 110, 110})}),
    Documentation(info="<html><p>While it is closed, entities must wait before it.</p></html>"));
end Gate;
