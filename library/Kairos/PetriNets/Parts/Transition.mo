within Kairos.PetriNets.Parts;
model Transition "Transition"
  parameter Integer nIn(min=0) = 1 "Number of places that tokens are taken from";
  parameter Integer nOut(min=0) = 1 "Number of places that tokens are put to";
  parameter Units.Time delay(min=0) = 0 "How long it must be enabled before it fires";
  Interfaces.TransitionIn from[nIn] "Arcs from places"
    annotation(Placement(transformation(extent={{-110, -10}, {-90, 10}})));
  Interfaces.TransitionOut to[nOut] "Arcs to places"
    annotation(Placement(transformation(extent={{90, -10}, {110, 10}})));
  input Boolean condition = true "It fires only while this is true";
  Boolean enabled(start=false, fixed=true) "Tokens, room and condition are there";
  Boolean fire(start=false, fixed=true) "It fires";
  Integer fired(start=0, fixed=true) "Number of times that it has fired";
protected
  discrete Units.Time due(start=1e60, fixed=true) "When it fires, if it stays enabled";
equation
  enabled = condition and Blocks.Logical.countTrue(from.available) == nIn
    and Blocks.Logical.countTrue(to.room) == nOut;
  if delay > 0 then
    when {enabled and (not pre(enabled) or pre(fire)), initial()} then
      due = if enabled then time + delay else 1e60;
    end when;
    fire = enabled and time >= due;
  else
    due = 1e60;
    fire = enabled;
  end if;
  from.take = fill(fire, nIn);
  to.put = fill(fire, nOut);
  fired = pre(fired) + (if fire then 1 else 0);
  annotation(
    Icon(graphics={
      Rectangle(
        extent={{-15, -80}, {15, 80}},
        lineColor={80, 80, 80},
        fillColor={80, 80, 80},
        fillPattern=FillPattern.Solid),
      Text(extent={{-150, 140}, {150, 100}}, textString="%name")}),
    Documentation(info="<html><p>Fires when every place before it has a token, every place after it has room, and the condition holds; with a delay, when that has lasted. Give the condition by a modification or an equation. A place for one token cannot be before and after the same transition: it has no room while it has its token.</p></html>"));
end Transition;
