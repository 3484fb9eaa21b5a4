within Kairos.PetriNets.Parts;
model Place "Place for one token"
  parameter Boolean startToken = false "It has a token at the start";
  parameter Integer nIn(min=0) = 1 "Number of arcs that enter";
  parameter Integer nOut(min=0) = 1 "Number of arcs that leave";
  Interfaces.PlaceIn enter[nIn] "Arcs from transitions; the first has priority"
    annotation(Placement(transformation(extent={{-110, -10}, {-90, 10}})));
  Interfaces.PlaceOut leave[nOut] "Arcs to transitions; the first has priority"
    annotation(Placement(transformation(extent={{90, -10}, {110, 10}})));
  Boolean token(start=startToken, fixed=true) "There is a token";
equation
  for i in 1:nIn loop
    enter[i].room = if i == 1 then not pre(token) else enter[max(i - 1, 1)].room
      and not enter[max(i - 1, 1)].put;
  end for;
  for i in 1:nOut loop
    leave[i].available = if i == 1 then pre(token) else leave[max(i - 1, 1)].available
      and not leave[max(i - 1, 1)].take;
  end for;
  token = Blocks.Logical.countTrue(enter.put) > 0 or pre(token)
    and Blocks.Logical.countTrue(leave.take) == 0;
  annotation(
    Icon(graphics={
      Ellipse(
        extent={{-80, -80}, {80, 80}},
        lineColor={80, 80, 80},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Ellipse(
        extent={{-30, -30}, {30, 30}},
        fillColor={0, 0, 0},
        fillPattern=FillPattern.Solid,
        visible=DynamicSelect(startToken, token)),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
    Documentation(info="<html><p>Holds at most one token. A transition can put one only if the place is empty.</p></html>"));
end Place;
