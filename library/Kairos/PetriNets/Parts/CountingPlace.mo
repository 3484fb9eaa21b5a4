within Kairos.PetriNets.Parts;
model CountingPlace "Place for several tokens"
  parameter Integer startTokens(min=0) = 0 "Number of tokens at the start";
  parameter Integer capacity(min=1) = 1000000 "Greatest number of tokens";
  parameter Integer nIn(min=0) = 1 "Number of arcs that enter";
  parameter Integer nOut(min=0) = 1 "Number of arcs that leave";
  Interfaces.PlaceIn enter[nIn] "Arcs from transitions; the first has priority"
    annotation(Placement(transformation(extent={{-110, -10}, {-90, 10}})));
  Interfaces.PlaceOut leave[nOut] "Arcs to transitions; the first has priority"
    annotation(Placement(transformation(extent={{90, -10}, {110, 10}})));
  Integer tokens(start=startTokens, fixed=true, min=0) "Number of tokens";
protected
  Integer room[nIn] "Room that is left for an arc and those after it";
  Integer left[nOut] "Tokens that are left for an arc and those after it";
equation
  for i in 1:nIn loop
    room[i] = if i == 1 then capacity - pre(tokens) else room[max(i - 1, 1)]
      - (if enter[max(i - 1, 1)].put then 1 else 0);
    enter[i].room = room[i] > 0;
  end for;
  for i in 1:nOut loop
    left[i] = if i == 1 then pre(tokens) else left[max(i - 1, 1)]
      - (if leave[max(i - 1, 1)].take then 1 else 0);
    leave[i].available = left[i] > 0;
  end for;
  tokens = pre(tokens) + Blocks.Logical.countTrue(enter.put) - Blocks.Logical.countTrue(leave.take);
  annotation(
    Icon(graphics={
      Ellipse(
        extent={{-80, -80}, {80, 80}},
        lineColor={80, 80, 80},
        fillColor={255, 255, 255},
        fillPattern=FillPattern.Solid),
      Ellipse(
        extent={{-20, -20}, {20, 20}},
        lineColor={80, 80, 80},
        fillColor={80, 80, 80},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
    Documentation(info="<html><p>Holds up to capacity tokens; every arc takes or puts one at a time.</p></html>"));
end CountingPlace;
